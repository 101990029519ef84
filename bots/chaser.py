"""A bot that plays to the score difference."""

from arena import Bot, Decision, Turn


class Chaser(Bot):
    """Takes risks when it is behind and plays safe when it is ahead.

    A player who is far behind loses with ordinary turns; only big ones help. A player who is far
    ahead needs no big turns; a bust hurts more than a few points help.
    """

    def __init__(self, points: int = 350, step: int = 1500) -> None:
        self.points = points
        self.step = step

    def decide(self, turn: Turn) -> Decision:
        """Bank from a number of points on that grows with the distance to the leader."""
        hold = turn.holds[0]
        if turn.points + hold.points >= self.enough(turn) and turn.can_bank(hold):
            return hold.bank()
        return hold.roll()

    def enough(self, turn: Turn) -> int:
        """Points at which this turn may stop."""
        behind = turn.to_beat - turn.score
        if turn.last_round:
            return behind + 1
        if behind > 2 * self.step:
            return 2 * self.points
        if behind > self.step:
            return self.points + 150
        if behind < -self.step:
            return self.points - 100
        return self.points

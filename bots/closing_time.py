"""A bot that knows when the game ends."""

from arena import Bot, Decision, Turn


class ClosingTime(Bot):
    """Plays plainly, but watches how near the end is.

    In the last round nothing counts but to beat the leader: whoever stops below has lost anyway.
    When another player can finish with one good turn, this may be the last chance, so it tries to
    finish first. When it can finish itself, it stops exactly there and risks nothing more.
    """

    def __init__(self, points: int = 350, near: int = 700) -> None:
        self.points = points
        self.near = near

    def decide(self, turn: Turn) -> Decision:
        """Bank when the turn has reached its goal."""
        hold = turn.holds[0]
        if turn.points + hold.points >= self.goal(turn) and turn.can_bank(hold):
            return hold.bank()
        return hold.roll()

    def goal(self, turn: Turn) -> int:
        """What this turn is to be worth."""
        if turn.last_round:
            return turn.to_beat - turn.score + 1
        to_finish = turn.rules.target - turn.score
        if to_finish <= self.near:
            return to_finish
        if turn.rules.target - turn.to_beat <= self.near:
            return self.near
        return self.points

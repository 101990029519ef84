"""A bot that keeps little and rolls much."""

from arena import Bot, Decision, Turn


class FewDice(Bot):
    """Keeps as few dice as it can, so that it rolls as many as it can.

    A roll of two fives is worth 100; keeping only one of them leaves 50 on the table but five
    dice to roll instead of four. Five dice bust less often and make bigger combinations. Once
    everything on the table makes the turn worth `points`, it takes it all and stops.
    """

    def __init__(self, points: int = 350) -> None:
        self.points = points

    def decide(self, turn: Turn) -> Decision:
        """All of it and stop, or as little as possible and roll on."""
        everything = turn.holds[0]
        enough = turn.points + everything.points >= self.points
        if not turn.can_roll(everything) or (enough and turn.can_bank(everything)):
            return everything.bank()
        fewest = max(turn.holds, key=lambda hold: (hold.dice_left, hold.points))
        return fewest.roll()

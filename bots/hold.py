"""The reference bot, whose results are known exactly."""

from arena import Bot, Decision, Turn


class Hold(Bot):
    """Takes all that scores and stops at a fixed number of points.

    It keeps the hold with the most points. Then it banks as soon as the turn is worth `points`
    (or fewer than `dice` + 1 dice are left to roll) and the minimum is reached; otherwise it rolls
    on. It never uses the free re-roll and does not look at anybody's score. A good bot beats it.
    """

    def __init__(self, points: int = 300, dice: int = 0) -> None:
        self.points = points
        self.dice = dice

    def decide(self, turn: Turn) -> Decision:
        """Bank from `points` on, or when few dice are left."""
        hold = turn.holds[0]
        if turn.must_roll(hold):
            return hold.roll()
        enough = turn.points + hold.points >= self.points or hold.dice_left <= self.dice
        if not turn.can_roll(hold) or (enough and turn.can_bank(hold)):
            return hold.bank()
        return hold.roll()

"""A bot that counts dice, not points."""

from arena import Bot, Decision, Turn


class DiceLeft(Bot):
    """Looks only at how many dice are left to roll.

    Many dice nearly always score, one die seldom does. So it takes all that scores, rolls on with
    more than `dice` dice, and stops with fewer, however much or little the turn is worth.
    """

    def __init__(self, dice: int = 2) -> None:
        self.dice = dice

    def decide(self, turn: Turn) -> Decision:
        """Stop when few dice are left."""
        hold = turn.holds[0]
        if hold.dice_left <= self.dice and turn.can_bank(hold):
            return hold.bank()
        return hold.roll()

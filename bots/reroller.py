"""A bot that has read the rules to the end."""

from arena import Bot, Decision, Turn


class Reroller(Bot):
    """Rolls all dice again, for free, until the first roll is a good one.

    Some rulesets let a player who has kept nothing yet roll all dice again. All dice hardly ever
    bust, so a weak first roll costs little: try again until it is worth `first` points. Then it
    plays plainly and stops at `points`. Without that rule it is an ordinary cautious bot.
    """

    def __init__(self, first: int = 1000, points: int = 350) -> None:
        self.first = first
        self.points = points

    def decide(self, turn: Turn) -> Decision:
        """Re-roll a weak first roll; otherwise bank from `points` on, but roll hot dice."""
        hold = turn.holds[0]
        if turn.can_reroll and hold.points < self.first:
            return turn.reroll()
        if turn.points + hold.points >= self.points and turn.can_bank(hold):
            return hold.bank()
        return hold.roll()

"""A bot that mixes its plays."""

from arena import Bot, Decision, Turn


class Moody(Bot):
    """Now cautious, now bold, as the mood takes it.

    At every decision it draws anew what would be enough, between `low` and `high`. Nobody can
    foresee it; in this game that is worth nothing, as nobody can answer what others do in their
    turn. Use `turn.rng` for such bots and never the module `random`.
    """

    def __init__(self, low: int = 200, high: int = 500) -> None:
        if low > high:
            raise ValueError(f"low ({low}) must not be above high ({high})")
        self.low = low
        self.high = high

    def decide(self, turn: Turn) -> Decision:
        """Bank from a number of points on that is drawn each time."""
        hold = turn.holds[0]
        enough = turn.rng.randint(self.low, self.high)
        if turn.points + hold.points >= enough and turn.can_bank(hold):
            return hold.bank()
        return hold.roll()

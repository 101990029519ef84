"""A bot that leaves everything to chance."""

from arena import Bot, Decision, Turn


class Random(Bot):
    """Keeps any dice and tosses a coin whether to stop.

    The bot to beat first: whoever loses to it has a bug. `turn.rng` is Python's `random.Random`;
    use it and never the module `random`, so that every game can be played again.
    """

    def decide(self, turn: Turn) -> Decision:
        """Any hold; once the minimum is reached, stop in half of all cases."""
        hold = turn.rng.choice(turn.holds)
        if turn.can_bank(hold) and turn.rng.random() < 0.5:
            return hold.bank()
        return hold.roll()

"""A bot that remembers what the others did."""

from arena import Bot, Decision, Turn


class Notebook(Bot, remembers=True):
    """Writes down what the others make in their turns, and wants as much.

    A position shows scores but not how they came about: 2000 points can be ten small turns or two
    big ones. This bot notes each turn in which another player wrote points, and takes the average
    of these as its own goal. `remembers=True` says that it keeps notes: it has one instance for
    each game, is asked every time, and is therefore slower to run than other bots.
    """

    def __init__(self, low: int = 250, high: int = 600) -> None:
        self.low = low
        self.high = high
        self.goal = low
        self.scores: tuple[int, ...] = ()
        self.made: list[int] = []

    def decide(self, turn: Turn) -> Decision:
        """Bank when the turn is worth what turns of the others are worth on average."""
        if turn.opponents != self.scores:
            self.take_notes(turn.opponents)
        hold = turn.holds[0]
        if turn.points + hold.points >= self.goal and turn.can_bank(hold):
            return hold.bank()
        return hold.roll()

    def take_notes(self, scores: tuple[int, ...]) -> None:
        """Note what the others have made since the last question, and what that asks for."""
        for before, now in zip(self.scores, scores, strict=False):
            if now > before:
                self.made.append(now - before)
        self.scores = scores
        if self.made:
            average = sum(self.made) // len(self.made)
            self.goal = min(max(average, self.low), self.high)

"""A bot that never has enough."""

from arena import Bot, Decision, Turn


class Greedy(Bot):
    """Takes all that scores and wants a big turn.

    It stops at `points` only, and not even there when all dice have scored: six fresh dice look
    too good. Big turns are rare; most of its turns end in a bust. Compare it with `hold`.
    """

    def __init__(self, points: int = 1000) -> None:
        self.points = points

    def decide(self, turn: Turn) -> Decision:
        """Roll until the turn is big, and always roll hot dice."""
        hold = turn.holds[0]
        if turn.points + hold.points >= self.points and turn.can_bank(hold) and not hold.hot:
            return hold.bank()
        return hold.roll()

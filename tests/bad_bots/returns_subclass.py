"""Returns a decision of its own making.

Fault: wrong type
"""

from arena import Bot, Decision, Turn


class Mine(Decision):
    pass


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        return Mine("bank", turn.holds[0], 0)

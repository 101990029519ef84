"""Returns a hold instead of a decision.

Fault: wrong type
"""

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        return turn.holds[0]

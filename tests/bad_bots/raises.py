"""Raises at every decision.

Fault: exception
"""

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        return turn.holds[99].bank()

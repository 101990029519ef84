"""Forgets to return a decision.

Fault: wrong type
"""

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        turn.holds[0].bank()

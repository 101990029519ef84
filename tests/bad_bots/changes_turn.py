"""Writes its own score.

Fault: exception
"""

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        turn.score = 9_950
        return turn.holds[0].bank()

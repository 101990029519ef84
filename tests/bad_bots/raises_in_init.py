"""Raises when it is made.

Fault: load error
"""

from arena import Bot, Decision, Turn


class Bad(Bot):
    def __init__(self):
        self.goal = 1 / 0

    def decide(self, turn: Turn) -> Decision:
        return turn.holds[0].bank()

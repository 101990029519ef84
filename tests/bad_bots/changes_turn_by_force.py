"""Writes its own score past the class that forbids it.

Fault: any
"""

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        object.__setattr__(turn, "score", 9_950)
        object.__setattr__(turn.holds[0], "points", 9_950)
        return turn.holds[0].bank()

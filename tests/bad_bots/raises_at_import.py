"""Raises while it is imported.

Fault: load error
"""

from arena import Bot, Decision, Turn

raise ValueError("not today")


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        return turn.holds[0].bank()

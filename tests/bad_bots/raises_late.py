"""Raises at the tenth decision.

Fault: exception
"""

from arena import Bot, Decision, Turn


class Bad(Bot):
    asked = 0

    def decide(self, turn: Turn) -> Decision:
        Bad.asked += 1
        if Bad.asked >= 10:
            raise RuntimeError("tired")
        return turn.holds[0].bank()

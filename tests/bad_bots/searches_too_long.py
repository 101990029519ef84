"""Computes a little too long for every decision.

Fault: time-out
"""

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        total = 0
        for i in range(20_000_000):
            total += i
        return turn.holds[0].bank()

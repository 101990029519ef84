"""Lifts the limit on recursion and goes down until something breaks.

Fault: crash, exception, memory or time-out
"""

import sys

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        sys.setrecursionlimit(10**9)
        nested = []
        for _ in range(10**6):
            nested = [nested]
        repr(nested)
        return turn.holds[0].bank()

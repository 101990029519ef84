"""Leaves no room for anybody to call a function.

Fault: any
"""

import sys

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        sys.setrecursionlimit(40)
        return turn.holds[0].bank()

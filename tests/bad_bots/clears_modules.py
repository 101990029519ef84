"""Throws all modules away.

Fault: any
"""

import sys

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        sys.modules.clear()
        return turn.holds[0].bank()

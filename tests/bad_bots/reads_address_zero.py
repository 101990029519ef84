"""Reads memory that is not there.

Fault: crash
"""

import ctypes

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        ctypes.string_at(0)
        return turn.holds[0].bank()

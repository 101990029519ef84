"""Runs a command past Python's own checks.

Fault: none
Fault under limits: any
"""

import ctypes

from arena import Bot, Decision, Turn

libc = ctypes.CDLL(None, use_errno=True)


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        if libc.system(b"true") == 0:
            raise RuntimeError("ESCAPED: a command was run")
        return turn.holds[0].bank()

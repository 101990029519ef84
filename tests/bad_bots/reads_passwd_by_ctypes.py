"""Reads the names of all users past Python's own checks.

Fault: none
Fault under limits: any
"""

import ctypes

from arena import Bot, Decision, Turn

libc = ctypes.CDLL(None, use_errno=True)


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        if libc.open(b"/etc/passwd", 0) >= 0 or libc.open(b"/etc/hostname", 0) >= 0:
            raise RuntimeError("ESCAPED: a file was read")
        return turn.holds[0].bank()

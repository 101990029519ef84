"""Leaves a process behind that goes on when its own is gone, past Python's own checks.

Fault: exception
Fault under limits: any
"""

import ctypes
import time

from arena import Bot, Decision, Turn

LIBC = ctypes.CDLL(None, use_errno=True)


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        child = LIBC.fork()
        if child == 0:
            LIBC.setsid()
            end = time.monotonic() + 20
            while time.monotonic() < end:
                pass
            LIBC._exit(0)
        if child > 0:
            raise RuntimeError("ESCAPED into a process of its own")
        raise RuntimeError("could not")

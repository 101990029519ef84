"""Sends itself a signal to stop, past Python's own checks.

Fault: time-out
"""

import ctypes

from arena import Bot, Decision, Turn

libc = ctypes.CDLL(None, use_errno=True)


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        libc.kill(libc.getpid(), 19)
        while True:
            libc.pause()

"""Kills all processes that it can reach, past Python's own checks.

Fault: any
Only under: strict
"""

import ctypes

from arena import Bot, Decision, Turn

libc = ctypes.CDLL(None, use_errno=True)


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        for process in range(2, 70_000):
            if libc.kill(process, 0) == 0 and process != libc.getpid():
                raise RuntimeError("ESCAPED: another process can be reached")
        return turn.holds[0].bank()

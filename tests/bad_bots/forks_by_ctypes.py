"""Makes copies of its process past Python's own checks.

Fault: none
Fault under limits: any
"""

import os
import ctypes

from arena import Bot, Decision, Turn

libc = ctypes.CDLL(None, use_errno=True)


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        for _ in range(20):
            child = libc.fork()
            if child == 0:
                os._exit(0)
            if child > 0:
                raise RuntimeError("ESCAPED: a process was made")
        return turn.holds[0].bank()

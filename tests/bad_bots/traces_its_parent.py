"""Attaches itself as a debugger to every process that it can see.

Fault: exception or crash or silent death
"""

import ctypes
import os

from arena import Bot, Decision, Turn

LIBC = ctypes.CDLL(None, use_errno=True)


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        for pid in (os.getppid(), *range(1, 40)):
            if pid > 0 and pid != os.getpid() and LIBC.ptrace(16, pid, 0, 0) == 0:
                LIBC.ptrace(17, pid, 0, 0)
                raise RuntimeError(f"ESCAPED as a debugger of process {pid}")
        raise RuntimeError("could not")

"""Reads the memory of the process that asks it, past Python's own checks.

Fault: exception or crash or silent death
Fault under limits: any
"""

import ctypes
import os

from arena import Bot, Decision, Turn

LIBC = ctypes.CDLL(None, use_errno=True)


class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        room = ctypes.create_string_buffer(64)
        here = Piece(ctypes.addressof(room), 64)
        there = Piece(ctypes.cast(LIBC.getpid, ctypes.c_void_p).value & ~4095, 64)
        for pid in (os.getppid(), 1, os.getpid() - 1):
            if pid > 0 and pid != os.getpid():
                read = LIBC.process_vm_readv(pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
                if read > 0:
                    raise RuntimeError(f"ESCAPED into the memory of process {pid}")
        raise RuntimeError("could not")

"""Calls home past Python's own checks.

Fault: none
Fault under limits: any
"""

import ctypes

from arena import Bot, Decision, Turn

libc = ctypes.CDLL(None, use_errno=True)


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        place = (ctypes.c_char * 16)(*b"\x02\x00\x00\x35\xc0\x00\x02\x01" + bytes(8))
        if libc.connect(libc.socket(2, 2, 0), place, 16) == 0:
            raise RuntimeError("ESCAPED: the network was reached")
        return turn.holds[0].bank()

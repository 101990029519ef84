"""Writes the head of an endless answer into whatever it finds open, and feeds it.

Fault: crash or silent death or time-out
"""

import os
import struct

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        head = struct.pack("=IIQQ", 0x61726E31, 20, 3, 1 << 62)
        for number in range(3, 4096):
            try:
                copy = os.dup(number)
                os.write(copy, head)
                while os.write(copy, bytes(1 << 16)):
                    pass
            except OSError:
                pass
        return turn.holds[0].bank()

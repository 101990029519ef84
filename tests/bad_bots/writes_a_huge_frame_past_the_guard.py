"""Answers every request that may come with as much as it may, over and over.

Fault: crash or silent death or time-out
"""

import os
import struct

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        body = b'{"faults": [' + b"[" * (1 << 20)
        for serial in range(8):
            frame = struct.pack("=IIQQ", 0x61726E31, 20, serial, len(body)) + body
            for number in range(3, 4096):
                try:
                    os.write(number, frame)
                except OSError:
                    pass
        return turn.holds[0].bank()

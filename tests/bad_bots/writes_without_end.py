"""Writes to standard output without end, past Python's streams.

Fault: flood of output
"""

import os

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        while True:
            os.write(1, b"I am still here" * 100)

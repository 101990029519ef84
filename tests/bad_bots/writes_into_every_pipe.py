"""Writes rubbish into every file that is open.

Fault: crash or silent death
"""

import os

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        for number in range(3, 1000):
            try:
                os.write(number, b"rubbish" * 10)
            except OSError:
                pass
        return turn.holds[0].bank()

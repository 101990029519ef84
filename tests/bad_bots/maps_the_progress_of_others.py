"""Makes the file of its own progress as large as can be, and as small as can be.

Fault: any
"""

import os

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        for number in range(3, 4096):
            for size in (1 << 19, 0):
                try:
                    os.ftruncate(number, size)
                except OSError:
                    pass
        return turn.holds[0].bank()

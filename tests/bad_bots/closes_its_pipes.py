"""Closes every file that is open.

Fault: silent death
"""

import os

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        os.closerange(0, 1000)
        return turn.holds[0].bank()

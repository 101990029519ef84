"""Throws dice of its own.

Fault: unrepeatable
"""

import random

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        hold = turn.holds[0]
        return hold.bank() if random.random() < 0.7 else hold.roll()

"""Decides by the clock.

Fault: unrepeatable
"""

import time

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        hold = turn.holds[0]
        return hold.bank() if time.perf_counter_ns() // 1000 % 3 else hold.roll()

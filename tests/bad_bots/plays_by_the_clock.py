"""Decides by the clock.

Fault: unrepeatable
"""

import time

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        hold = turn.holds[0]
        # Spread out, so that two looks at equal distances do not go together.
        spread = time.perf_counter_ns() * 2654435761 >> 16
        return hold.bank() if spread % 3 else hold.roll()

"""Waits for something that never comes.

Fault: time-out
"""

import time

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        time.sleep(1000)

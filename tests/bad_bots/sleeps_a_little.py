"""Takes a nap before every decision, which adds up.

Fault: time-out
"""

import time

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        time.sleep(0.25)
        return turn.holds[0].bank()

"""Ends its process while it is imported.

Fault: silent death
"""

import os

from arena import Bot, Decision, Turn

os._exit(0)


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        return turn.holds[0].bank()

"""Ends its process without a word.

Fault: silent death
"""

import os

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        os._exit(0)

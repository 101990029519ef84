"""Changes builtins and the module random.

Fault: any
"""

import builtins
import random

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        builtins.len = lambda things: 10**9
        builtins.isinstance = lambda thing, kind: True
        random.random = lambda: 0.0
        return turn.holds[0].bank()

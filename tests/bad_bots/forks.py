"""Makes a copy of its process.

Fault: exception
"""

import os

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        os.fork()
        return turn.holds[0].bank()

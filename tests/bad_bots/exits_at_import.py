"""Ends the program while it is imported.

Fault: load error
"""

import sys

from arena import Bot, Decision, Turn

sys.exit(0)


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        return turn.holds[0].bank()

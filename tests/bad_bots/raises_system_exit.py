"""Wants to end the program.

Fault: exception
"""

import sys

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        sys.exit(0)

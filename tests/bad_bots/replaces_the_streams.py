"""Replaces standard output with something that raises.

Fault: any
"""

import sys

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        sys.stdout = sys.stderr = None
        print("nobody hears this")
        return turn.holds[0].bank()

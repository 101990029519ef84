"""Becomes another program.

Fault: exception
"""

import os

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        os.execv("/bin/true", ["true"])

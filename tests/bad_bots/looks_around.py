"""Lists the files of the machine.

Fault: exception
"""

import os

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        os.listdir("/")
        return turn.holds[0].bank()

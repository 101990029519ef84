"""Kills its own process.

Fault: exception
"""

import os
import signal

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        os.kill(os.getpid(), signal.SIGKILL)
        return turn.holds[0].bank()

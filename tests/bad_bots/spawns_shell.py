"""Runs a command.

Fault: exception
"""

import subprocess

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        subprocess.run(["sh", "-c", "true"], check=True)
        return turn.holds[0].bank()

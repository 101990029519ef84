"""Looks for secrets among the variables of the environment.

Fault: none
"""

import os

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        secret = [name for name in os.environ if "KEY" in name or "ARENA" in name or name == "USER"]
        if secret:
            raise RuntimeError(f"ESCAPED: {secret}")
        return turn.holds[0].bank()

"""Reads what /proc tells of the process that asks it.

Fault: exception
"""

import os

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        with open(f"/proc/{os.getppid()}/environ", "rb") as file:
            raise RuntimeError(f"ESCAPED {len(file.read())}")

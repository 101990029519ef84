"""Leaves a file behind.

Fault: exception
"""

from pathlib import Path

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        Path(__file__).with_name("left_behind.txt").write_text("x")
        return turn.holds[0].bank()

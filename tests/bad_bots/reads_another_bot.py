"""Reads the file of another bot.

Fault: exception
"""

from pathlib import Path

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        Path(__file__).with_name("raises.py").read_text()
        return turn.holds[0].bank()

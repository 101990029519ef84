"""Imports the file of another bot.

Fault: any
"""

import importlib

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        importlib.import_module("returns_none")
        return turn.holds[0].bank()

"""Wants to roll again where that is not possible.

Fault: illegal decision
"""

from arena.rules import REROLL

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        return REROLL

"""Decides by how often it was asked before.

Fault: unrepeatable
"""

from arena import Bot, Decision, Turn


class Bad(Bot):
    asked = 0

    def decide(self, turn: Turn) -> Decision:
        Bad.asked += 1
        hold = turn.holds[0]
        return hold.bank() if Bad.asked % 3 else hold.roll()

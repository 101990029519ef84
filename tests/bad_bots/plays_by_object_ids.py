"""Decides by where things lie in memory.

Fault: unrepeatable or none
"""

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        hold = turn.holds[0]
        return hold.bank() if id(turn) // 64 % 3 else hold.roll()

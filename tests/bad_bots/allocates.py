"""Wants more memory than there is.

Fault: memory
"""

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        self.space = bytearray(10**11)
        return turn.holds[0].bank()

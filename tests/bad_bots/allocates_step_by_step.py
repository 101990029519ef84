"""Fills the memory step by step.

Fault: memory
"""

from arena import Bot, Decision, Turn

kept = []


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        while True:
            kept.append(bytearray(10**7))

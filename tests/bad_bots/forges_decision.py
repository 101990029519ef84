"""Makes a decision with a code that does not exist.

Fault: illegal decision
"""

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        return Decision("bank", turn.holds[0], 10**6)

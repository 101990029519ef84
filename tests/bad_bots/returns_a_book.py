"""Returns a very long text.

Fault: wrong type
"""

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        return "bank" * 10_000_000

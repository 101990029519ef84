"""Returns an object that cannot be shown.

Fault: wrong type
"""

from arena import Bot, Decision, Turn


class Odd:
    def __repr__(self):
        raise ValueError("no text")


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        return Odd()

"""Returns an object whose comparison raises.

Fault: wrong type
"""

from arena import Bot, Decision, Turn


class Odd:
    def __eq__(self, other):
        raise ValueError("not to be compared")

    def __hash__(self):
        raise ValueError("not to be hashed")

    def __bool__(self):
        raise ValueError("neither")


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        return Odd()

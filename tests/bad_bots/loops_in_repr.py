"""Returns an object that never finishes telling what it is.

Fault: time-out
"""

from arena import Bot, Decision, Turn


class Endless:
    def __repr__(self):
        while True:
            pass


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        return Endless()

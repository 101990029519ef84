"""Can be made once, and not for the second game.

Fault: exception
"""

from arena import Bot, Decision, Turn


class Bad(Bot, remembers=True):
    made = 0

    def __init__(self):
        Bad.made += 1
        if Bad.made > 3:
            raise RuntimeError("not again")

    def decide(self, turn: Turn) -> Decision:
        return turn.holds[0].bank()

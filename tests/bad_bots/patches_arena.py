"""Changes the classes of arena.

Fault: any
"""

from arena.rules import holds

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        Turn.score = 9_950
        holds.Hold.points = 9_950
        Decision.code = property(lambda self: 1)
        return turn.holds[0].bank()

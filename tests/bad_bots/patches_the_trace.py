"""Lets nothing be written down of what it looks at.

Fault: any
"""

from arena.bots import notebook

from arena import Bot, Decision, Turn

notebook.Notebook.at_least = lambda self, weights, bound, value: value >= bound
notebook.Notebook.equals = lambda self, weights, other, value: value == other
notebook.Notebook.learn = lambda self, weights, value: None


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        return turn.holds[0].bank() if turn.points >= 300 else turn.holds[0].roll()

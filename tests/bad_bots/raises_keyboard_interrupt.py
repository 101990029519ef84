"""Pretends that somebody pressed Ctrl-C.

Fault: exception
"""

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        raise KeyboardInterrupt

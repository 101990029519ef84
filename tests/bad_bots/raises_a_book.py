"""Raises an exception with a very long text and codes that a terminal obeys.

Fault: exception
"""

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        raise ValueError("\x1b[2J" + "x" * 10_000_000)

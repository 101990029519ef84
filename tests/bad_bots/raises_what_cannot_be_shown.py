"""Raises an exception whose text raises.

Fault: exception
"""

from arena import Bot, Decision, Turn


class Odd(Exception):
    def __str__(self):
        raise ValueError("no text")


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        raise Odd

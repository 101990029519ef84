"""Reads the names of all users.

Fault: exception
"""

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        open("/etc/passwd").read()
        return turn.holds[0].bank()

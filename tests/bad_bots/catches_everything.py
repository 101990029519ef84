"""Catches whatever is raised to stop it, and goes on.

Fault: time-out
"""

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass

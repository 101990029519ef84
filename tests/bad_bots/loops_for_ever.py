"""Never comes to an end.

Fault: time-out
"""

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        while True:
            pass

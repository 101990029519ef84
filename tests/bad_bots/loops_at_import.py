"""Never comes to an end while it is imported.

Fault: time-out
"""

from arena import Bot, Decision, Turn

while True:
    pass


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        return turn.holds[0].bank()

"""Prints without end while it is imported.

Fault: flood of output
"""

from arena import Bot, Decision, Turn

while True:
    print("I am still here")


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        return turn.holds[0].bank()

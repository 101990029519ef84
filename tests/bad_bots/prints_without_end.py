"""Prints without end.

Fault: flood of output
"""

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        while True:
            print("I am still here")

"""Fills the folder for temporary files.

Fault: exception
"""

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        for number in range(1000):
            with open(f"/tmp/arena-bad-bot-{number}", "wb") as file:
                file.write(bytes(10**6))
        return turn.holds[0].bank()

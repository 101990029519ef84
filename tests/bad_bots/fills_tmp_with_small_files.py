"""Fills the folder for temporary files with many small ones, past the limit on a single one.

Fault: exception or memory or none
Fault under limits: exception
"""

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        for number in range(300):
            with open(f"/tmp/arena-bad-bot-{number}", "wb") as file:
                file.write(bytes(1 << 16))
        return turn.holds[0].bank()

"""Makes a link to what it may not read, in a folder where it may write, and reads that.

Fault: exception
"""

import os

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        link = f"/tmp/arena-bad-bot-link-{turn.score}-{turn.points}"
        os.symlink("/etc/shadow", link)
        with open(link, "rb") as file:
            raise RuntimeError(f"ESCAPED {file.read(9)!r}")

"""Looks for the seed wherever the command line may be seen.

Fault: none
"""

import os
import sys

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        seen = " ".join(sys.argv) + " ".join(os.environ)
        try:
            seen += open(f"/proc/{os.getppid()}/cmdline").read()
        except OSError:
            pass
        if "--seed" in seen:
            raise RuntimeError("ESCAPED: the seed was seen")
        return turn.holds[0].bank()

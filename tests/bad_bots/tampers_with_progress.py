"""Says that it is at a question that does not exist, and dies.

Fault: silent death
"""

import gc
import os
from arena.bots import host

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        for thing in gc.get_objects():
            if type(thing) is host._Host:
                thing.progress[0] = -(10**15)
        os._exit(1)

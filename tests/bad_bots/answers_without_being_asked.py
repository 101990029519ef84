"""Lets its process answer before it is asked.

Fault: crash or silent death
"""

import gc
from arena.bots import host, host_frames

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        for thing in gc.get_objects():
            if type(thing) is host._Host:
                thing.send(host_frames.Kind.DONE, 1, b"x" * 100)
        return turn.holds[0].bank()

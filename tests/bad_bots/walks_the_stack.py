"""Looks for the dice in every frame and every object of its process.

Fault: none
"""

import gc
import sys

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        frame = sys._getframe()
        while frame:
            if any("dice_key" in name or "match_key" == name for name in frame.f_locals):
                raise RuntimeError("ESCAPED: the key of the dice was found")
            frame = frame.f_back
        for thing in gc.get_objects():
            if type(thing).__name__ in ("AddressedDice", "Match", "Chunk", "ChunkTask"):
                raise RuntimeError("ESCAPED: the dice were found")
        return turn.holds[0].bank()

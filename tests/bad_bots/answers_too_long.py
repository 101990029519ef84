"""Lets its process announce an answer of many gigabytes.

Fault: crash
"""

from arena.bots import host_frames

from arena import Bot, Decision, Turn

honest = host_frames.header
host_frames.header = lambda kind, serial, size: honest(kind, serial, 1 << 50)


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        return turn.holds[0].bank()

"""Lets its process tell its faults as a text nested a hundred thousand deep.

Fault: crash
"""

from arena.bots import host, host_frames

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        host_frames.to_json = lambda document: b"[" * 100_000 + b"]" * 100_000
        return turn.holds[0].bank()

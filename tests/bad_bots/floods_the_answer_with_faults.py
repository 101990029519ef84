"""Lets its process tell the longest text that is allowed, at every answer.

Fault: crash or none
"""

from arena.bots import host_frames

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        before = host_frames.to_json

        def longest(document: object) -> bytes:
            if isinstance(document, dict) and "faults" in document:
                row = [-1, "unrepeatable", "x" * 1000, "y" * 1000, "\x1b[2J"]
                document = {**document, "faults": [row] * 1000}
            return before(document)

        if host_frames.to_json.__name__ != "longest":
            host_frames.to_json = longest
        return turn.holds[0].bank()

"""Lets its process tell numbers that no machine word holds, and text that is no text.

Fault: crash
"""

from arena.bots import host_frames

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        huge = b"9" * 5_000
        host_frames.to_json = lambda document: (
            b'{"repeatable": true, "in_batches": false, "mismatches": ' + huge + b', "faults": '
            b'[[0, "exception", "\\ud800", NaN, {"a": 1}]], "sees_dice": 1e999}'
        )
        return turn.holds[0].bank()

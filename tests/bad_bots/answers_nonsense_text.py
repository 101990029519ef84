"""Lets its process tell things that are no text.

Fault: crash
"""

from arena.bots import host_frames

from arena import Bot, Decision, Turn

honest = host_frames.answer_body
host_frames.answer_body = lambda taken, features, notices: honest(taken, features, [[[1]]])


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        return turn.holds[0].bank()

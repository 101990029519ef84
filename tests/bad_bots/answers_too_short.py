"""Lets its process answer with half of what was asked.

Fault: crash
"""

from arena.bots import host_frames

from arena import Bot, Decision, Turn

honest = host_frames.answer_body


def lie(taken, features, notices):
    taken.disbelieve()
    del taken.codes[1:], taken.repeatable[1:], taken.first[2:]
    return honest(taken, features, notices) + b"more"


host_frames.answer_body = lie


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        return turn.holds[0].bank()

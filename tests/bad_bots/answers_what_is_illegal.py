"""Lets its process answer with decisions that do not exist.

Fault: illegal decision
"""

from arena.bots import host_frames

from arena import Bot, Decision, Turn

honest = host_frames.answer_body


def lie(taken, features, notices):
    taken.disbelieve()
    taken.codes = [1_000 for _ in taken.codes]
    return honest(taken, features, notices)


host_frames.answer_body = lie


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        return turn.holds[0].bank()

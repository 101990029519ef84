"""Says that it looked at something else.

Fault: crash
"""

import types
from arena.bots import host_frames

from arena import Bot, Decision, Turn

honest = host_frames.answer_body


def lie(taken, features, notices):
    taken.low = [12_345 for _ in taken.low]
    taken.high = [12_345 for _ in taken.high]
    return honest(taken, features, notices)


host_frames.answer_body = lie


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        return turn.holds[0].bank() if turn.points >= 300 else turn.holds[0].roll()

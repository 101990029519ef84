"""Lets a signal interrupt whoever asks it.

Fault: any
"""

import signal

from arena import Bot, Decision, Turn


def ring(number, frame):
    raise RuntimeError("ring")


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        return turn.holds[0].bank()

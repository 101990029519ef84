"""Raises in the middle of arena's own code, wherever that is, by the alarm of the system.

Fault: any
"""

import signal

from arena import Bot, Decision, Turn


def now(number: int, frame: object) -> None:
    raise KeyboardInterrupt("now")


signal.signal(signal.SIGALRM, now)
signal.setitimer(signal.ITIMER_REAL, 0.02, 0.001)


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        return turn.holds[0].bank()

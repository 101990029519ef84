"""Computes on while it is not asked.

Fault: exception
"""

import threading

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        threading.Thread(target=print).start()
        return turn.holds[0].bank()

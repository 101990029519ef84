"""Leaves a thread behind when it is imported.

Fault: load error
"""

import threading

from arena import Bot, Decision, Turn

threading.Thread(target=print, daemon=True).start()


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        return turn.holds[0].bank()

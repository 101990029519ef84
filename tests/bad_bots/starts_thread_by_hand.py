"""Starts a thread past the module that is meant for it.

Fault: exception
"""

import _thread

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        _thread.start_new_thread(print, ())
        return turn.holds[0].bank()

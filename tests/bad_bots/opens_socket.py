"""Calls home.

Fault: exception
"""

import socket

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        socket.create_connection(("192.0.2.1", 80), timeout=0.1)
        return turn.holds[0].bank()

"""Wants helpers.

Fault: exception
"""

from concurrent.futures import ProcessPoolExecutor

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        with ProcessPoolExecutor() as pool:
            pool.submit(len, "x").result()
        return turn.holds[0].bank()

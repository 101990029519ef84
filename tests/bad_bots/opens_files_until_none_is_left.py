"""Opens its own file until no more can be opened, and leaves them open.

Fault: exception or crash or none
"""

from arena import Bot, Decision, Turn

KEPT: list[object] = []


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        try:
            while True:
                KEPT.append(open(__file__, "rb"))  # noqa: SIM115
        except OSError:
            pass
        return turn.holds[0].bank()

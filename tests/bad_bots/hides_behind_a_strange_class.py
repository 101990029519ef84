"""Is made by a class whose every attribute raises or lies.

Fault: exception or load error
"""

from arena import Bot, Decision, Turn


class Bad(Bot):
    def __getattribute__(self, name: str) -> object:
        if name in ("decide", "remembers", "__class__", "name"):
            raise SystemExit(f"no {name} here")
        return super().__getattribute__(name)

    def decide(self, turn: Turn) -> Decision:
        return turn.holds[0].bank()

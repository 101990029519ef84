"""Returns the hold of an earlier turn.

Fault: illegal decision
"""

from arena import Bot, Decision, Turn

kept = []


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        kept.append(turn.holds[0])
        return kept[0].bank()

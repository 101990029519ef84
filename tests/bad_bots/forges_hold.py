"""Makes a hold that is worth a million.

Fault: illegal decision
"""

from arena import Hold

from arena import Bot, Decision, Turn


class Bad(Bot):
    def decide(self, turn: Turn) -> Decision:
        hold = Hold(dice=turn.dice, points=1_000_000, dice_left=0, hot=True, index=0)
        return hold.bank()

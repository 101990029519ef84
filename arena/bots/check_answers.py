"""What a bot was asked in a check and answered, and what can be seen in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.bots.check_habits import Habit
from arena.bots.check_positions import Situation
from arena.bots.positions import question_of
from arena.game import Questions
from arena.rules import Ruleset

MANY_WASTED: Final = 0.2
"""Share of banks that write nothing from which on a bot is warned of."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Answered:
    """What was asked and answered: positions of one ruleset and number of players.

    Attributes:
        codes: of the decisions, int64[N], one for each of the N situations.
    """

    ruleset: Ruleset
    seats: int
    situations: Sequence[Situation]
    codes: NDArray[np.int64]


def batch_of(situations: Sequence[Situation]) -> Questions:
    """Positions as one batch; to a bot that remembers each is a game of its own."""
    each = [question_of(situation.turn, slot=i) for i, situation in enumerate(situations)]
    return Questions(
        rolls=np.concatenate([one.rolls for one in each]),
        features=np.concatenate([one.features for one in each]),
        rng_seeds=np.concatenate([one.rng_seeds for one in each]),
        slots=np.concatenate([one.slots for one in each]),
        fresh=np.concatenate([one.fresh for one in each]),
    )


def wasted_banks(answered: Iterable[Answered]) -> tuple[Habit, ...]:
    """Warns of a bot that often ends its turn below the minimum though it may roll on."""
    banks = wasted = 0
    for each in answered:
        for situation, code in zip(each.situations, each.codes.tolist(), strict=True):
            turn = situation.turn
            if code % 2 or code >= 2 * len(turn.holds):
                continue  # it rolls on, or rolls all dice again
            hold = turn.holds[code // 2]
            banks += 1
            wasted += turn.can_roll(hold) and not turn.can_bank(hold)
    if wasted <= MANY_WASTED * banks:
        return ()
    advice = (
        f"{wasted} of its {banks} banks were worth nothing: the turn was below the minimum "
        "of the rules, and it could have rolled on; ask turn.can_bank(hold) before you bank"
    )
    return (Habit(line=0, source="", advice=advice),)

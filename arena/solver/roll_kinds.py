"""Rolls that offer the same, taken together as one kind.

Most bots decide by what each hold is worth and leaves, not by its faces. For them, and for best
play, rolls of equally many dice with the same holds are one roll that comes up more often.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.rules import RuleTables
from arena.solver.turn_walk import WalkRules, walk_rules


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RollKinds:
    """The rolls of a ruleset by kind. K kinds, R rolls.

    Attributes:
        some: int64[K], one roll of each kind, fewest dice first.
        of: int64[R], the kind of each roll.
        walk: what a walk needs of the ruleset, each kind being one roll.
    """

    some: NDArray[np.int64]
    of: NDArray[np.int64]
    walk: WalkRules

    @property
    def merged(self) -> bool:
        """Whether any two rolls are taken together."""
        return len(self.some) < len(self.of)


def roll_kinds(tables: RuleTables, *, merged: bool) -> RollKinds:
    """The kinds of rolls of a ruleset; if not merged, every roll is a kind of its own."""
    rolls = tables.rolls
    walk = walk_rules(tables)
    if not merged:
        every = np.arange(len(rolls))
        return RollKinds(some=every, of=every, walk=walk)
    numbers: dict[object, int] = {}
    some: list[int] = []
    kinds: list[int] = []
    for roll in rolls:
        holds = tuple((hold.points, hold.dice_left, hold.hot) for hold in roll.holds)
        key = len(roll.dice), roll.instant_win, roll.goes_on, holds
        kinds.append(numbers.setdefault(key, len(numbers)))
        if len(some) < len(numbers):
            some.append(roll.id)
    holds_of = [np.arange(tables.hold_first[roll], tables.hold_first[roll + 1]) for roll in some]
    hold = np.concatenate(holds_of)
    return RollKinds(
        some=np.array(some),
        of=np.array(kinds),
        walk=walk._replace(
            roll_first=np.searchsorted(tables.roll_dice[some], np.arange(walk.dice + 2)).astype(
                np.int64
            ),
            prob=np.bincount(kinds, weights=walk.prob).astype(np.float64),
            instant_win=walk.instant_win[some],
            goes_on=walk.goes_on[some],
            hold_first=np.cumsum([0, *map(len, holds_of)], dtype=np.int64),
            hold_units=walk.hold_units[hold],
            hold_left=walk.hold_left[hold],
            hold_hot=walk.hold_hot[hold],
        ),
    )

"""All that decides about a turn besides its dice, as one number.

An ordinary turn is decided by the player's own sheet, by what it can see of the other's (the score;
not how many busts in a row lie before it), and by round and seat where rounds are limited. A last
turn is decided by the units it needs to equal the leader, and whether the player is open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.game import Feature
from arena.solver.sheets import Sheets

Indices = NDArray[np.int64]


class OrdinaryTurns(NamedTuple):
    """Ordinary turns, apart: int64[N] each.

    Attributes:
        half: 2 * (round - 1) + seat - 1 where rounds are limited; else 0.
        own: the player's sheet.
        other: the other's sheet as the player sees it.
    """

    half: Indices
    own: Indices
    other: Indices


class LastTurns(NamedTuple):
    """Last turns, apart: int64[N] each.

    Attributes:
        closed: 1 if the player is not open, where that is told apart.
        need: units to equal the leader.
    """

    closed: Indices
    need: Indices


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Situations:
    """The situations of a ruleset by number: ordinary turns first, then last turns.

    Attributes:
        sheets: of the ruleset.
        needs: how many units of need differ; more count as the most.
    """

    sheets: Sheets
    needs: int

    @property
    def halves(self) -> int:
        """How many pairs of round and seat differ."""
        return max(1, 2 * self.sheets.graph.rules.rounds)

    @property
    def ordinary(self) -> int:
        """How many ordinary turns there are."""
        return self.halves * len(self.sheets) * self.sheets.scores

    def __len__(self) -> int:
        return self.ordinary + 2 * self.needs

    def numbers(self, features: Indices) -> Indices:
        """int64[N]: the situations of positions between two.

        Args:
            features: int64[N, F], columns as in `Feature`.
        """
        sheets = self.sheets
        unit, target = sheets.graph.unit, sheets.target
        limited = bool(sheets.graph.rules.rounds)
        score = features[:, Feature.SCORE] // unit
        against = features[:, Feature.OPPONENT] // unit
        closed = (features[:, Feature.OPEN] == 0) & self._opens
        own = sheets.indices(np.minimum(score, target - 1), closed, features[:, Feature.BUSTS])
        seen = np.minimum(against, target - 1) - sheets.lowest
        found = own * sheets.scores + seen
        if limited:
            half = 2 * features[:, Feature.ROUND] + features[:, Feature.SEAT] - 3
            found += half * (len(sheets) * sheets.scores)
        last = features[:, Feature.LAST_ROUND] == 1
        if last.any():
            need = np.clip(against - score, 0, self.needs - 1)
            found[last] = (self.ordinary + closed * self.needs + need)[last]
        return np.asarray(found)

    def ordinary_turns(self, numbers: Indices) -> OrdinaryTurns:
        """What stands behind the numbers of ordinary turns."""
        sheets = self.sheets
        rest, seen = np.divmod(numbers, sheets.scores)
        half, own = np.divmod(rest, len(sheets))
        score = seen + sheets.lowest
        # What else is on the other's sheet is not seen.
        other = sheets.indices(score, (score <= 0) & self._opens, np.zeros_like(score))
        return OrdinaryTurns(half, own, other)

    def last_turns(self, numbers: Indices) -> LastTurns:
        """What stands behind the numbers of last turns."""
        return LastTurns(*np.divmod(numbers - self.ordinary, self.needs))

    @property
    def _opens(self) -> bool:
        """Whether it matters who is open."""
        return bool(self.sheets.arrays.closed.any())

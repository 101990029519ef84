"""Pairs of sheets in the order in which they are solved: by the sum of their scores."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.solver.sheets import Sheets

STEEPNESS: Final = 0.2
"""A lead of this share of the target is guessed to win e times as often as it loses."""


class Levels:
    """The levels of a ruleset.

    Attributes:
        totals: sums of scores in units, from the highest.
        above: int64[I], the sheet with one unit more; the sheet itself just below the target.
    """

    def __init__(self, sheets: Sheets) -> None:
        self._sheets = sheets
        score = sheets.arrays.score
        self._by_score = {
            int(at): np.flatnonzero(score == at) for at in range(sheets.lowest, sheets.target)
        }
        self.totals = range(2 * (sheets.target - 1), 2 * sheets.lowest - 1, -1)
        higher = np.minimum(score + 1, sheets.target - 1)
        closed = (sheets.arrays.closed == 1) & (higher <= 0)
        self.above = sheets.indices(higher, closed, sheets.arrays.busts)

    def guess(self) -> NDArray[np.float64]:
        """float64[I, I]: values to begin with."""
        score = self._sheets.arrays.score
        lead = (score[:, None] - score[None, :]) / (STEEPNESS * self._sheets.target)
        return np.asarray(1.0 / (1.0 + np.exp(-lead)))

    def pairs(self, total: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """All pairs of sheets of one sum of scores, neighbours with similar scores."""
        sheets = self._sheets
        low = max(sheets.lowest, total - (sheets.target - 1))
        high = min(sheets.target - 1, total - sheets.lowest)
        own, other = [], []
        for score in range(low, high + 1):
            mine, theirs = self._by_score[score], self._by_score[total - score]
            own.append(np.repeat(mine, len(theirs)))
            other.append(np.tile(theirs, len(mine)))
        return np.concatenate(own), np.concatenate(other)

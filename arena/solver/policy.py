"""Perfect play written down: what to do in every situation, with every roll, after all points.

`perfect` would have to solve a turn at each decision, which takes milliseconds. So `arena solve`
also writes down the decisions (`policy_making`), and thousands of positions are looked up at once.

A *column* holds the decisions for one roll from one spot by turn points: codes, and the points from
which on each of them holds. Rolls that offer the same share it. There are a few hundred columns for
each situation, most of them equal to those of neighbours, so they are kept once and numbered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.solver.situations import Situations

MOST_CELLS: Final = 64 << 20
"""Columns of all situations together, of 4 bytes each; a larger policy is not written down."""

MOST_CHANGES: Final = 64 << 20
"""Changes in all distinct columns together, of 3 bytes each."""

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Policy:
    """The decisions of perfect play. N situations, C columns for each, U of them distinct.

    Attributes:
        column: int16[max_rolls + 1, R], column of each roll, by the number of the roll in its turn
            where rolls count, and 0 where they do not; -1 where there is nothing to decide.
        index: uint32[N, C], distinct columns.
        first: uint32[U + 1], changes of distinct column u are `first[u]` to the next less one.
        points: uint16[changes], units from which on a code holds; 0 for the first.
        codes: uint8[changes], decision codes.
    """

    column: NDArray[np.int16]
    index: NDArray[np.uint32]
    first: NDArray[np.uint32]
    points: NDArray[np.uint16]
    codes: NDArray[np.uint8]

    @property
    def nbytes(self) -> int:
        """Memory that it takes."""
        arrays = (self.column, self.index, self.first, self.points, self.codes)
        return sum(array.nbytes for array in arrays)

    def decide(
        self, situations: Indices, rolls: Indices, counted: Indices, units: Indices
    ) -> Indices:
        """int64[N]: decision codes at N positions.

        Args:
            situations: int64[N], numbers of `Situations`.
            rolls: int64[N], ids of rolls that score.
            counted: int64[N], numbers of the rolls in their turns where `max_rolls` counts; else 0.
            units: int64[N], turn points in units.
        """
        distinct = self.index[situations, self.column[counted, rolls]]
        at = self.first[distinct].astype(np.int64)
        left = self.first[distinct + 1] - at
        # All at once: in which of the changes left do the units lie? Half of them go each time.
        for _ in range(int(left.max(initial=1) - 1).bit_length()):
            half = left >> 1
            at += half * (self.points[at + half] <= units)
            left -= half
        return self.codes[at].astype(np.int64)


def fits(situations: Situations, columns: int) -> bool:
    """Whether the policy of a ruleset is small enough to be written down."""
    return len(situations) * columns <= MOST_CELLS

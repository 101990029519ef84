"""Which ratings the games determine: groups, strong components, seat term.

A rating difference is finite only between bots that are joined by chains of points in both
directions (Ford 1957): the strong components of the graph "i took points from j".
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

import numpy as np
from scipy.sparse.csgraph import connected_components

from arena.stats.arrays import Bools, Ints, sums_by
from arena.stats.results import Rows, scored_against


class Bound(enum.Enum):
    """Whether the games bound a bot's rating relative to the reference group."""

    FINITE = "finite"
    ABOVE = "above all measure"
    BELOW = "below all measure"
    UNCONNECTED = "not connected"


class SeatStatus(enum.Enum):
    """Whether the games determine the seat term."""

    FINITE = "finite"
    UNBOUNDED = "unbounded"
    CONFOUNDED = "not separable from the ratings"
    OMITTED = "omitted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """What the graph of games determines.

    `groups` int64[n] numbers the weakly connected groups; `reference` bool[n] marks the largest
    strong component; `bounds` says for each bot how its rating stands to the reference.
    """

    groups: Ints
    reference: Bools
    bounds: tuple[Bound, ...]

    @property
    def connected(self) -> bool:
        """Whether every bot is joined to every other by games."""
        return bool(self.groups.max(initial=0) == 0)

    @property
    def finite(self) -> bool:
        """Whether every rating is bounded by the games."""
        return bool(self.reference.sum() > 1) and all(b is Bound.FINITE for b in self.bounds)


def connection_of(rows: Rows, bots: int) -> Connection:
    """Return what the rows determine about `bots` bots."""
    took = scored_against(rows, bots)
    _, groups = connected_components(took, directed=True, connection="weak")
    _, strong = connected_components(took, directed=True, connection="strong")
    played = sums_by(rows.first, rows.played, bots) + sums_by(rows.second, rows.played, bots)
    sizes = np.bincount(strong) + 0.5 * np.bincount(strong, played) / max(played.sum(), 1.0)
    reference = strong == int(np.argmax(sizes))
    if reference.sum() == 1:  # nobody is bounded: then only wins or only losses are told apart
        above, below = np.asarray(took.any(1)), np.asarray(took.any(0))
    else:
        above, below = _reaching(took, reference), _reaching(took.T, reference)
    bounds = tuple(_bound(bool(up), bool(down)) for up, down in zip(above, below, strict=True))
    return Connection(groups=groups.astype(np.int64), reference=reference, bounds=bounds)


def _reaching(took: Bools, targets: Bools) -> Bools:
    """Bots from which some target is reached along `took` (they took points down to it)."""
    seen = targets.copy()
    while True:
        grown = seen | (took & seen[None, :]).any(1)
        if np.array_equal(grown, seen):
            return seen
        seen = grown


def _bound(reaches: bool, reached: bool) -> Bound:
    if reaches and reached:
        return Bound.FINITE
    if reaches:
        return Bound.ABOVE
    return Bound.BELOW if reached else Bound.UNCONNECTED


def seat_status(rows: Rows, bots: int) -> SeatStatus:
    """Return whether a seat term can be told from the ratings and stays finite."""
    used = rows.played > 0
    if not used.any() or _confounded(rows.first[used], rows.second[used], bots):
        return SeatStatus.CONFOUNDED
    lost = rows.counts[:, :2].sum(1) > 0
    won = rows.counts[:, 1:].sum(1) > 0
    if _free_direction(rows, won, lost, bots, 1.0) or _free_direction(rows, won, lost, bots, -1.0):
        return SeatStatus.UNBOUNDED
    return SeatStatus.FINITE


def _confounded(first: Ints, second: Ints, bots: int) -> bool:
    """Whether ratings exist whose difference is 1 in every row, just like a seat term."""
    weight = np.zeros((bots, bots))
    np.add.at(weight, (first, second), 1.0)
    both = weight + weight.T
    laplacian = np.diag(both.sum(1)) - both
    force = weight.sum(1) - weight.sum(0)
    potential = np.linalg.lstsq(laplacian, force, rcond=None)[0]
    return bool(len(first) - force @ potential < 1e-8 * len(first))


def _free_direction(rows: Rows, won: Bools, lost: Bools, bots: int, seat: float) -> bool:
    """Whether ratings v exist so that moving along (v, seat) for ever never lowers the likelihood.

    It needs v_i - v_j + seat >= 0 where i won from j moving first, <= 0 where it lost: a system of
    difference constraints, solvable unless the graph of constraints has a negative cycle
    (Bellman 1958; Ford 1956).
    """
    mixed = np.zeros((bots, bots), dtype=np.bool_)
    mixed[rows.first[won & lost], rows.second[won & lost]] = True
    if (mixed & mixed.T).any():
        return False
    cost = np.full((bots, bots), np.inf)
    np.minimum.at(cost, (rows.first[won], rows.second[won]), seat)
    np.minimum.at(cost, (rows.second[lost], rows.first[lost]), -seat)
    potential = np.zeros(bots)
    for _ in range(bots):
        lower = np.minimum(potential, (potential[:, None] + cost).min(0))
        if np.array_equal(lower, potential):
            return True
        potential = lower
    return False

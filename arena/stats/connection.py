"""Which ratings the games determine: groups, strong components, seat term.

A rating difference is finite only between bots that are joined by chains of points in both
directions (Ford 1957): the strong components of the graph "i took points from j".
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

import numpy as np

from arena.stats.arrays import Bools, Floats, Ints
from arena.stats.results import Rows


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
    def unbounded(self) -> Bools:
        """Bots whose rating the games do not bound, bool[n]."""
        return np.array([bound is not Bound.FINITE for bound in self.bounds], dtype=np.bool_)

    @property
    def finite(self) -> bool:
        """Whether every rating is bounded by the games."""
        return bool(self.reference.sum() > 1) and not self.unbounded.any()


def connection_of(took: Bools, played: Floats) -> Connection:
    """Return what the games determine.

    `took` bool[n,n]: cell [i,j] says whether i took at least part of a point in a game with j;
    `played` float64[n] games of each bot, which settle which of two equal components is taken.
    """
    from scipy.sparse.csgraph import connected_components  # takes long to import

    _, groups = connected_components(took, directed=True, connection="weak")
    _, strong = connected_components(took, directed=True, connection="strong")
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


def virtual_games(connection: Connection) -> Floats:
    """Return float64[k,n]: linear forms of the ratings, one for each virtual drawn game.

    Each bot that the games do not bound plays one against the mean of the reference group; where
    nobody is bounded, all play one against the mean of all.
    """
    n = len(connection.reference)
    if connection.finite:
        return np.zeros((0, n))
    alone = connection.reference.sum() == 1
    opponent = np.full(n, 1.0 / n) if alone else connection.reference / connection.reference.sum()
    forms: Floats = np.eye(n)[connection.unbounded | alone] - opponent
    return forms


def connection_warnings(connection: Connection) -> tuple[str, ...]:
    """Return what a reader of the ratings must know about the graph of games, as sentences."""
    found = []
    if not connection.connected:
        groups = int(connection.groups.max()) + 1
        found.append(
            f"the games fall into {groups} groups that never met; ratings compare only within one"
        )
    unbounded = sum(bound in (Bound.ABOVE, Bound.BELOW) for bound in connection.bounds)
    if unbounded:
        found.append(
            f"{unbounded} bots won or lost everything against the others; "
            "their ratings have no bound and are kept finite by one virtual draw"
        )
    return tuple(found)


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

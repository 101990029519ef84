"""The games of many two-bot matches as arrays: the input of every rating.

A row is an ordered pair of bots (first moves first).  Two rows may belong to one another as the
two rotations of a match on the same dice; then a 3x3 table of blocks says how their results met.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from arena.stats.arrays import Bools, Floats, Ints, bot_pairs, counts, sums_by
from arena.stats.errors import StatsError


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """Games of `bots` bots, numbered from 0.

    `first`, `second` int64[m] and `tables` int64[m,3,3]: matches in blocks of two games, see
    `arena.stats.pairs.pentanomial`; `first` is the bot in seat 1 of the first game.
    `lone_first`, `lone_second` int64[k] and `lone` int64[k,3] (losses, draws, wins of the bot that
    moves first): games that are independent of each other.  Raises StatsError where an index is
    out of range, a bot meets itself, or a count is negative or fractional.
    """

    bots: int
    first: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    second: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    tables: Ints = field(default_factory=lambda: np.zeros((0, 3, 3), np.int64))
    lone_first: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    lone_second: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    lone: Ints = field(default_factory=lambda: np.zeros((0, 3), np.int64))

    def __post_init__(self) -> None:
        if self.bots < 2:
            raise StatsError(f"ratings compare bots: at least 2 are needed, not {self.bots}")
        first, second = bot_pairs(self.first, self.second, bots=self.bots)
        lone_first, lone_second = bot_pairs(self.lone_first, self.lone_second, bots=self.bots)
        tables = counts(self.tables, name="pair tables", shape=(None, 3, 3))
        lone = counts(self.lone, name="losses, draws, wins", shape=(None, 3))
        if len(tables) != len(first) or len(lone) != len(lone_first):
            raise StatsError("each pair of bots needs exactly one table of counts")
        checked = (first, second, tables, lone_first, lone_second, lone)
        names = ("first", "second", "tables", "lone_first", "lone_second", "lone")
        for name, array in zip(names, checked, strict=True):
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    def __add__(self, other: Results) -> Results:
        """Return both sets of games together; the numbering of the bots must be the same."""
        if self.bots != other.bots:
            raise StatsError(f"{self.bots} and {other.bots} bots cannot be added")
        return Results(
            bots=self.bots,
            first=np.concatenate([self.first, other.first]),
            second=np.concatenate([self.second, other.second]),
            tables=np.concatenate([self.tables, other.tables]),
            lone_first=np.concatenate([self.lone_first, other.lone_first]),
            lone_second=np.concatenate([self.lone_second, other.lone_second]),
            lone=np.concatenate([self.lone, other.lone]),
        )

    @property
    def games(self) -> Ints:
        """Games played by each bot, int64[bots]."""
        rows = rows_of(self)
        played = rows.counts.sum(1)
        both = sums_by(rows.first, played, self.bots) + sums_by(rows.second, played, self.bots)
        return both.astype(np.int64)


def results_from_matches(
    *, bots: int, first: ArrayLike, second: ArrayLike, tables: ArrayLike
) -> Results:
    """Return the Results of matches in blocks: int[m], int[m], int[m,3,3]."""
    one, two = bot_pairs(first, second, bots=bots)
    cells = counts(tables, name="pair tables", shape=(None, 3, 3))
    return Results(bots=bots, first=one, second=two, tables=cells)


def results_from_crosstable(
    *,
    bots: int,
    first: ArrayLike,
    second: ArrayLike,
    wins: ArrayLike,
    draws: ArrayLike,
    losses: ArrayLike,
) -> Results:
    """Return the Results of independent games: five arrays int[k], from the first bot's view.

    Rows of the same ordered pair are added together.
    """
    one, two = bot_pairs(first, second, bots=bots)
    columns = [
        counts(column, name=name, shape=(None,))
        for name, column in (("losses", losses), ("draws", draws), ("wins", wins))
    ]
    if any(len(column) != len(one) for column in columns):
        raise StatsError("first, second, wins, draws and losses must have equal length")
    pair, row = np.unique(one * bots + two, return_inverse=True)
    table = np.stack([np.bincount(row, c, len(pair)) for c in columns], axis=1)
    return Results(
        bots=bots, lone_first=pair // bots, lone_second=pair % bots, lone=table.astype(np.int64)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Ordered pairs `first`, `second` int64[r] with `counts` int64[r,3] (losses, draws, wins).

    The first m rows are the matches in blocks with their first bot in seat 1, the next m rows the
    same matches with the seats changed, the rest the independent games.
    """

    first: Ints
    second: Ints
    counts: Ints

    @property
    def played(self) -> Floats:
        """Games of each row, float64[r]."""
        games: Floats = self.counts.sum(1).astype(np.float64)
        return games

    @property
    def points(self) -> Floats:
        """Points of the first bot of each row, float64[r]."""
        points: Floats = self.counts @ np.array([0.0, 0.5, 1.0])
        return points


def rows_of(results: Results) -> Rows:
    """Return all games as ordered pairs, without regard to blocks."""
    away = results.tables.sum(1)[:, ::-1]
    return Rows(
        first=np.concatenate([results.first, results.second, results.lone_first]),
        second=np.concatenate([results.second, results.first, results.lone_second]),
        counts=np.concatenate([results.tables.sum(2), away, results.lone]),
    )


def scored_against(rows: Rows, bots: int) -> Bools:
    """Return bool[bots,bots]: cell [i,j] says whether i took at least half a point from j."""
    some = np.zeros((bots, bots), dtype=np.bool_)
    np.logical_or.at(some, (rows.first, rows.second), rows.counts[:, 1:].sum(1) > 0)
    np.logical_or.at(some, (rows.second, rows.first), rows.counts[:, :2].sum(1) > 0)
    return some

"""Ranks with their uncertainty: what the games tell apart, and intervals that agree with it.

One comparison decides what is said about two bots: `surely_stronger`, the 95 % interval of their
difference.  Verdicts quote it, and rank intervals keep to it.  A bot that is surely stronger than
all others has rank 1 and no other; two bots that are not told apart have ranks in common.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from arena.stats.arrays import Bools, Floats, Ints, level
from arena.stats.errors import StatsError
from arena.stats.tails import normal_below, student_upper

DRAWS = 4000

SLACK = 0.4
"""A rank interval may miss by this much more than the stated error, which its whole steps repay."""


class Rated(Protocol):
    """Any ratings of n bots with covariance float64[n,n] and degrees of freedom float64[n]."""

    @property
    def ratings(self) -> Floats: ...  # noqa: D102
    @property
    def covariance(self) -> Floats: ...  # noqa: D102
    @property
    def freedom(self) -> Floats: ...  # noqa: D102


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranks:
    """Places of n bots, 1 the best.

    `place` int64[n]: one more than the number of bots that are surely stronger, so bots that
    cannot be told apart may share a place.  `low`, `high` int64[n]: interval for the true rank.
    `chance` float64[n,n]: cell [i,k] is the chance that bot i is truly of rank k+1.
    """

    place: Ints
    low: Ints
    high: Ints
    chance: Floats
    confidence: float


def ranks(rated: Rated, *, confidence: float = 0.95, seed: int = 0, draws: int = DRAWS) -> Ranks:
    """Return the ranks of the ratings.

    The interval is the shortest run of ranks that holds the true one with a chance of about
    `confidence`, over `draws` ratings drawn from the normal (for block errors: t) distribution
    around the estimate, made to agree with `surely_stronger` (see `_agreeing`).  Ranks are whole
    numbers, so the chance is mostly above; it may fall below by SLACK of the error.  Raises
    StatsError for a confidence outside (0, 1) or fewer than 100 draws.
    """
    wanted = 1.0 - (1.0 + SLACK) * (1.0 - level(confidence))
    if draws < 100:
        raise StatsError(f"at least 100 draws are needed, not {draws}")
    n = len(rated.ratings)
    order = _drawn_ranks(rated, np.random.default_rng(seed), draws)
    chance = np.stack([np.bincount(order[:, bot], minlength=n) for bot in range(n)]) / draws
    surely = surely_stronger(rated, confidence=confidence)
    low, high = _agreeing(*_shortest_runs(chance, wanted), surely)
    return Ranks(
        place=surely.sum(0) + 1,
        low=low,
        high=high,
        chance=chance,
        confidence=confidence,
    )


def superiority(rated: Rated) -> Floats:
    """Return float64[n,n]: the likelihood that bot i is stronger than bot j; 1/2 on the diagonal.

    Normal approximation, Phi((r_i - r_j) / sd(r_i - r_j)).
    """
    gap = rated.ratings[:, None] - rated.ratings[None, :]
    error = difference_errors(rated)
    sure = error > 0.0
    z = np.divide(gap, error, out=np.zeros_like(gap), where=sure)
    return np.where(sure, normal_below(z), np.where(gap > 0, 1.0, np.where(gap < 0, 0.0, 0.5)))


def difference_errors(rated: Rated) -> Floats:
    """Return float64[n,n]: the standard error of r_i - r_j in Elo."""
    variance = np.diag(rated.covariance)
    square = variance[:, None] + variance[None, :] - 2.0 * rated.covariance
    return np.sqrt(np.maximum(square, 0.0))


def surely_stronger(rated: Rated, *, confidence: float = 0.95) -> Bools:
    """Return bool[n,n]: cell [i,j] says that the interval of r_i - r_j lies above zero.

    Or that it follows, because i is surely stronger than a third bot that is surely stronger than
    j: without that, unequal degrees of freedom could break such a chain.
    """
    alpha = (1.0 - level(confidence)) / 2.0
    freedom = np.minimum(rated.freedom[:, None], rated.freedom[None, :])
    gap = rated.ratings[:, None] - rated.ratings[None, :]
    surely = np.asarray(gap > student_upper(alpha, freedom) * difference_errors(rated))
    while True:
        steps = surely.astype(np.float64)
        further = surely | (steps @ steps > 0.0)
        if np.array_equal(further, surely):
            return surely
        surely = further


def _agreeing(low: Ints, high: Ints, surely: Bools) -> tuple[Ints, Ints]:
    """Return the rank intervals, made to agree with bool[n,n] what is surely stronger than what.

    Below the bots that are surely stronger and above those surely weaker there is no rank to be
    had.  Within that, the intervals of two bots that are not told apart are widened until they
    meet.  As `surely` is a partial order this is always possible: somewhere in the ranks that it
    leaves them, two bots without order overlap.
    """
    n = len(surely)
    best, worst = 1 + surely.sum(0), n - surely.sum(1)
    low, high = np.clip(low, best, worst), np.clip(high, best, worst)
    level = ~surely & ~surely.T
    met_low = np.where(level, high[None, :], n).min(1)
    met_high = np.where(level, low[None, :], 1).max(1)
    return np.maximum(np.minimum(low, met_low), best), np.minimum(np.maximum(high, met_high), worst)


def _shortest_runs(chance: Floats, wanted: float) -> tuple[Ints, Ints]:
    """First and last rank, from 1, of each row's shortest run of at least the wanted chance."""
    n = len(chance)
    climb = np.pad(chance.cumsum(1), ((0, 0), (1, 0)))
    low, high = np.ones(n, dtype=np.int64), np.full(n, n, dtype=np.int64)
    for length in range(n, 0, -1):
        held = climb[:, length:] - climb[:, :-length]
        best = held.argmax(1)
        enough = held.max(1) >= wanted
        low[enough] = best[enough] + 1
        high[enough] = best[enough] + length
    return low, high


def _drawn_ranks(rated: Rated, rng: np.random.Generator, draws: int) -> Ints:
    """Return int64[draws,n]: ranks from 0 in ratings drawn around the estimate."""
    n = len(rated.ratings)
    values, vectors = np.linalg.eigh(rated.covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    noise = rng.standard_normal((draws, n)) @ root.T
    freedom = float(np.min(rated.freedom))
    if np.isfinite(freedom):
        noise *= np.sqrt(freedom / rng.chisquare(freedom, draws))[:, None]
    drawn = rated.ratings + noise
    order = np.argsort(-drawn, axis=1, kind="stable")
    ranked = np.empty_like(order)
    np.put_along_axis(ranked, order, np.broadcast_to(np.arange(n), order.shape), axis=1)
    return ranked.astype(np.int64)

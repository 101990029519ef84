"""Do the ratings explain the games?  A test of fit, the pairs explained worst, and cycles.

The error of a pair's points is that of its blocks, but never less than what the ratings leave
possible: given the chances of both games, the variance of a block is least where one game goes well
whenever the other goes badly (Frechet 1951, Hoeffding 1940).  Between equals that least variance is
zero, as with the same dice; but where one bot wins nearly always it is that of independent games.
There blocks that were all won show no spread, and would make any rating seem wrong.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arena.stats.arrays import Bools, Floats, Ints, sums_by
from arena.stats.bradley_terry import Standings
from arena.stats.draw_models import OutcomeTerms, outcome_terms
from arena.stats.elo import ELO_PER_LOGIT
from arena.stats.results import Results, Rows, rows_of
from arena.stats.sandwich import summed_covariance
from arena.stats.tails import chi_square_above

POINTS = np.array([0.0, 0.5, 1.0])

CYCLE_Z = 1.6448536269514722
"""Each of the three results of a cycle must lean this many errors (one-sided 95 %)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairFit:
    """Two bots: the points per game that `stronger` took of `weaker`, against the ratings' view.

    `z` is (observed - expected) in standard errors over blocks; `stronger` is the bot that did
    better than expected.
    """

    stronger: int
    weaker: int
    games: int
    observed: float
    expected: float
    z: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cycle:
    """Three bots, each of which beats the next; `z` the weakest of the three, in errors."""

    bots: tuple[int, int, int]
    z: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FitTest:
    """Pearson's chi square over pairs of bots, with `freedom` = pairs - fitted differences.

    `p_value` is None where no freedom is left; `pairs` are worst first; `cycles` clearest first.
    """

    chi_square: float
    freedom: int
    p_value: float | None
    pairs: tuple[PairFit, ...]
    cycles: tuple[Cycle, ...]


def fit_test(results: Results, standings: Standings, *, worst: int = 10) -> FitTest:
    """Compare each pair's points with what the ratings expect, errors over blocks.

    Returns the `worst` pairs and at most as many cycles.  The chi square is approximate for
    matches of fewer than about ten blocks.
    """
    rows = rows_of(results)
    terms = _points_terms(rows, standings)
    pair = _pair_sums(results, rows, terms, standings.connection.unbounded)
    played = pair.games > 0
    z = pair.residual / np.sqrt(np.where(played, pair.variance, 1.0))
    chi_square = float((z[played] ** 2).sum())
    groups = int(standings.connection.groups.max()) + 1
    freedom = int(played.sum()) - (results.bots - groups)
    return FitTest(
        chi_square=chi_square,
        freedom=max(freedom, 0),
        p_value=chi_square_above(chi_square, freedom) if freedom > 0 else None,
        pairs=_worst_pairs(pair, z, played, worst),
        cycles=_cycles(pair, results.bots, worst),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _PairSums:
    """Sums over all games of each unordered pair; points are those of `low`."""

    low: Ints
    high: Ints
    games: Floats
    points: Floats
    residual: Floats
    variance: Floats


def _points_terms(rows: Rows, standings: Standings) -> OutcomeTerms:
    """Terms whose slope by d is (points - expected points), whatever the draw model."""
    gap = standings.ratings[rows.first] - standings.ratings[rows.second] + standings.seat.elo
    terms = outcome_terms(standings.draw_model, gap / ELO_PER_LOGIT, standings.draw_width or 0.0)
    points = POINTS - terms.expected[:, None]
    return replace(terms, by_d=points, by_v=np.zeros_like(points))


def _pair_sums(results: Results, rows: Rows, terms: OutcomeTerms, unbounded: Bools) -> _PairSums:
    n, m = results.bots, len(results.first)
    key = np.minimum(rows.first, rows.second) * n + np.maximum(rows.first, rows.second)
    pairs, index = np.unique(key, return_inverse=True)
    sign = np.where(rows.first < rows.second, 1.0, -1.0)
    residual = sign * (rows.counts * terms.by_d).sum(1)
    points = np.where(sign > 0, rows.points, rows.played - rows.points)
    one = np.concatenate([results.first, results.lone_first])
    two = np.concatenate([results.second, results.lone_second])
    matter, _ = summed_covariance(results, terms, unbounded[one] | unbounded[two])
    of_match = np.concatenate([index[:m], index[2 * m :]])
    noise = matter[:, 0, 0] + matter[:, 1, 1] - 2.0 * matter[:, 0, 1]
    noise = np.maximum(noise, _least_variance(results, rows, terms.expected))
    size = len(pairs)
    return _PairSums(
        low=pairs // n,
        high=pairs % n,
        games=sums_by(index, rows.played, size),
        points=sums_by(index, points, size),
        residual=sums_by(index, residual, size),
        variance=sums_by(of_match, noise, size),
    )


def _least_variance(results: Results, rows: Rows, expected: Floats) -> Floats:
    """Return the least variance of the points of each match and of the independent games."""
    m = len(results.first)
    chance = _chances(expected, rows.counts[:, 1] / np.maximum(rows.played, 1.0))
    alone = (chance @ POINTS**2) - (chance @ POINTS) ** 2
    one, two = chance[:m].cumsum(1)[:, :2], chance[m : 2 * m, ::-1].cumsum(1)[:, :2]
    both = np.maximum(one[:, :, None] + two[:, None, :] - 1.0, 0.0)
    covariance = 0.25 * (both - one[:, :, None] * two[:, None, :]).sum((1, 2))
    paired = np.maximum(alone[:m] + alone[m : 2 * m] + 2.0 * covariance, 0.0)
    blocks = results.tables.sum((1, 2))
    return np.concatenate([blocks * paired, rows.played[2 * m :] * alone[2 * m :]])


def _chances(expected: Floats, drawn: Floats) -> Floats:
    """Chances float64[r,3] of loss, draw, win with these expected points and this share drawn."""
    draw = np.minimum(drawn, 2.0 * np.minimum(expected, 1.0 - expected))
    return np.stack([1.0 - expected - 0.5 * draw, draw, expected - 0.5 * draw], axis=1)


def _worst_pairs(pair: _PairSums, z: Floats, played: Bools, worst: int) -> tuple[PairFit, ...]:
    order = np.argsort(-np.abs(np.where(played, z, 0.0)), kind="stable")[:worst]
    found = []
    for k in order[played[order]]:
        swap = z[k] < 0
        ends = (int(pair.low[k]), int(pair.high[k]))
        observed = pair.points[k] / pair.games[k]
        expected = observed - pair.residual[k] / pair.games[k]
        found.append(
            PairFit(
                stronger=ends[1] if swap else ends[0],
                weaker=ends[0] if swap else ends[1],
                games=int(pair.games[k]),
                observed=float(1.0 - observed if swap else observed),
                expected=float(1.0 - expected if swap else expected),
                z=float(abs(z[k])),
            )
        )
    return tuple(found)


def _cycles(pair: _PairSums, bots: int, most: int) -> tuple[Cycle, ...]:
    lean = np.zeros((bots, bots))
    played = pair.games > 0
    clear = (pair.points - 0.5 * pair.games)[played] / np.sqrt(pair.variance[played])
    lean[pair.low[played], pair.high[played]] = clear
    lean[pair.high[played], pair.low[played]] = -clear
    found = []
    for i in range(bots):
        weakest = np.minimum(np.minimum(lean[i][:, None], lean), lean[:, i][None, :])
        weakest[: i + 1] = 0.0  # name each cycle once, its smallest index first
        weakest[:, : i + 1] = 0.0
        for j, k in zip(*np.nonzero(weakest > CYCLE_Z), strict=True):
            found.append(Cycle(bots=(i, int(j), int(k)), z=float(weakest[j, k])))
    return tuple(sorted(found, key=lambda cycle: -cycle.z)[:most])

"""Which pair to play next: the games that help most with what is still undecided.

A block between i and j tells r_i - r_j with variance v.  It lowers the variance of a contrast c of
the ratings by (c' C x)^2 / (v + x' C x), x = e_i - e_j, C the covariance (Sherman, Morrison 1950;
greedy design as in Fedorov 1972).  Pieces of the budget go one after the other to the pair with the
largest sum of relative gains over all undecided contrasts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.stats.arrays import Floats, Ints, bot_pairs
from arena.stats.elo import ELO_PER_LOGIT
from arena.stats.errors import StatsError
from arena.stats.ranks import Rated
from arena.stats.stopping import RankDecision, WidthDecision

MOST_TARGETS = 400
"""Only so many undecided contrasts, the nearest to a decision, guide the choice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Allocation:
    """Blocks to play next: `blocks` int64[m] for the pairs `first`, `second` int64[m]."""

    first: Ints
    second: Ints
    blocks: Ints


def rank_targets(rated: Rated, decision: RankDecision) -> Floats:
    """Return float64[t,n]: the differences of undecided pairs, nearest to a decision first."""
    one, two = np.nonzero(np.triu(decision.open))
    variance = np.diag(rated.covariance)
    spread = variance[one] + variance[two] - 2.0 * rated.covariance[one, two]
    clear = np.abs(rated.ratings[one] - rated.ratings[two]) / np.sqrt(np.maximum(spread, 1e-12))
    order = np.argsort(-clear, kind="stable")[:MOST_TARGETS]
    eye = np.eye(len(variance))
    return np.asarray(eye[one[order]] - eye[two[order]])


def width_targets(decision: WidthDecision) -> Floats:
    """Return float64[t,n]: the ratings, against the mean of all, that are known too poorly."""
    n = len(decision.half_widths)
    return np.asarray((np.eye(n) - 1.0 / n)[decision.wide])


def allocate(
    rated: Rated,
    targets: Floats,
    *,
    first: Ints,
    second: Ints,
    deviation: Floats,
    blocks: int,
    piece: int = 1,
) -> Allocation:
    """Share out `blocks` blocks among the pairs `first`, `second` int64[m], in pieces.

    `targets` float64[t,n] from `rank_targets` or `width_targets`; `deviation` float64[m] of one
    block's score in each pair, from `block_deviation` (0.35 where nothing was played yet).  Without
    targets nothing is given.  Raises StatsError for bad pairs, deviations or numbers of blocks.
    """
    one, two = bot_pairs(first, second, bots=len(rated.ratings))
    if blocks < 0 or piece < 1 or np.shape(deviation) != one.shape or np.any(deviation <= 0.0):
        raise StatsError("needed: blocks >= 0, piece >= 1, and a positive deviation for each pair")
    given = np.zeros(len(one), dtype=np.int64)
    if len(targets) and len(one):
        variance = _elo_variance(rated, one, two, deviation)
        _share_out(rated.covariance.copy(), targets, (one, two), variance, blocks, piece, given)
    return Allocation(first=one, second=two, blocks=given)


def _share_out(
    cover: Floats,
    targets: Floats,
    ends: tuple[Ints, Ints],
    variance: Floats,
    blocks: int,
    piece: int,
    given: Ints,
) -> None:
    """Add to `given` greedily; `cover` is updated as if the pieces had been played."""
    one, two = ends
    left = blocks
    while left > 0:
        size = min(piece, left)
        reach = targets @ cover
        now = np.einsum("tn,tn->t", reach, targets)
        lever = reach[:, one] - reach[:, two]
        own = cover[one, one] + cover[two, two] - 2.0 * cover[one, two]
        noise = variance / size + own
        gain = (lever**2 / np.maximum(now, 1e-12)[:, None]).sum(0) / noise
        best = int(np.argmax(gain))
        arm = cover[:, one[best]] - cover[:, two[best]]
        cover -= np.outer(arm, arm) / noise[best]
        given[best] += size
        left -= size


def _elo_variance(rated: Rated, one: Ints, two: Ints, deviation: Floats) -> Floats:
    """Variance in Elo squared of one block's word on r_i - r_j, by the slope of the curve."""
    gap = np.clip((rated.ratings[one] - rated.ratings[two]) / ELO_PER_LOGIT, -8.0, 8.0)
    slope = 0.25 / np.cosh(0.5 * gap) ** 2 / ELO_PER_LOGIT
    return np.asarray((deviation / slope) ** 2)

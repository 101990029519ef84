"""When enough has been played: stopping rules that stay honest though one looks all the time.

* half_width: stop when every interval is narrow enough.  The rule looks at the width only, so the
  design is one of fixed information and the usual interval holds at the stop (Mehta, Tsiatis 2001).
* ranks: stop when every pair of bots is told apart or found to be tied.  This looks at the
  estimates, so it uses confidence sequences: with a normal mixture of scale s over the unknown
  value, |estimate - truth| <= e sqrt((1 + e^2/s^2) (log(1 + s^2/e^2) + 2 log(1/alpha))) holds at
  all times at once with chance 1 - alpha, e the standard error (Robbins 1970; in this asymptotic
  form Waudby-Smith and others 2021).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from arena.stats.arrays import Bools, Floats, Ints, level
from arena.stats.errors import StatsError
from arena.stats.ranks import Rated, difference_errors
from arena.stats.tails import normal_below, student_upper

MIXTURE_ELO = 100.0
"""Scale of the mixture: rating differences of this size are detected soonest."""


class WithIntervals(Protocol):
    """Ratings with fixed-sample intervals float64[n]."""

    @property
    def low(self) -> Floats: ...  # noqa: D102
    @property
    def high(self) -> Floats: ...  # noqa: D102


@dataclass(frozen=True, slots=True, kw_only=True)
class WidthDecision:
    """Whether all intervals are narrow enough.

    `half_widths` float64[n] in Elo; `wide` int64[.] names the bots that need more games.
    """

    done: bool
    half_widths: Floats
    wide: Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class RankDecision:
    """Which of n bots are told apart; all claims together hold with the confidence.

    `stronger` bool[n,n]: i is surely stronger than j; `tied` bool[n,n]: surely within the tie
    width of each other; `open` bool[n,n]: neither yet (symmetric, false on the diagonal).
    """

    done: bool
    stronger: Bools
    tied: Bools
    open: Bools
    confidence: float


def anytime_factor(
    errors: Floats, freedom: Floats, *, confidence: float = 0.95, scale: float = MIXTURE_ELO
) -> Floats:
    """Return by how many standard errors an interval must reach to hold at all times at once.

    `errors`, `freedom` broadcast to float64[...]; errors and `scale` in the same unit.  The factor
    is carried over to the t distribution at equal tail probability.  Raises StatsError for a
    confidence outside (0, 1) or a scale that is not positive.
    """
    alpha = 1.0 - level(confidence)
    if not scale > 0.0:
        raise StatsError(f"the scale of the mixture must be positive, not {scale!r}")
    ratio = (np.maximum(errors, 1e-9 * scale) / scale) ** 2
    normal = np.sqrt((1.0 + ratio) * (np.log1p(1.0 / ratio) - 2.0 * np.log(alpha)))
    tail = np.maximum(normal_below(-normal), 1e-300)
    return np.where(np.isinf(freedom), normal, student_upper(tail, freedom))


def anytime_intervals(
    rated: Rated, *, confidence: float = 0.95, scale: float = MIXTURE_ELO
) -> tuple[Floats, Floats]:
    """Return low and high float64[n] of each rating, valid however often one looks."""
    errors = np.sqrt(np.maximum(np.diag(rated.covariance), 0.0))
    half = errors * anytime_factor(errors, rated.freedom, confidence=confidence, scale=scale)
    return rated.ratings - half, rated.ratings + half


def half_width_decision(rated: WithIntervals, *, half_width: float) -> WidthDecision:
    """Decide whether every interval of the ratings reaches at most `half_width` Elo either way."""
    if not half_width > 0.0:
        raise StatsError(f"half_width must be positive, not {half_width!r}")
    widths = 0.5 * (rated.high - rated.low)
    wide = np.nonzero(widths > half_width)[0]
    return WidthDecision(done=len(wide) == 0, half_widths=widths, wide=wide.astype(np.int64))


def rank_decision(
    rated: Rated, *, confidence: float = 0.95, tie: float = 10.0, scale: float = MIXTURE_ELO
) -> RankDecision:
    """Decide which ranks can be told apart, with one error chance for all pairs and all looks.

    Each pair has the share 1/(n(n-1)/2) of the error (Bonferroni).  Two bots are tied when their
    difference is surely within `tie` Elo; only a positive `tie` makes sure that it ends.  Raises
    StatsError for a negative tie.
    """
    if tie < 0.0:
        raise StatsError(f"tie must not be negative, not {tie!r}")
    n = len(rated.ratings)
    pairs = n * (n - 1) / 2
    errors = difference_errors(rated)
    freedom = np.minimum(rated.freedom[:, None], rated.freedom[None, :])
    each = 1.0 - (1.0 - level(confidence)) / pairs
    half = errors * anytime_factor(errors, freedom, confidence=each, scale=scale)
    gap = rated.ratings[:, None] - rated.ratings[None, :]
    apart = ~np.eye(n, dtype=np.bool_)
    stronger = (gap > half) & apart
    tied = (np.abs(gap) + half < tie) & apart & ~stronger & ~stronger.T
    undecided = apart & ~stronger & ~stronger.T & ~tied
    return RankDecision(
        done=not undecided.any(),
        stronger=stronger,
        tied=tied,
        open=undecided,
        confidence=confidence,
    )

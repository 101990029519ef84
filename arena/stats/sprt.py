"""Sequential test of one bot against another: is it at least elo1 stronger, or at most elo0?

The generalised sequential probability ratio test on blocks: the log likelihood ratio is that of
the likeliest multinomials under either hypothesis (Van den Bergh 2020, Comments on normalised
Elo), compared with Wald's bounds (Wald 1945).  The bounds are drawn in by the expected overshoot
0.583 sd of the step between two looks (Siegmund 1985, X.2), and moved out by the factor 1 + 8/N
while N, the number of blocks, is small and the variance poorly known (found by simulation, see
tests/stats/calibration.py); so the errors stay nominal.  A largest number of blocks makes sure
that it ends.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from arena.stats.arrays import Floats, Ints, counts
from arena.stats.brownian import Corridor
from arena.stats.elo import NORMALISED_ELO, score_from_elo
from arena.stats.errors import StatsError
from arena.stats.multinomial import likeliest_with_mean, likeliest_with_t

SMALLEST_COUNT = 1e-3
"""What stands for a count of zero, so that every score stays possible."""

OVERSHOOT = 0.5826
"""Mean overshoot of a normal random walk in step deviations, -zeta(1/2) / sqrt(2 pi)."""

SMALL_SAMPLE = 8.0
"""The bounds are moved out by the factor 1 + SMALL_SAMPLE / blocks."""

LARGEST_CORRECTION = 0.5
"""The bounds are drawn in by at most this share of themselves."""

LARGEST_ELO = {"logistic": 3000.0, "normalised": 500.0}
"""Hypotheses are no further from zero: beyond, no counts tell them apart, and their likelihoods
have no solution in double precision (found by trying)."""

PATIENCE = 10.0
"""Default largest number of blocks, in expected numbers at the worst strength."""


class Verdict(enum.Enum):
    """How a sequential test stands.

    What is sure is that the other hypothesis is wrong: after H1 the strength is above elo0 (wrong
    with chance alpha at most, whatever it is), after H0 below elo1 (beta).  In between, either may
    be accepted.
    """

    RUNNING = "running"
    H0 = "below elo1"
    H1 = "above elo0"
    UNDECIDED = "undecided at the largest number of blocks"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sprt:
    """A sequential test, checked when made.

    `elo0` < `elo1` in Elo or normalised Elo (`scale`); `alpha` is the chance to accept H1 where
    H0 is true, `beta` the reverse; `look` blocks are played between two looks; `games` per block
    is 2, or 1 for fixed seats; `most` blocks at most, None for PATIENCE times the expected number.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    scale: Literal["logistic", "normalised"] = "logistic"
    games: Literal[1, 2] = 2
    look: int = 1
    most: int | None = None

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise StatsError(f"elo0 must be below elo1, not {self.elo0:g} and {self.elo1:g}")
        if not (0.0 < self.alpha < 0.5 and 0.0 < self.beta < 0.5):
            raise StatsError("alpha and beta must lie between 0 and 0.5")
        if self.scale not in ("logistic", "normalised"):
            raise StatsError(f"scale must be logistic or normalised, not {self.scale!r}")
        most_elo = LARGEST_ELO[self.scale]
        if max(abs(self.elo0), abs(self.elo1)) > most_elo:
            raise StatsError(f"elo0 and elo1 must lie between {-most_elo:g} and {most_elo:g}")
        if self.games not in (1, 2) or self.look < 1 or (self.most is not None and self.most < 1):
            raise StatsError("games must be 1 or 2, look and most at least 1")

    @property
    def wald(self) -> tuple[float, float]:
        """Wald's bounds of the log likelihood ratio, lower and upper."""
        lower = math.log(self.beta / (1.0 - self.alpha))
        return lower, math.log((1.0 - self.beta) / self.alpha)

    def scores(self, deviation: float) -> tuple[float, float]:
        """Return the block scores of the two hypotheses, given the deviation of a block score."""
        return self.score_at(self.elo0, deviation), self.score_at(self.elo1, deviation)

    def score_at(self, elo: float, deviation: float) -> float:
        """Return the block score at this strength, in the scale of the test."""
        if self.scale == "logistic":
            return float(score_from_elo(elo))
        return 0.5 + self._block_t(elo) * deviation

    @property
    def block_t(self) -> tuple[float, float]:
        """The hypotheses as t-values of a block, for normalised Elo."""
        return self._block_t(self.elo0), self._block_t(self.elo1)

    def _block_t(self, elo: float) -> float:
        return elo * math.sqrt(self.games) / NORMALISED_ELO

    def corridor(self, deviation: float, blocks: int) -> Corridor:
        """Return the bounds after so many blocks, both corrections included."""
        lower, upper = self.wald
        s0, s1 = self.scores(deviation)
        shift = OVERSHOOT * math.sqrt(self.look) * (s1 - s0) / deviation
        narrow = min(shift, LARGEST_CORRECTION * min(-lower, upper))
        wide = 1.0 + SMALL_SAMPLE / max(blocks, 1)
        return Corridor(lower=(lower + narrow) * wide, upper=(upper - narrow) * wide)

    def largest(self, deviation: float) -> int:
        """Return the number of blocks at which the test ends in any case."""
        if self.most is not None:
            return self.most
        return math.ceil(PATIENCE * expected_blocks(self, deviation=deviation, elo=None))


@dataclass(frozen=True, slots=True, kw_only=True)
class SprtState:
    """Where a test stands after some blocks: the ratio `llr`, its bounds, and the verdict.

    `deviation` is that of a block score (regularised); `left` blocks remain at most.
    """

    llr: float
    lower: float
    upper: float
    blocks: int
    left: int
    deviation: float
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class SprtForecast:
    """What to expect of a test at a true strength: chance of H1, blocks and games on average."""

    elo: float
    accepts_h1: float
    blocks: float
    games: float


def log_likelihood_ratio(sprt: Sprt, block_counts: ArrayLike) -> float:
    """Return log L(H1) - log L(H0) of the blocks.

    `block_counts` int64[5] (blocks of two games by points) or int64[3] (losses, draws, wins).
    Zero counts become SMALLEST_COUNT.  Raises StatsError for bad counts and for hypotheses that no
    scores can meet.
    """
    cells = _counts(sprt, block_counts)
    filled = np.where(cells == 0, SMALLEST_COUNT, cells.astype(np.float64))
    total = float(filled.sum())
    shares, values = filled / total, np.linspace(0.0, 1.0, len(filled))
    zero, one = _hypotheses(sprt, values, shares)
    return total * float(shares @ np.log(one / zero))


def sprt_state(sprt: Sprt, block_counts: ArrayLike) -> SprtState:
    """Return the ratio, its bounds and the verdict; never endless, never nan.

    Look only after every `look` blocks.  Raises StatsError as `log_likelihood_ratio` does.
    """
    cells = _counts(sprt, block_counts)
    blocks, deviation = int(cells.sum()), block_deviation(cells)
    corridor = sprt.corridor(deviation, blocks)
    llr = log_likelihood_ratio(sprt, cells) if blocks else 0.0
    left = max(sprt.largest(deviation) - blocks, 0)
    verdict = Verdict.RUNNING if left else Verdict.UNDECIDED
    if llr >= corridor.upper:
        verdict = Verdict.H1
    elif llr <= corridor.lower:
        verdict = Verdict.H0
    return SprtState(
        llr=llr,
        lower=corridor.lower,
        upper=corridor.upper,
        blocks=blocks,
        left=left,
        deviation=deviation,
        verdict=verdict,
    )


def expected_blocks(sprt: Sprt, *, deviation: float, elo: float | None) -> float:
    """Return the blocks that the test takes on average at `elo`; None: at the worst strength.

    Wald's approximation with drift (s1 - s0)(s - (s0 + s1)/2)/deviation^2 per block.
    """
    return _forecast(sprt, deviation, elo)[1]


def sprt_forecast(sprt: Sprt, *, elo: float, deviation: float) -> SprtForecast:
    """Return what to expect before starting; `elo` in the scale of the test.

    `deviation` of a block score: about 0.35 for independent games without draws at equal strength,
    less with the same dice.  Raises StatsError for a deviation that is not positive.
    """
    accepts, blocks = _forecast(sprt, deviation, elo)
    return SprtForecast(elo=elo, accepts_h1=accepts, blocks=blocks, games=blocks * sprt.games)


def block_deviation(cells: Ints) -> float:
    """Return the standard deviation of a block score with one pseudo-block, half 0 and half 1.

    The pseudo-block is that of `arena.stats.pairs`; it keeps the deviation positive.
    """
    values = np.linspace(0.0, 1.0, len(cells))
    weight = cells.astype(np.float64)
    weight[0] += 0.5
    weight[-1] += 0.5
    shares = weight / weight.sum()
    return math.sqrt(float(shares @ values**2) - float(shares @ values) ** 2)


def _forecast(sprt: Sprt, deviation: float, elo: float | None) -> tuple[float, float]:
    if not deviation > 0.0:
        raise StatsError(f"the deviation of a block score must be positive, not {deviation!r}")
    s0, s1 = sprt.scores(deviation)
    middle = 0.5 * (s0 + s1)
    score = middle if elo is None else sprt.score_at(elo, deviation)
    drift = (score - middle) / (s1 - s0)
    corridor = Corridor(lower=sprt.wald[0], upper=sprt.wald[1])
    blocks = corridor.mean_time(drift) * (deviation / (s1 - s0)) ** 2
    return 1.0 - corridor.ends_low(drift), max(blocks, 1.0)


def _hypotheses(sprt: Sprt, values: Floats, shares: Floats) -> tuple[Floats, Floats]:
    if sprt.scale == "logistic":
        s0, s1 = sprt.scores(1.0)
        return likeliest_with_mean(values, shares, s0), likeliest_with_mean(values, shares, s1)
    t0, t1 = sprt.block_t
    return likeliest_with_t(values, shares, t0), likeliest_with_t(values, shares, t1)


def _counts(sprt: Sprt, block_counts: ArrayLike) -> Ints:
    return counts(block_counts, name="block counts", shape=(2 * sprt.games + 1,))

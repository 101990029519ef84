"""One match: score, Elo, normalised Elo and their intervals from blocks.

Interval method "posterior" (the default): the block scores get a Dirichlet posterior with one
pseudo-block (with more than two games a block: two pseudo-games), half at score 0 and half at
score 1; the posterior of the mean is matched by a Beta distribution of equal mean and variance.
For blocks of one game without draws this IS Jeffreys' interval (Brown, Cai, DasGupta 2001), for
many blocks it is the usual m +- z s/sqrt(N), and in between it stays honest where all blocks are
equal and the sample variance is zero.
Method "wald" is m +- z s/sqrt(N) with the plain (biased) variance, the convention of the chess
testing tools; it serves for comparison with them, and falls back on "posterior" where s is 0.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import Literal, assert_never

import numpy as np
from numpy.typing import ArrayLike

from arena.stats.arrays import Floats, Ints, counts, level
from arena.stats.elo import NORMALISED_ELO, elo_from_score
from arena.stats.errors import StatsError
from arena.stats.tails import beta_above, beta_bounds, normal_below, normal_upper, student_upper

Method = Literal["posterior", "wald"]
SMALLEST_SCORE = 1e-9
"""Scores are kept this far from 0 and 1 before they are turned into Elo."""


class MatchStatus(enum.Enum):
    """What a match can and cannot say."""

    OK = "ok"
    NO_BLOCKS = "no blocks"
    ONE_BLOCK = "one block"
    IDENTICAL = "identical play"
    CONSTANT = "every block alike"
    ALL_WON = "won everything"
    ALL_LOST = "lost everything"

    @property
    def bounded(self) -> bool:
        """Whether the point estimate of Elo is one; else it is a bound drawn by the prior."""
        return self not in (MatchStatus.ALL_WON, MatchStatus.ALL_LOST, MatchStatus.NO_BLOCKS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A value and its confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PairEstimate:
    """What the blocks of one match say about one bot.

    `score` is a share of points; `elo` is in Elo; `nelo` (normalised Elo, only where two bots
    play) is in Elo of the game's own noise: NORMALISED_ELO times (score - 1/2) in standard
    deviations of one game.  `deviation` is the standard deviation of the block score; `los` the
    likelihood of superiority, P(score > par), half of P(equal) counted; `saving` how many times
    more independent games would be needed for the same precision, None where it is unknown or
    without bound.  `status` says what cannot be estimated.
    """

    blocks: int
    games: int
    score: Estimate
    elo: Estimate
    nelo: Estimate | None
    deviation: float
    los: float
    saving: float | None
    status: MatchStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockMoments:
    """Sums over blocks of the block score in [0, 1], its square and, if known, higher powers."""

    blocks: int
    total: float
    squares: float
    cubes: float | None = None
    fourths: float | None = None
    games_per_block: int = 2
    players: int = 2

    def __post_init__(self) -> None:
        if self.blocks < 0 or self.games_per_block < 1 or self.players < 2:
            raise StatsError("blocks must not be negative, games and players must be at least 1, 2")
        if not 0.0 <= self.total <= self.blocks * (1.0 + 1e-12):
            raise StatsError(f"{self.blocks} blocks cannot have {self.total:g} points")
        if not self.squares <= self.total * (1.0 + 1e-12) + 1e-12:
            raise StatsError("block scores must lie between 0 and 1: their squares sum too high")
        if self.blocks and self.squares * self.blocks < self.total**2 * (1.0 - 1e-9) - 1e-9:
            raise StatsError("the squares of the block scores sum too low for their total")

    @property
    def mean(self) -> float:
        """Mean block score; 1/players without blocks."""
        return min(self.total / self.blocks, 1.0) if self.blocks else 1.0 / self.players

    @property
    def pseudo_blocks(self) -> float:
        """Weight of the pseudo-block: 1 for blocks of one or two games, 2/games for larger."""
        return 2.0 / max(self.games_per_block, 2)

    @property
    def variance(self) -> float:
        """Plain variance of the block score, divisor `blocks`; rounding noise becomes 0."""
        if not self.blocks:
            return 0.0
        plain = self.squares / self.blocks - self.mean**2
        return plain if plain > 1e-12 else 0.0


def pentanomial(pair_table: ArrayLike) -> Ints:
    """Return int64[5], blocks by points 0, 1/2, 1, 3/2, 2 of the first bot.

    `pair_table` is int64[3,3]: cell [a,b] counts blocks in which the game with the first bot in
    seat 1 ended a and the other game ended b (0 loss, 1 draw, 2 win, its view).
    """
    table = counts(pair_table, name="pair table", shape=(3, 3))
    points = np.add.outer(np.arange(3), np.arange(3))
    return np.bincount(points.ravel(), weights=table.ravel(), minlength=5).astype(np.int64)


def estimate_games(
    losses_draws_wins: ArrayLike, *, confidence: float = 0.95, method: Method = "posterior"
) -> PairEstimate:
    """Estimate from single games int64[3] = losses, draws, wins; each game is its own block."""
    cells = counts(losses_draws_wins, name="losses, draws, wins", shape=(3,))
    moments = _moments(cells, np.array([0.0, 0.5, 1.0]), games_per_block=1)
    return estimate_moments(moments, confidence=confidence, method=method)


def estimate_pentanomial(
    blocks_by_points: ArrayLike, *, confidence: float = 0.95, method: Method = "posterior"
) -> PairEstimate:
    """Estimate from int64[5], blocks of two games by points 0, 1/2, 1, 3/2, 2."""
    cells = counts(blocks_by_points, name="pentanomial counts", shape=(5,))
    moments = _moments(cells, np.linspace(0.0, 1.0, 5), games_per_block=2)
    return estimate_moments(moments, confidence=confidence, method=method)


def estimate_pair_table(
    pair_table: ArrayLike, *, confidence: float = 0.95, method: Method = "posterior"
) -> PairEstimate:
    """Estimate from int64[3,3] (see `pentanomial`); also tells what the blocks saved.

    saving = (v1 + v2) / (v1 + v2 + 2 c): v1, v2 the variances of one game in either seat, c the
    covariance of the two games of a block.  With independent dice c would be 0.
    """
    table = counts(pair_table, name="pair table", shape=(3, 3))
    moments = _moments(pentanomial(table), np.linspace(0.0, 1.0, 5), games_per_block=2)
    saving = None
    if moments.variance > 0.0:
        values = np.array([0.0, 0.5, 1.0])
        apart = sum(_moments(table.sum(axis), values, 1).variance for axis in (0, 1))
        saving = apart / (4.0 * moments.variance)
    return estimate_moments(moments, confidence=confidence, method=method, saving=saving)


def estimate_moments(
    moments: BlockMoments,
    *,
    confidence: float = 0.95,
    method: Method = "posterior",
    saving: float | None = None,
) -> PairEstimate:
    """Estimate from the sums of block scores alone; serves any number of seats.

    The value of `elo` at a score of 0 or 1 is that of the posterior mean, and `status` says so;
    all numbers are finite.  `saving` is passed through; if None it is taken as the variance of
    independent win-or-lose games of this mean over that found, where a block has more than one
    game.  Raises StatsError for a confidence outside (0, 1).
    """
    alpha = (1.0 - level(confidence)) / 2.0
    posterior = _Posterior.of(moments)
    low, high = _score_bounds(moments, posterior, alpha, method)
    score = Estimate(value=moments.mean, low=min(low, moments.mean), high=max(high, moments.mean))
    raw = moments.mean if 0.0 < moments.mean < 1.0 else posterior.mean
    elo = Estimate(
        value=_elo(raw, moments.players),
        low=_elo(min(low, raw), moments.players),
        high=_elo(max(high, raw), moments.players),
    )
    par = 1.0 / moments.players
    return PairEstimate(
        blocks=moments.blocks,
        games=moments.blocks * moments.games_per_block,
        score=score,
        elo=elo,
        nelo=_normalised(moments, posterior, alpha, method) if moments.players == 2 else None,
        deviation=math.sqrt(moments.variance),
        los=_superiority(moments, posterior, par, method),
        saving=_binary_saving(moments) if saving is None else saving,
        status=_status(moments, par),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Posterior:
    """Beta distribution of the mean block score; `variance` is that of one block score."""

    mean: float
    variance: float
    a: float
    b: float

    @classmethod
    def of(cls, moments: BlockMoments) -> _Posterior:
        weight, top = moments.blocks + moments.pseudo_blocks, 0.5 * moments.pseudo_blocks
        mean = (moments.total + top) / weight
        variance = (moments.squares + top) / weight - mean**2
        size = mean * (1.0 - mean) * (weight + 1.0) / variance - 1.0
        return cls(mean=mean, variance=variance, a=mean * size, b=(1.0 - mean) * size)


def _moments(cells: Ints, values: Floats, games_per_block: int) -> BlockMoments:
    return BlockMoments(
        blocks=int(cells.sum()),
        total=float(cells @ values),
        squares=float(cells @ values**2),
        cubes=float(cells @ values**3),
        fourths=float(cells @ values**4),
        games_per_block=games_per_block,
    )


def _elo(score: float, players: int) -> float:
    inside = min(max(score, SMALLEST_SCORE), 1.0 - SMALLEST_SCORE)
    return float(elo_from_score(inside, players=players))


def _score_bounds(
    moments: BlockMoments, posterior: _Posterior, alpha: float, method: Method
) -> tuple[float, float]:
    if method == "posterior" or moments.variance == 0.0:
        return beta_bounds(alpha, posterior.a, posterior.b)
    if method == "wald":
        half = normal_upper(alpha) * math.sqrt(moments.variance / moments.blocks)
        return max(moments.mean - half, 0.0), min(moments.mean + half, 1.0)
    assert_never(method)


def _normalised(
    moments: BlockMoments, posterior: _Posterior, alpha: float, method: Method
) -> Estimate:
    """Normalised Elo from t = (mean - 1/2) / deviation of the blocks.

    "wald" takes the deviation as known, as the chess testing tools do: the error of t is
    1/sqrt(N).  "posterior" adds its noise, see `_noise_of_t`, and takes t quantiles.
    """
    if method == "wald" and moments.variance > 0.0:
        centre = (moments.mean - 0.5) / math.sqrt(moments.variance)
        half = normal_upper(alpha) / math.sqrt(moments.blocks)
    else:
        centre = (posterior.mean - 0.5) / math.sqrt(posterior.variance)
        noise = _noise_of_t(moments, posterior, centre) / (moments.blocks + moments.pseudo_blocks)
        half = float(student_upper(alpha, max(moments.blocks, 1))) * math.sqrt(noise)
    scale = NORMALISED_ELO / math.sqrt(moments.games_per_block)
    return Estimate(value=scale * centre, low=scale * (centre - half), high=scale * (centre + half))


def _noise_of_t(moments: BlockMoments, posterior: _Posterior, t: float) -> float:
    """Return N var(t) = 1 - t skewness + t^2 (kurtosis - 1) / 4 (delta method).

    Where third and fourth powers are unknown, those of the normal distribution are taken.
    """
    if moments.cubes is None or moments.fourths is None:
        return 1.0 + 0.5 * t**2
    weight, top = moments.blocks + moments.pseudo_blocks, 0.5 * moments.pseudo_blocks
    third, fourth = (moments.cubes + top) / weight, (moments.fourths + top) / weight
    mean = posterior.mean
    second = posterior.variance + mean**2
    skewness = (third - 3.0 * mean * second + 2.0 * mean**3) / posterior.variance**1.5
    kurtosis = fourth - 4.0 * mean * third + 6.0 * mean**2 * second - 3.0 * mean**4
    kurtosis /= posterior.variance**2
    return float(max(1.0 - t * skewness + 0.25 * t**2 * (kurtosis - 1.0), 0.0))


def _superiority(moments: BlockMoments, posterior: _Posterior, par: float, method: Method) -> float:
    if method == "wald" and moments.variance > 0.0:
        error = math.sqrt(moments.variance / moments.blocks)
        return float(normal_below((moments.mean - par) / error))
    return beta_above(par, posterior.a, posterior.b)


def _binary_saving(moments: BlockMoments) -> float | None:
    if moments.games_per_block == 1 or moments.variance == 0.0:
        return None
    alone = moments.mean * (1.0 - moments.mean) / moments.games_per_block
    return alone / moments.variance


def _status(moments: BlockMoments, par: float) -> MatchStatus:
    if not moments.blocks:
        return MatchStatus.NO_BLOCKS
    if moments.total >= moments.blocks:
        return MatchStatus.ALL_WON
    if moments.total <= 0.0:
        return MatchStatus.ALL_LOST
    if moments.blocks == 1:
        return MatchStatus.ONE_BLOCK
    if moments.variance > 0.0:
        return MatchStatus.OK
    alike = moments.games_per_block > 1 and abs(moments.mean - par) < 1e-9
    return MatchStatus.IDENTICAL if alike else MatchStatus.CONSTANT

"""What to believe about the strength after a sequential test has stopped.

A test that stops at a bound favours runs that went too well, so the plain estimate is too
extreme.  Outcomes are put in order (Siegmund 1985, III.5: lower bound early < lower bound late <
still running, by place < upper bound late < upper bound early), and the strength is chosen at
which the outcome seen lies at the median, or at either tail, of a Brownian motion of the ratio.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from numpy.typing import ArrayLike

from arena.stats.arrays import level
from arena.stats.brownian import SHORTEST, Corridor
from arena.stats.elo import elo_from_score
from arena.stats.pairs import (
    SMALLEST_SCORE,
    Estimate,
    MatchStatus,
    estimate_games,
    estimate_pentanomial,
)
from arena.stats.roots import root_between
from arena.stats.sprt import SMALL_SAMPLE, Sprt, SprtState, Verdict, sprt_state

FURTHEST_DRIFT = 400.0

FURTHEST_FROM_LINEAR = 0.5
"""Near the hypotheses the ratio grows with the score like a diffusion's; by this share of itself,
and of 1, it may differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SprtEstimate:
    """Median-unbiased score and Elo with intervals after a stop.

    `corrected` is false where a diffusion does not describe the test, because it ended within very
    few blocks, or far from both hypotheses; then the numbers are those of a match of fixed length,
    and stopping hardly mattered.  `status` is that of the match.
    """

    score: Estimate
    elo: Estimate
    corrected: bool
    status: MatchStatus


def estimate_after_stop(
    sprt: Sprt, block_counts: ArrayLike, *, confidence: float = 0.95
) -> SprtEstimate:
    """Return the median-unbiased estimate of the first bot's score and Elo.

    `block_counts` as for `sprt_state`.  A test that still runs is treated as if it ended now.
    Raises StatsError for bad counts or confidence.
    """
    alpha = (1.0 - level(confidence)) / 2.0
    plain = (estimate_pentanomial if sprt.games == 2 else estimate_games)(
        block_counts, confidence=confidence
    )
    state = sprt_state(sprt, block_counts)
    corridor = _walls(sprt, state.blocks)
    deviation = plain.deviation * math.sqrt(state.blocks / max(state.blocks - 1, 1))
    s0, s1 = sprt.scores(deviation or state.deviation)
    stopped = state.verdict in (Verdict.H0, Verdict.H1)
    played = state.blocks - 0.5 * sprt.look * stopped  # it crossed between the last two looks
    time = max(played, 0.5) * ((s1 - s0) / (deviation or state.deviation)) ** 2
    middle = 0.5 * (s0 + s1)
    linear = time * (plain.score.value - middle) / (s1 - s0)
    if (
        plain.status is not MatchStatus.OK
        or time < SHORTEST * corridor.width**2
        or abs(linear - state.llr) > FURTHEST_FROM_LINEAR * (1.0 + abs(state.llr))
    ):
        return SprtEstimate(score=plain.score, elo=plain.elo, corrected=False, status=plain.status)
    low, value, high = (
        middle + (s1 - s0) * _drift_at(corridor, state, time, chance)
        for chance in (1.0 - alpha, 0.5, alpha)
    )
    score = Estimate(value=_inside(value), low=_inside(low), high=_inside(high))
    return SprtEstimate(
        score=score,
        elo=Estimate(
            value=float(elo_from_score(score.value)),
            low=float(elo_from_score(score.low)),
            high=float(elo_from_score(score.high)),
        ),
        corrected=True,
        status=plain.status,
    )


def _walls(sprt: Sprt, blocks: int) -> Corridor:
    """Where the ratio ends on average: the drawn-in bounds plus the overshoot."""
    lower, upper = sprt.wald
    wide = 1.0 + SMALL_SAMPLE / max(blocks, 1)
    return Corridor(lower=wide * lower, upper=wide * upper)


def _inside(score: float) -> float:
    return min(max(score, SMALLEST_SCORE), 1.0 - SMALLEST_SCORE)


def _drift_at(corridor: Corridor, state: SprtState, time: float, chance: float) -> float:
    """Return the drift at which an outcome up to the one seen has this chance."""

    def excess(drift: float) -> float:
        return _up_to(corridor, state, time, drift) - chance

    reach = 1.0
    while reach < FURTHEST_DRIFT and excess(-reach) * excess(reach) > 0.0:
        reach *= 2.0
    if excess(-reach) <= 0.0:
        return -reach
    if excess(reach) >= 0.0:
        return reach
    return root_between(excess, -reach, reach, step=1e-10)


def _up_to(corridor: Corridor, state: SprtState, time: float, drift: float) -> float:
    """Return the chance of an outcome no higher than the one seen."""
    if state.verdict is Verdict.H0:
        return corridor.low_by(drift, time)
    if state.verdict is Verdict.H1:
        return 1.0 - corridor.high_by(drift, time)
    running = corridor.below(drift, time, state.llr)
    return min(corridor.low_by(drift, time) + running, 1.0)

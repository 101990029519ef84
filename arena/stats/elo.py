"""The 400 scale: from scores to Elo differences and back."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from arena.stats.arrays import Floats, numbers
from arena.stats.errors import StatsError

ELO_PER_LOGIT = 400.0 / math.log(10.0)
"""Elo points of one natural-logarithm unit of strength."""

NORMALISED_ELO = 800.0 / math.log(10.0)
"""Normalised Elo of one standard deviation of a single game (Van den Bergh 2020)."""


def elo_from_score(score: ArrayLike, *, players: int = 2) -> Floats:
    """Return the Elo advantage float64[...] over equal opponents that gives this score.

    A bot of strength t against players-1 equal opponents of strength 1 wins
    s = t / (t + players - 1) of the games (Plackett-Luce; for two, the logistic Elo curve), so
    elo = 400 log10(s (players - 1) / (1 - s)).  Raises StatsError unless 0 < score < 1.
    """
    share = numbers(score, name="score")
    if np.any(share <= 0.0) or np.any(share >= 1.0):
        raise StatsError("a score of 0 or 1 has no finite Elo")
    return np.asarray(ELO_PER_LOGIT * (np.log(share) - np.log1p(-share) + math.log(players - 1)))


def score_from_elo(elo: ArrayLike, *, players: int = 2) -> Floats:
    """Return the expected score float64[...] of a bot `elo` points above equal opponents."""
    logit = numbers(elo, name="elo") / ELO_PER_LOGIT - math.log(players - 1)
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * logit)))

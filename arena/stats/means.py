"""Means of numbers that are not confined to [0, 1], with their intervals."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtrit

from arena.stats.arrays import Floats, level
from arena.stats.errors import StatsError
from arena.stats.pairs import Estimate


def mean_interval(values: Floats, *, confidence: float = 0.95) -> Estimate:
    """The mean of independent numbers with Student's interval.

    Args:
        values: float64[N], at least two.
        confidence: of the interval.

    Raises:
        StatsError: fewer than two numbers, or a confidence outside (0, 1).
    """
    count = len(values)
    if count < 2:
        raise StatsError(f"an interval of a mean needs at least 2 numbers, not {count}")
    mean = float(np.mean(values))
    error = float(np.std(values, ddof=1)) / count**0.5
    half = float(stdtrit(count - 1, (1.0 + level(confidence)) / 2.0)) * error
    return Estimate(value=mean, low=mean - half, high=mean + half)

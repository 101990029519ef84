"""Tails and quantiles of the normal, t, chi square and Beta distributions.

From `scipy.special`: `scipy.stats` has the same functions, but takes a second to import.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import (
    betaincc,
    betainccinv,
    betaincinv,
    chdtrc,
    chdtri,
    gammaincinv,
    ndtr,
    ndtri,
    stdtrit,
)

from arena.stats.arrays import Floats


def normal_below(z: ArrayLike) -> Floats:
    """Return float64[...]: the chance of a standard normal value below `z`."""
    return np.asarray(ndtr(np.asarray(z, dtype=np.float64)))


def normal_upper(tail: float) -> float:
    """Return the z above which a standard normal value lies with chance `tail`."""
    return -float(ndtri(tail))


def student_upper(tail: ArrayLike, freedom: ArrayLike) -> Floats:
    """Return float64[...]: the t above which Student's t lies with chance `tail`.

    `tail` and `freedom` broadcast; at infinite degrees of freedom it is the normal value.
    """
    chance, free = np.broadcast_arrays(
        np.asarray(tail, dtype=np.float64), np.asarray(freedom, dtype=np.float64)
    )
    known = np.isfinite(free)
    found = -ndtri(chance)
    return np.where(known, -stdtrit(np.where(known, free, 1.0), chance), found)


def chi_square_above(value: float, freedom: float) -> float:
    """Return the chance of a chi square above `value`."""
    return float(chdtrc(freedom, value))


def chi_square_bounds(tail: float, freedom: float) -> tuple[float, float]:
    """Return the values that chi square falls below, and above, with chance `tail` each."""
    return 2.0 * float(gammaincinv(0.5 * freedom, tail)), float(chdtri(freedom, tail))


def beta_bounds(tail: float, a: float, b: float) -> tuple[float, float]:
    """Return the values that Beta(a, b) falls below, and above, with chance `tail` each."""
    return float(betaincinv(a, b, tail)), float(betainccinv(a, b, tail))


def beta_above(value: float, a: float, b: float) -> float:
    """Return the chance of a Beta(a, b) above `value`."""
    return float(betaincc(a, b, value))

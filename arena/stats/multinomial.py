"""Maximum likelihood of a multinomial under a constraint on its mean or on its t-value.

The distribution p of block scores v that is most likely to have given the frequencies f, subject
to a linear constraint sum p_i c_i = 0, is p_i = f_i / (1 + x c_i) with x the root of
sum f_i c_i / (1 + x c_i) = 0 (Owen 2001, Empirical Likelihood, 2.2).  A t-value is constrained by
repeating this with the constraint's influence function until p stands still.
"""

from __future__ import annotations

import numpy as np

from arena.stats.arrays import Floats
from arena.stats.errors import StatsError
from arena.stats.roots import root_between

ROUNDS = 200
STILL = 1e-12
GRID = 80


def likeliest_with_mean(values: Floats, shares: Floats, mean: float) -> Floats:
    """Return float64[k]: the likeliest distribution whose mean is `mean`.

    `values`, `shares` float64[k], all shares positive and summing to 1.  Raises StatsError for a
    mean outside the open range of the values.
    """
    if not values.min() < mean < values.max():
        raise StatsError(f"no distribution on the scores has the mean {mean:g}")
    return _likeliest(values - mean, shares)


def likeliest_with_t(values: Floats, shares: Floats, t: float, *, par: float = 0.5) -> Floats:
    """Return float64[k]: the likeliest distribution with (mean - par) / deviation = t.

    At the maximum p obeys the linear constraint of its own influence function, so p is fixed by
    its deviation s alone; s is found by iteration, or where that fails, among all roots on a grid
    the likeliest.  Raises StatsError where there is none, as for a t that no scores can reach.
    """
    p = np.full(len(values), 1.0 / len(values))
    for _ in range(ROUNDS):
        mean = float(p @ values)
        moved = _with_influence(
            values, shares, t, mean, float(np.sqrt(p @ (values - mean) ** 2)), par
        )
        if moved is None:
            break
        if np.abs(moved - p).max() < STILL:
            return moved
        p = moved
    return _likeliest_root(values, shares, t, par)


def _with_influence(
    values: Floats, shares: Floats, t: float, mean: float, deviation: float, par: float
) -> Floats | None:
    """The likeliest p under the constraint that is right for this mean and deviation, if any."""
    if deviation <= 0.0:
        return None
    spread = 1.0 + ((values - mean) / deviation) ** 2
    influence = values - par - 0.5 * t * deviation * spread
    if not influence.min() < 0.0 < influence.max():
        return None
    return _likeliest(influence, shares)


def _likeliest_root(values: Floats, shares: Floats, t: float, par: float) -> Floats:
    def miss(deviation: float) -> float:
        p = _with_influence(values, shares, t, par + t * deviation, deviation, par)
        if p is None:
            return np.nan
        return float(p @ (values - par - t * deviation) ** 2) - deviation**2

    grid = np.geomspace(1e-6, 0.5 * float(np.ptp(values)), GRID)
    signs = np.sign([miss(deviation) for deviation in grid])
    best: Floats | None = None
    for low, high in zip(
        *(grid[i:][np.nonzero(signs[:-1] * signs[1:] < 0)[0]] for i in (0, 1)), strict=True
    ):
        deviation = root_between(miss, low, high, step=1e-15)
        p = _with_influence(values, shares, t, par + t * deviation, deviation, par)
        if p is not None and (best is None or shares @ np.log(p) > shares @ np.log(best)):
            best = p
    if best is None:
        raise StatsError(f"no distribution on the scores has the t-value {t:g}")
    return best


def _likeliest(constraint: Floats, shares: Floats) -> Floats:
    """The likeliest distribution with zero mean of `constraint`, which takes both signs."""
    least, most = -1.0 / constraint.max(), -1.0 / constraint.min()
    edge = 1e-12 * (most - least)

    def slope(x: float) -> float:
        return float(shares @ (constraint / (1.0 + x * constraint)))

    x = root_between(slope, least + edge, most - edge, step=1e-15 * (most - least))
    p = shares / (1.0 + x * constraint)
    return np.asarray(p / p.sum())

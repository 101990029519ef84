"""Fixed points of contractions, accelerated.

Values that depend on themselves are iterated, x -> f(x), with Aitken's extrapolation after every
two steps: where f is linear in the one direction in which x still moves (the policy no longer
changes), the extrapolated value is the fixed point itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

STEEPEST: Final = 0.999999
"""Steps that shrink less than this are not extrapolated."""


def extrapolated(x0: Values, x1: Values, x2: Values) -> Values:
    """Aitken's extrapolation of three iterates, entry by entry."""
    first, second = x1 - x0, x2 - x1
    moving = np.abs(first) > 1e-300
    ratio = np.divide(second, first, out=np.zeros_like(first), where=moving)
    ratio = np.where(np.abs(ratio) < STEEPEST, ratio, 0.0)
    return np.asarray(x2 + second * ratio / (1.0 - ratio))


def fixed_point(
    step: Callable[[Values], Values], start: Values, *, change: float, most: int = 10_000
) -> tuple[Values, float]:
    """The fixed point of a contraction.

    Args:
        step: x -> f(x), entry by entry of the same shape; must return a new array.
        start: first x.
        change: settled once no entry changes by more in one step.
        most: steps, after which the last value is returned.

    Returns:
        f(x) of the last x, and the largest change of the last step.
    """
    x0 = start
    moved = np.inf
    for _ in range(most):
        x1 = step(x0)
        moved = float(np.abs(x1 - x0).max())
        if moved <= change:
            return x1, moved
        x2 = step(x1)
        moved = float(np.abs(x2 - x1).max())
        if moved <= change:
            return x2, moved
        x0 = extrapolated(x0, x1, x2)
    return x0, moved

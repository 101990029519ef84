"""Roots of functions of one number."""

from __future__ import annotations

from collections.abc import Callable


def root_between(
    function: Callable[[float], float], low: float, high: float, *, step: float, rounds: int = 500
) -> float:
    """Return a root between `low` and `high`, where the signs differ, to within `step`.

    By the method of Brent (1973).  Raises ValueError where the signs are equal.
    """
    from scipy.optimize import brentq  # takes long to import

    return float(brentq(function, low, high, xtol=step, maxiter=rounds))

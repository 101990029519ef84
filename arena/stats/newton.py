"""Newton's method for concave likelihoods with known flat directions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from arena.stats.arrays import Bools, Floats
from arena.stats.errors import StatsError

MAX_STEPS = 200
LONGEST_STEP = 5.0
STEP_PRECISION = 1e-9
LARGEST_LAST_STEP = 1e-5

FLATTEST = 1e-6
"""Curvature below which a top counts as flat; one lost game gives about one half."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Objective:
    """A concave function of parameters float64[p].

    `value` gives it, minus infinity outside its domain; `slopes` gives its gradient float64[p]
    and information (minus Hessian) float64[p,p].  `free` bool[p] marks what may move; `flat`
    float64[k,p] are orthonormal directions along which it does not change.
    """

    value: Callable[[Floats], float]
    slopes: Callable[[Floats], tuple[Floats, Floats]]
    free: Bools
    flat: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Peak:
    """The maximum: `parameters` float64[p] and `information` float64[p,p] there."""

    parameters: Floats
    information: Floats


def climb(objective: Objective, start: Floats) -> Peak:
    """Return the maximum nearest to `start` along the flat directions.

    Raises StatsError where none is reached in MAX_STEPS or where the top is as good as flat, which
    means that it lies at infinity.
    """
    parameters = start.copy()
    value, longest = objective.value(parameters), np.inf
    information = np.zeros((len(start), len(start)))
    for _ in range(MAX_STEPS):
        gradient, information = objective.slopes(parameters)
        step = _step(objective, gradient, information)
        longest = float(np.abs(step).max(initial=0.0))
        if longest < STEP_PRECISION:
            break
        step *= min(1.0, LONGEST_STEP / longest)
        moved = _improve(objective, parameters, step, value)
        if moved is None:  # rounding noise is all that is left to gain
            break
        parameters, value = moved
    curves = np.linalg.eigvalsh(_stiffened(objective, information))
    if longest > LARGEST_LAST_STEP or curves.min(initial=1.0) < FLATTEST:
        raise StatsError("the likelihood has no maximum within reach: the data do not bound it")
    return Peak(parameters=parameters, information=information)


def inverse_information(objective: Objective, information: Floats) -> Floats:
    """Return the covariance float64[p,p] with no variance along flat or fixed directions."""
    free = objective.free
    cover = np.zeros_like(information)
    cover[np.ix_(free, free)] = np.linalg.inv(_stiffened(objective, information))
    return cover - objective.flat.T @ objective.flat / _stiffness(information)


def _stiffness(information: Floats) -> float:
    return max(float(np.trace(information)) / len(information), 1e-9)


def _stiffened(objective: Objective, information: Floats) -> Floats:
    stiff = information + _stiffness(information) * objective.flat.T @ objective.flat
    return stiff[np.ix_(objective.free, objective.free)]


def _step(objective: Objective, gradient: Floats, information: Floats) -> Floats:
    step = np.zeros_like(gradient)
    try:
        step[objective.free] = np.linalg.solve(
            _stiffened(objective, information), gradient[objective.free]
        )
    except np.linalg.LinAlgError as error:
        raise StatsError("the data do not determine all parameters of the fit") from error
    return step


def _improve(
    objective: Objective, parameters: Floats, step: Floats, value: float
) -> tuple[Floats, float] | None:
    for halving in range(40):
        there = parameters + step * 0.5**halving
        reached = objective.value(there)
        if reached >= value - 1e-12 * abs(value):
            return there, reached
    return None

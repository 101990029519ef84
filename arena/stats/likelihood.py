"""The Bradley-Terry log likelihood, its Newton maximum and its curvature.

Parameters are float64[n+2]: n ratings and the seat term in natural units (Elo / 173.7), then the
draw parameter v of `arena.stats.draw_models`; what is not fitted stays where it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, log_expit

from arena.stats.checking import Bools, Floats
from arena.stats.draw_models import DrawModel, OutcomeTerms, outcome_terms
from arena.stats.errors import StatsError
from arena.stats.results import Rows

MAX_STEPS = 200
START_WIDTH = 0.5
GRADIENT_PRECISION = 1e-10


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What is fitted to which games.

    `ghosts` float64[k,n+1]: each row is the linear form of one virtual drawn game in the ratings
    and the seat term.  `anchors` maps bots to fixed ratings in natural units.
    """

    rows: Rows
    bots: int
    model: DrawModel
    seat: bool
    ghosts: Floats
    anchors: Mapping[int, float]

    @property
    def free(self) -> Bools:
        """Which of the n+2 parameters are fitted, bool[n+2]."""
        mask = np.ones(self.bots + 2, dtype=np.bool_)
        mask[list(self.anchors)] = False
        mask[self.bots] = self.seat
        mask[self.bots + 1] = self.model != "half"
        return mask

    @property
    def start(self) -> Floats:
        """Starting point, float64[n+2]."""
        where = np.zeros(self.bots + 2)
        for bot, rating in self.anchors.items():
            where[bot] = rating
        if self.anchors:
            where[: self.bots][self.free[: self.bots]] = float(np.mean(list(self.anchors.values())))
        where[self.bots + 1] = START_WIDTH
        return where


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """The maximum: `parameters` float64[n+2], `information` float64[n+2,n+2] with the prior."""

    parameters: Floats
    information: Floats
    log_likelihood: float


def advantages(problem: Problem, parameters: Floats) -> Floats:
    """Return d of every row, float64[r]."""
    rows, seat = problem.rows, parameters[problem.bots]
    return np.asarray(parameters[rows.first] - parameters[rows.second] + seat)


def terms_at(problem: Problem, parameters: Floats) -> OutcomeTerms:
    """Return the outcome terms of every row."""
    width = float(parameters[problem.bots + 1])
    return outcome_terms(problem.model, advantages(problem, parameters), width)


def maximise(problem: Problem, start: Floats | None = None) -> Solution:
    """Return the maximum by Newton steps, halved where they overshoot.

    Raises StatsError if the maximum is not reached, which bounded data cannot cause.
    """
    parameters = (problem.start if start is None else start).copy()
    free = problem.free
    value = _value(problem, parameters)
    scale = max(float(problem.rows.played.sum()), 1.0)
    for _ in range(MAX_STEPS):
        gradient, information = _slopes(problem, parameters)
        if np.abs(gradient[free]).max(initial=0.0) <= GRADIENT_PRECISION * scale:
            step = np.zeros_like(gradient)
            step[free] = np.linalg.solve(_regular(problem, information, free), gradient[free])
            if np.abs(step).max(initial=0.0) < 1e-9:
                return Solution(
                    parameters=parameters + step,
                    information=information,
                    log_likelihood=_value(problem, parameters, with_ghosts=False),
                )
        step = np.zeros_like(gradient)
        step[free] = np.linalg.solve(_regular(problem, information, free), gradient[free])
        step *= min(1.0, 5.0 / max(float(np.abs(step).max(initial=0.0)), 1e-300))
        parameters, value = _improve(problem, parameters, step, value)
    raise StatsError("the rating fit did not converge; please report the data")


def spread(problem: Problem, solution: Solution) -> Floats:
    """Return the inverse of the information, float64[n+2,n+2], zero where nothing is fitted.

    Without anchors it is the covariance under the condition that the ratings sum to zero.
    """
    free = problem.free
    cover = np.zeros((len(free), len(free)))
    inverse = np.linalg.inv(_regular(problem, solution.information, free))
    cover[np.ix_(free, free)] = inverse
    if not problem.anchors:
        n = problem.bots
        cover[:n, :n] -= 1.0 / (n * _level(problem, solution.information))
    return cover


def _improve(
    problem: Problem, parameters: Floats, step: Floats, value: float
) -> tuple[Floats, float]:
    for halving in range(40):
        there = parameters + step * 0.5**halving
        if problem.model == "rao-kupper" and there[-1] <= 0.0:
            continue
        reached = _value(problem, there)
        if reached >= value - 1e-12 * abs(value):
            return there, reached
    return parameters, value


def _level(problem: Problem, information: Floats) -> float:
    """Curvature given to the direction "all ratings alike", which the games leave open."""
    return max(float(np.trace(information[: problem.bots, : problem.bots])) / problem.bots, 1e-9)


def _regular(problem: Problem, information: Floats, free: Bools) -> Floats:
    regular = information.copy()
    if not problem.anchors:
        n = problem.bots
        regular[:n, :n] += _level(problem, information) / n
    return regular[np.ix_(free, free)]


def _value(problem: Problem, parameters: Floats, *, with_ghosts: bool = True) -> float:
    total = float((problem.rows.counts * terms_at(problem, parameters).value).sum())
    if with_ghosts and len(problem.ghosts):
        d = problem.ghosts @ parameters[:-1]
        total += 0.5 * float((log_expit(d) + log_expit(-d)).sum())
    return total


def _slopes(problem: Problem, parameters: Floats) -> tuple[Floats, Floats]:
    """Return the gradient float64[n+2] and the information float64[n+2,n+2]."""
    rows, n = problem.rows, problem.bots
    terms = terms_at(problem, parameters)
    by_d, by_v, by_dd, by_dv, by_vv = (
        (rows.counts * part).sum(1)
        for part in (terms.by_d, terms.by_v, terms.by_dd, terms.by_dv, terms.by_vv)
    )
    gradient = np.concatenate([_net(problem, by_d), [by_d.sum(), by_v.sum()]])
    pairs = np.bincount(rows.first * n + rows.second, -by_dd, n * n).reshape(n, n)
    pairs = pairs + pairs.T
    information = np.zeros((n + 2, n + 2))
    information[:n, :n] = np.diag(pairs.sum(1)) - pairs
    information[:n, n] = information[n, :n] = _net(problem, -by_dd)
    information[:n, n + 1] = information[n + 1, :n] = _net(problem, -by_dv)
    information[n, n] = -by_dd.sum()
    information[n, n + 1] = information[n + 1, n] = -by_dv.sum()
    information[n + 1, n + 1] = -by_vv.sum()
    if len(problem.ghosts):
        chance = expit(problem.ghosts @ parameters[:-1])
        gradient[:-1] += problem.ghosts.T @ (0.5 - chance)
        bend = (problem.ghosts * (chance * (1.0 - chance))[:, None]).T @ problem.ghosts
        information[:-1, :-1] += bend
    return gradient, information


def _net(problem: Problem, per_row: Floats) -> Floats:
    rows, n = problem.rows, problem.bots
    net = np.bincount(rows.first, per_row, n) - np.bincount(rows.second, per_row, n)
    return net.astype(np.float64)

"""The Bradley-Terry log likelihood, its Newton maximum and its curvature.

Parameters are float64[n+2]: n ratings and the seat term in natural units (Elo / 173.7), then the
draw parameter v of `arena.stats.draw_models`; what is not fitted stays where it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, log_expit

from arena.stats.arrays import Bools, Floats, sums_by
from arena.stats.draw_models import DrawModel, OutcomeTerms, outcome_terms
from arena.stats.newton import Objective, climb, inverse_information
from arena.stats.results import Rows

START_WIDTH = 0.5
HELD_WIDTH = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What is fitted to which games.

    `ghosts` float64[k,n+1]: each row is the linear form of one virtual drawn game in the ratings
    and the seat term.  `anchors` maps bots to fixed ratings in natural units.  `held` gives the
    draw parameter a normal prior of deviation HELD_WIDTH about START_WIDTH.
    """

    rows: Rows
    bots: int
    model: DrawModel
    seat: bool
    ghosts: Floats
    anchors: Mapping[int, float]
    held: bool = False

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
    """The maximum: `parameters` float64[n+2]; `inverse` float64[n+2,n+2] of the information.

    `inverse` is zero where nothing is fitted; without anchors it is the covariance under the
    condition that the ratings sum to zero.  `prior` float64[n+2,n+2] is the part of the information
    that stems from virtual games.
    """

    parameters: Floats
    inverse: Floats
    prior: Floats
    log_likelihood: float


def advantages(problem: Problem, parameters: Floats) -> Floats:
    """Return d of every row, float64[r]."""
    rows, seat = problem.rows, parameters[problem.bots]
    return np.asarray(parameters[rows.first] - parameters[rows.second] + seat)


def terms_at(problem: Problem, parameters: Floats) -> OutcomeTerms:
    """Return the outcome terms of every row."""
    width = float(parameters[problem.bots + 1])
    return outcome_terms(problem.model, advantages(problem, parameters), width)


def objective_of(problem: Problem) -> Objective:
    """Return the penalised log likelihood as a function of float64[n+2]."""
    flat = np.zeros((0, problem.bots + 2))
    if not problem.anchors:
        flat = np.zeros((1, problem.bots + 2))
        flat[0, : problem.bots] = problem.bots**-0.5

    def value(parameters: Floats) -> float:
        if problem.model == "rao-kupper" and parameters[-1] <= 0.0:
            return -np.inf
        return log_likelihood(problem, parameters) + _prior_value(problem, parameters)

    def slopes(parameters: Floats) -> tuple[Floats, Floats]:
        return _slopes(problem, parameters)

    return Objective(value=value, slopes=slopes, free=problem.free, flat=flat)


def maximise(problem: Problem) -> Solution:
    """Return the maximum; raises StatsError where the data do not bound it."""
    objective = objective_of(problem)
    peak = climb(objective, problem.start)
    return Solution(
        parameters=peak.parameters,
        inverse=inverse_information(objective, peak.information),
        prior=_prior_slopes(problem, peak.parameters)[1],
        log_likelihood=log_likelihood(problem, peak.parameters),
    )


def log_likelihood(problem: Problem, parameters: Floats) -> float:
    """Return the log likelihood of the games without virtual ones."""
    return float((problem.rows.counts * terms_at(problem, parameters).value).sum())


def _prior_value(problem: Problem, parameters: Floats) -> float:
    d = problem.ghosts @ parameters[:-1]
    value = 0.5 * float((log_expit(d) + log_expit(-d)).sum())
    if problem.held:
        value -= 0.5 * ((float(parameters[-1]) - START_WIDTH) / HELD_WIDTH) ** 2
    return value


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
    prior_gradient, prior_information = _prior_slopes(problem, parameters)
    return gradient + prior_gradient, information + prior_information


def _prior_slopes(problem: Problem, parameters: Floats) -> tuple[Floats, Floats]:
    gradient, information = np.zeros_like(parameters), np.zeros((len(parameters),) * 2)
    chance = expit(problem.ghosts @ parameters[:-1])
    gradient[:-1] = problem.ghosts.T @ (0.5 - chance)
    bend = (problem.ghosts * (chance * (1.0 - chance))[:, None]).T @ problem.ghosts
    information[:-1, :-1] = bend
    if problem.held:
        gradient[-1] -= (parameters[-1] - START_WIDTH) / HELD_WIDTH**2
        information[-1, -1] += 1.0 / HELD_WIDTH**2
    return gradient, information


def _net(problem: Problem, per_row: Floats) -> Floats:
    rows, n = problem.rows, problem.bots
    return sums_by(rows.first, per_row, n) - sums_by(rows.second, per_row, n)

"""Standings of two-bot games: the joint Bradley-Terry fit with a seat term.

P(first beats second) follows d = (r_first - r_second + seat) on the 400 scale (see
`arena.stats.draw_models` for draws); all ratings and the seat term are fitted together by
Newton's method on the concave log likelihood.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from arena.stats.arrays import Floats, Ints, level, numbers
from arena.stats.connection import (
    Bound,
    Connection,
    SeatStatus,
    connection_of,
    connection_warnings,
    seat_status,
    virtual_games,
)
from arena.stats.draw_models import DrawModel, outcome_terms
from arena.stats.elo import ELO_PER_LOGIT
from arena.stats.errors import StatsError
from arena.stats.likelihood import Problem, Solution, maximise
from arena.stats.results import Results, Rows, rows_of, scored_against
from arena.stats.sandwich import block_covariance
from arena.stats.tails import student_upper

CovarianceKind = Literal["auto", "hessian", "sandwich"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTerm:
    """Elo advantage of moving first, one standard error, interval, and whether it is one."""

    elo: float
    error: float
    low: float
    high: float
    status: SeatStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """Ratings of n bots on the 400 scale, summing to zero unless anchored.

    `ratings`, `errors` (one standard error), `low`, `high` float64[n] in Elo; `covariance`
    float64[n,n] in Elo squared; `freedom` float64[n] degrees of freedom of the errors (inf for a
    covariance from the Hessian); `games` int64[n]; `draw_width` the fitted draw parameter in
    natural units, None where draws are half points or none were played; `log_likelihood` without
    the prior.  `warnings` are sentences for people.
    """

    ratings: Floats
    errors: Floats
    low: Floats
    high: Floats
    covariance: Floats
    freedom: Floats
    confidence: float
    games: Ints
    seat: SeatTerm
    connection: Connection
    draw_model: DrawModel
    draw_width: float | None
    covariance_kind: Literal["hessian", "sandwich"]
    log_likelihood: float
    warnings: tuple[str, ...]

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """For each bot, whether the games bound its rating."""
        return self.connection.bounds


def fit_bradley_terry(
    results: Results,
    *,
    seat: bool = True,
    draws: DrawModel = "half",
    covariance: CovarianceKind = "auto",
    confidence: float = 0.95,
    anchors: Mapping[int, float] | None = None,
) -> Standings:
    """Fit ratings to all games at once.

    `anchors` maps bot indices to fixed Elo values.  `covariance` "hessian" is the inverse of the
    observed information (games independent), "sandwich" is over blocks (White 1982, Liang and
    Zeger 1986), "auto" takes the sandwich where there are blocks.  Where the games do not bound a
    rating, one virtual drawn game against the mean of the bounded bots keeps it finite, and
    `bounds` and `warnings` say so; bounded ratings feel no prior.  Raises StatsError for an anchor
    out of range and where there are no games at all.
    """
    rows = rows_of(results)
    if not rows.played.any():
        raise StatsError("there are no games to rate")
    fixed = _checked_anchors(anchors, results.bots)
    connection = connection_of(scored_against(rows, results.bots), results.games.astype(np.float64))
    status = seat_status(rows, results.bots) if seat else SeatStatus.OMITTED
    problem = _problem(rows, results.bots, connection, status, draws, fixed)
    solution, held = _maximum(problem)
    by_blocks = covariance == "sandwich" or (covariance == "auto" and len(results.first) > 0)
    cover, freedom = (
        block_covariance(results, problem, solution, connection.unbounded)
        if by_blocks
        else (solution.inverse, np.full(results.bots + 2, np.inf))
    )
    fit = _Fit(
        problem=problem,
        solution=solution,
        cover=cover,
        freedom=freedom,
        kind="sandwich" if by_blocks else "hessian",
        connection=connection,
        status=status,
        warnings=_warnings(connection, status, held),
    )
    return _standings(fit, results.games, level(confidence))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fit:
    """All that the record is made of; `cover` and `freedom` over n+2 parameters."""

    problem: Problem
    solution: Solution
    cover: Floats
    freedom: Floats
    kind: Literal["hessian", "sandwich"]
    connection: Connection
    status: SeatStatus
    warnings: tuple[str, ...]


def _checked_anchors(anchors: Mapping[int, float] | None, bots: int) -> dict[int, float]:
    fixed = dict(anchors or {})
    for bot, elo in fixed.items():
        if not 0 <= bot < bots:
            raise StatsError(f"anchor: there is no bot {bot} among {bots}")
        numbers(elo, name=f"anchor of bot {bot}")
    return fixed


def _problem(
    rows: Rows,
    bots: int,
    connection: Connection,
    status: SeatStatus,
    draws: DrawModel,
    anchors: dict[int, float],
) -> Problem:
    """State what is fitted: rows, free parameters, and virtual games where they are needed."""
    ghosts = np.pad(virtual_games(connection), ((0, 0), (0, 1)))
    if status is SeatStatus.UNBOUNDED:
        ghosts = np.vstack([ghosts, np.eye(bots + 1)[bots]])
    has_draws = bool(rows.counts[:, 1].any() and rows.counts[:, ::2].any())
    return Problem(
        rows=rows,
        bots=bots,
        model=draws if has_draws else "half",
        seat=status in (SeatStatus.FINITE, SeatStatus.UNBOUNDED),
        ghosts=ghosts,
        anchors={bot: elo / ELO_PER_LOGIT for bot, elo in anchors.items()},
    )


def _standings(fit: _Fit, games: Ints, confidence: float) -> Standings:
    n, model = len(games), fit.problem.model
    elo = fit.solution.parameters[: n + 1] * ELO_PER_LOGIT
    errors = np.sqrt(np.maximum(np.diag(fit.cover)[: n + 1], 0.0)) * ELO_PER_LOGIT
    half = student_upper((1.0 - confidence) / 2.0, fit.freedom[: n + 1]) * errors
    return Standings(
        ratings=elo[:n],
        errors=errors[:n],
        low=(elo - half)[:n],
        high=(elo + half)[:n],
        covariance=fit.cover[:n, :n] * ELO_PER_LOGIT**2,
        freedom=fit.freedom[:n],
        confidence=confidence,
        games=games,
        seat=SeatTerm(
            elo=float(elo[n]),
            error=float(errors[n]),
            low=float(elo[n] - half[n]),
            high=float(elo[n] + half[n]),
            status=fit.status,
        ),
        connection=fit.connection,
        draw_model=model,
        draw_width=None if model == "half" else float(fit.solution.parameters[n + 1]),
        covariance_kind=fit.kind,
        log_likelihood=fit.solution.log_likelihood,
        warnings=fit.warnings,
    )


def _maximum(problem: Problem) -> tuple[Solution, bool]:
    """Return the maximum, and whether everything had to be held for there to be one.

    Ratings, seat term and draw parameter can run away together where none does alone, in very few
    games.  Then each gets its virtual draw.
    """
    try:
        return maximise(problem), False
    except StatsError:
        n = problem.bots
        bots = np.pad(np.eye(n) - 1.0 / n, ((0, 0), (0, 1)))
        every = np.vstack([bots, np.eye(n + 1)[n]])
        return maximise(replace(problem, ghosts=every, held=True)), True


def _warnings(connection: Connection, status: SeatStatus, held: bool) -> tuple[str, ...]:
    found = list(connection_warnings(connection))
    if status is SeatStatus.UNBOUNDED:
        found.append("one seat won everything; the seat term is kept finite by one virtual draw")
    if held:
        found.append("too few games to bound ratings and draws together; all feel a virtual draw")
    if status is SeatStatus.CONFOUNDED:
        found.append("no seat term: the schedule cannot tell the seat from the bots")
    return tuple(found)


def expected_score(standings: Standings, first: int, second: int) -> float:
    """Return the score that the ratings expect of bot `first` with the seats averaged."""
    gap = (standings.ratings[first] - standings.ratings[second]) / ELO_PER_LOGIT
    seat = standings.seat.elo / ELO_PER_LOGIT
    both = np.array([gap + seat, gap - seat])
    return float(
        outcome_terms(standings.draw_model, both, standings.draw_width or 0.0).expected.mean()
    )

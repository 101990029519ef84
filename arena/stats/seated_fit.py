"""From choices among seated bots to ratings: the maximum, virtual games, and the record."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, log_expit

from arena.stats.arrays import Floats, Ints, level
from arena.stats.choices import ChoiceSets, log_likelihood, slopes
from arena.stats.connection import (
    Bound,
    Connection,
    SeatStatus,
    connection_warnings,
    virtual_games,
)
from arena.stats.elo import ELO_PER_LOGIT
from arena.stats.errors import StatsError
from arena.stats.newton import Objective, climb, inverse_information
from arena.stats.tails import student_upper

SINGULAR = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedStandings:
    """Ratings of n bots and terms of k seats on the 400 scale, each summing to zero.

    `ratings`, `errors` (one standard error), `low`, `high` float64[n] and `seats`, `seat_errors`,
    `seat_low`, `seat_high` float64[k] in Elo; `covariance` float64[n,n] in Elo squared and
    `freedom` float64[n], over blocks; `games` int64[n]; `log_likelihood` without the prior;
    `warnings` are sentences for people.
    """

    ratings: Floats
    errors: Floats
    low: Floats
    high: Floats
    covariance: Floats
    freedom: Floats
    confidence: float
    games: Ints
    seats: Floats
    seat_errors: Floats
    seat_low: Floats
    seat_high: Floats
    seat_status: SeatStatus
    connection: Connection
    log_likelihood: float
    warnings: tuple[str, ...]

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """For each bot, whether the games bound its rating."""
        return self.connection.bounds


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedPeak:
    """The maximum: `parameters` float64[bots+seats], `inverse` of the information there.

    `prior` is the part of the information that stems from virtual games.
    """

    parameters: Floats
    inverse: Floats
    prior: Floats
    log_likelihood: float
    seat_status: SeatStatus


def seated_peak(sets: ChoiceSets, connection: Connection, seats: int) -> SeatedPeak:
    """Return the maximum of the likelihood with virtual games where they are needed."""
    n = len(connection.reference)
    status = _seat_status(sets, n, seats)
    ghosts = np.pad(virtual_games(connection), ((0, 0), (0, seats)))
    if status is SeatStatus.UNBOUNDED:
        ghosts = np.vstack([ghosts, _against_mean(n, seats)])
    try:
        return _maximum(sets, ghosts, n, seats, status)
    except StatsError:
        # Bots and seats together can run away where neither does alone: then all are held.
        bots = np.pad(np.eye(n) - 1.0 / n, ((0, 0), (0, seats)))
        held = np.vstack([bots, _against_mean(n, seats)])
        if status is SeatStatus.FINITE:
            status = SeatStatus.UNBOUNDED
        return _maximum(sets, held, n, seats, status)


def seated_standings(
    peak: SeatedPeak,
    cover: Floats,
    freedom: Floats,
    games: Ints,
    connection: Connection,
    *,
    confidence: float,
) -> SeatedStandings:
    """Return the record of a fit; `cover` and `freedom` over all bots+seats, natural units.

    `cover` is that of the games; the error of virtual games is added here.
    """
    n = len(games)
    cover = cover + peak.inverse @ peak.prior @ peak.inverse
    elo = peak.parameters * ELO_PER_LOGIT
    errors = np.sqrt(np.maximum(np.diag(cover), 0.0)) * ELO_PER_LOGIT
    half = student_upper((1.0 - level(confidence)) / 2.0, freedom) * errors
    return SeatedStandings(
        ratings=elo[:n],
        errors=errors[:n],
        low=(elo - half)[:n],
        high=(elo + half)[:n],
        covariance=cover[:n, :n] * ELO_PER_LOGIT**2,
        freedom=freedom[:n],
        confidence=confidence,
        games=games,
        seats=elo[n:],
        seat_errors=errors[n:],
        seat_low=(elo - half)[n:],
        seat_high=(elo + half)[n:],
        seat_status=peak.seat_status,
        connection=connection,
        log_likelihood=peak.log_likelihood,
        warnings=_warnings(connection, peak.seat_status),
    )


def _warnings(connection: Connection, status: SeatStatus) -> tuple[str, ...]:
    found = list(connection_warnings(connection))
    if status is SeatStatus.UNBOUNDED:
        found.append("some seat never won; the seat terms are kept finite by virtual draws")
    if status is SeatStatus.CONFOUNDED:
        found.append("no seat terms: the schedule cannot tell the seats from the bots")
    return tuple(found)


def _against_mean(bots: int, seats: int) -> Floats:
    return np.pad(np.eye(seats) - 1.0 / seats, ((0, 0), (bots, 0)))


def _flat(bots: int, seats: int, fit_seats: bool) -> Floats:
    flat = np.zeros((2 if fit_seats else 1, bots + seats))
    flat[0, :bots] = bots**-0.5
    if fit_seats:
        flat[1, bots:] = seats**-0.5
    return flat


def _seat_status(sets: ChoiceSets, bots: int, seats: int) -> SeatStatus:
    """Whether seat terms can be told from ratings, and whether every seat took points.

    At equal strengths the information must have no null direction beyond those of the ratings.
    """
    _, information = slopes(sets, np.zeros(bots + seats))
    flat = _flat(bots, seats, fit_seats=True)
    scale = np.trace(information) / len(information)
    full = int((np.linalg.eigvalsh(information) > SINGULAR * scale).sum())
    alone = int((np.linalg.eigvalsh(information[:bots, :bots]) > SINGULAR * scale).sum())
    if full < alone + seats - (len(flat) - 1):
        return SeatStatus.CONFOUNDED
    took = sets.points[bots:] > 0.0
    return SeatStatus.FINITE if took.all() else SeatStatus.UNBOUNDED


def _maximum(
    sets: ChoiceSets, ghosts: Floats, bots: int, seats: int, status: SeatStatus
) -> SeatedPeak:
    fit_seats = status is not SeatStatus.CONFOUNDED

    def value(parameters: Floats) -> float:
        d = ghosts @ parameters
        virtual = 0.5 * float((log_expit(d) + log_expit(-d)).sum())
        return log_likelihood(sets, parameters) + virtual

    def slope(parameters: Floats) -> tuple[Floats, Floats]:
        gradient, information = slopes(sets, parameters)
        pull = ghosts.T @ (0.5 - expit(ghosts @ parameters))
        return gradient + pull, information + _ghost_information(ghosts, parameters)

    objective = Objective(
        value=value,
        slopes=slope,
        free=np.arange(bots + seats) < (bots + seats if fit_seats else bots),
        flat=_flat(bots, seats, fit_seats),
    )
    peak = climb(objective, np.zeros(bots + seats))
    return SeatedPeak(
        parameters=peak.parameters,
        inverse=inverse_information(objective, peak.information),
        prior=_ghost_information(ghosts, peak.parameters),
        log_likelihood=log_likelihood(sets, peak.parameters),
        seat_status=status,
    )


def _ghost_information(ghosts: Floats, parameters: Floats) -> Floats:
    chance = expit(ghosts @ parameters)
    return np.asarray((ghosts * (chance * (1.0 - chance))[:, None]).T @ ghosts)

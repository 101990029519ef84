"""Ratings of one ruleset, from the statistics room, in the shape that a report needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from arena.report.measures import ELO_DIGITS, RATE_DIGITS, SHARE_DIGITS, Played, span
from arena.report.model import Bound, Ring, Span, Surprise
from arena.stats import Bound as StatsBound
from arena.stats import (
    Estimate,
    Results,
    SeatedMatches,
    SeatedStandings,
    SeatStatus,
    Standings,
    fit_bradley_terry,
    fit_plackett_luce,
    fit_test,
    ranks,
    seated_matches,
    superiority,
    surely_stronger,
)

BOUNDS: dict[StatsBound, Bound] = {
    StatsBound.FINITE: "finite",
    StatsBound.ABOVE: "above",
    StatsBound.BELOW: "below",
    StatsBound.UNCONNECTED: "unconnected",
}
NOTABLE_ERRORS = 3.0
NOTABLE_SHARE = 0.01
"""Pairs that the ratings miss by fewer standard errors, or by less of the points, are not named."""
CLEAR_MISFIT = 0.01
"""A p-value below this is called a misfit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """One bot; see `Standing` for the fields."""

    bot: int
    elo: Span
    bound: Bound
    rank_low: int
    rank_high: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ratings:
    """All bots of one ruleset, strongest first.

    Attributes:
        numbered: the bots in the order of `values` and `covariance`.
        values: float64[n], unrounded Elo.
        covariance: float64[n, n], in Elo squared.
        bots: best first.
        sure: chance that the first bot of the key is stronger than the second.
        seat_elos: of every seat, where there are more than two; they sum to zero.
        level: bots that cannot be told apart from the best one, in order; without the best.
        groups: how many groups of bots never met one another.
        seats_known: whether the games tell what the seats are worth.
        left_out: matches that the ratings could not use.
        others: see `Section`.
    """

    numbered: tuple[int, ...]
    values: NDArray[np.float64]
    covariance: NDArray[np.float64]
    bots: tuple[Rating, ...]
    sure: dict[tuple[int, int], float]
    level: tuple[int, ...]
    method: str
    seat_elo: Span | None = None
    seat_elos: tuple[Span, ...] = ()
    explained: str = ""
    surprises: tuple[Surprise, ...] = ()
    rings: tuple[Ring, ...] = ()
    groups: int = 1
    seats_known: bool = True
    left_out: int = 0


def rate(played: Sequence[Played], players: int) -> Ratings | None:
    """Rate all bots of these matches; None where no two different bots have met."""
    useful = [each for each in played if not each.with_itself and each.stats.blocks]
    bots = sorted({bot for each in useful for bot in each.bots})
    if len(bots) < 2:
        return None
    return _pairs(useful, bots) if players == 2 else _tables(useful, bots, players)


def _pairs(played: Sequence[Played], bots: list[int]) -> Ratings:
    results = _results(played, bots)
    standings = fit_bradley_terry(results)
    fit = fit_test(results, standings)
    seat = standings.seat
    return replace(
        _ratings(standings, bots),
        method=(
            "One Bradley–Terry fit over all games, with a term for the first seat and draws as "
            "half points; ratings sum to zero; intervals from blocks."
        ),
        seat_elo=elo_span(seat.elo, seat.low, seat.high)
        if seat.status is SeatStatus.FINITE
        else None,
        seats_known=seat.status is SeatStatus.FINITE,
        explained=_explained(fit.p_value),
        surprises=tuple(
            Surprise(
                bot=bots[pair.stronger],
                other=bots[pair.weaker],
                games=pair.games,
                observed=round(pair.observed, SHARE_DIGITS),
                expected=round(pair.expected, SHARE_DIGITS),
                errors=round(pair.z, RATE_DIGITS),
            )
            for pair in fit.pairs
            if pair.z >= NOTABLE_ERRORS and pair.observed - pair.expected >= NOTABLE_SHARE
        ),
        rings=tuple(
            Ring(
                bots=(bots[ring.bots[0]], bots[ring.bots[1]], bots[ring.bots[2]]),
                errors=round(ring.z, RATE_DIGITS),
            )
            for ring in fit.cycles
        ),
    )


def _ratings(rated: Standings | SeatedStandings, bots: list[int]) -> Ratings:
    rank = ranks(rated)
    order = order_of(rated.ratings)
    surely = surely_stronger(rated)
    return Ratings(
        numbered=tuple(bots),
        values=rated.ratings,
        covariance=rated.covariance,
        bots=tuple(
            Rating(
                bot=bots[i],
                elo=elo_span(rated.ratings[i], rated.low[i], rated.high[i]),
                bound=BOUNDS[rated.bounds[i]],
                rank_low=int(rank.low[i]),
                rank_high=int(rank.high[i]),
            )
            for i in order
        ),
        sure=_named(superiority(rated), bots),
        level=tuple(bots[i] for i in order[1:] if not surely[order[0], i]),
        method="",
        groups=int(rated.connection.groups.max()) + 1,
    )


def _results(played: Sequence[Played], bots: list[int]) -> Results:
    index = {bot: i for i, bot in enumerate(bots)}
    rotated = [each for each in played if each.stats.rotations == 2]
    fixed = [each for each in played if each.stats.rotations == 1]

    def column(matches: list[Played], place: int) -> NDArray[np.int64]:
        return np.array([index[each.bots[place]] for each in matches], dtype=np.int64)

    return Results(
        bots=len(bots),
        first=column(rotated, 0),
        second=column(rotated, 1),
        tables=np.array([each.stats.pair_table for each in rotated]).reshape(-1, 3, 3),
        lone_first=column(fixed, 0),
        lone_second=column(fixed, 1),
        lone=np.array([each.stats.results[0, 0] for each in fixed]).reshape(-1, 3),
    )


def _explained(p_value: float | None) -> str:
    if p_value is None:
        return ""
    found = "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"
    if p_value < CLEAR_MISFIT:
        return (
            "One number per bot does not explain all results: some bots do better or worse "
            f"against particular opponents than their ratings say (test of fit, {found})."
        )
    return f"The results of the single pairs agree with the ratings (test of fit, {found})."


def _tables(played: Sequence[Played], bots: list[int], players: int) -> Ratings:
    rotated = [each for each in played if not each.match.fixed_seats]
    used = rotated or list(played)
    bots = [bot for bot in bots if any(bot in each.bots for each in used)]
    standings = fit_plackett_luce(_lineups(used, bots, rotated=bool(rotated)))
    ratings = _ratings(standings, bots)
    left_out = len(played) - len(used)
    seats = zip(standings.seats, standings.seat_low, standings.seat_high, strict=True)
    return replace(
        ratings,
        method=(
            "One Plackett–Luce fit on the winners of all games, with a term for every seat; "
            "ratings sum to zero; intervals from blocks."
        ),
        seat_elos=tuple(elo_span(*seat) for seat in seats)
        if standings.seat_status is SeatStatus.FINITE
        else (),
        seats_known=standings.seat_status is SeatStatus.FINITE,
        left_out=left_out,
    )


def _lineups(played: Sequence[Played], bots: list[int], *, rotated: bool) -> SeatedMatches:
    index = {bot: i for i, bot in enumerate(bots)}
    return seated_matches(
        bots=len(bots),
        lineups=[[index[bot] for bot in each.bots] for each in played],
        blocks=[each.stats.blocks for each in played],
        sums=[each.stats.block_sums / each.stats.unit for each in played],
        cross=[each.stats.block_products / each.stats.unit**2 for each in played],
        rotated=rotated,
    )


def order_of(elo: NDArray[np.float64]) -> list[int]:
    """Indices by falling Elo; rounding noise does not tell equal bots apart."""
    return [int(i) for i in np.argsort(-np.round(elo, 6), kind="stable")]


def _named(chances: NDArray[np.float64], bots: list[int]) -> dict[tuple[int, int], float]:
    return {
        (a, b): round(float(chances[i, j]), SHARE_DIGITS)
        for i, a in enumerate(bots)
        for j, b in enumerate(bots)
        if i != j
    }


def elo_span(value: float, low: float, high: float) -> Span:
    """An Elo value and its interval, rounded."""
    return span(Estimate(value=float(value), low=float(low), high=float(high)), ELO_DIGITS)

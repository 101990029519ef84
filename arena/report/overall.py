"""All rulesets of a report together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.report.measures import ELO_DIGITS, Played, span
from arena.report.model import Bound, Overall, Section, Span
from arena.report.ratings import Rating, Ratings, elo_span, order_of
from arena.report.sections import standings_of, unrated_of
from arena.report.words import verdict
from arena.stats import (
    Estimate,
    OverallRatings,
    RulesetRatings,
    StatsError,
    ranks,
    rate_across,
    surely_stronger,
)

NORMAL_95 = 1.959964
METHOD = (
    "Elo is the mean over these rulesets, each counting alike; its interval is that of the games "
    "played. “Any ruleset” is what to expect on another ruleset of this kind, by a fit that lets "
    "every bot be stronger here and weaker there; it is wide where few rulesets were played. "
    "“Spread” is the standard deviation of a bot’s strength from ruleset to ruleset: small for a "
    "generalist, large for a specialist."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Here:
    """Means over the rulesets played; see `arena.stats.ranks.Rated`."""

    ratings: NDArray[np.float64]
    covariance: NDArray[np.float64]
    freedom: NDArray[np.float64]


def overall_of(
    sections: Sequence[Section],
    ratings: Sequence[Ratings | None],
    played: Sequence[Played],
    full: Sequence[Played],
    names: Sequence[str],
) -> Overall | None:
    """Standings over all rulesets; None where one is enough or tables differ in size.

    Args:
        sections: of the rulesets.
        ratings: of the same.
        played: all matches.
        full: those without withdrawn bots.
        names: of all bots.
    """
    players = {section.players for section in sections}
    rated = [each for each in ratings if each is not None]
    if len(sections) < 2 or len(players) > 1 or len(rated) < 2:
        return None
    bots = sorted({bot for each in rated for bot in each.numbered})
    out = {row.bot for section in sections for row in section.unrated}.difference(bots)
    unrated = unrated_of(played, sorted(out), sections[0].players)
    data = _together(rated, bots)
    try:
        across = rate_across(data)
    except StatsError as error:
        return Overall(
            standings=(),
            unrated=unrated,
            by_section=(),
            beyond=(),
            spread=(),
            verdict=f"There is no order over all rulesets: {error}.",
            method="",
        )
    here = _Here(
        ratings=across.here,
        covariance=_covariance(data),
        freedom=np.full(len(bots), np.inf),
    )
    order = order_of(here.ratings)
    surely = surely_stronger(here)
    level = [bots[i] for i in order[1:] if not surely[order[0], i]]
    standings = standings_of(full, _lines(here, order, bots, rated), sections[0].players)
    return Overall(
        standings=standings,
        unrated=unrated,
        by_section=tuple(
            tuple(
                next((row for row in section.standings if row.bot == standing.bot), None)
                for section in sections
            )
            for standing in standings
        ),
        beyond=tuple(elo_span(across.ratings[i], across.low[i], across.high[i]) for i in order),
        spread=tuple(_spread(across, i) for i in order),
        verdict=verdict(standings, level, names),
        method=METHOD,
    )


def _together(rated: Sequence[Ratings], bots: Sequence[int]) -> RulesetRatings:
    """Ratings of all rulesets under one numbering; bots without a rating are not present."""
    index = {bot: i for i, bot in enumerate(bots)}
    n, k = len(bots), len(rated)
    values, covers = np.zeros((k, n)), np.zeros((k, n, n))
    present = np.zeros((k, n), dtype=np.bool_)
    for row, each in enumerate(rated):
        where = np.array([index[bot] for bot in each.numbered])
        values[row, where] = each.values
        covers[row][np.ix_(where, where)] = each.covariance
        lost = {rating.bot for rating in each.bots if rating.bound == "unconnected"}
        present[row, where] = [bot not in lost for bot in each.numbered]
    return RulesetRatings(ratings=values, covariances=covers, present=present, weights=np.ones(k))


def _covariance(data: RulesetRatings) -> NDArray[np.float64]:
    """float64[n, n]: of the means over the rulesets in which each bot was rated."""
    share = data.present / data.present.sum(0)
    return np.asarray(np.einsum("ki,kj,kij->ij", share, share, data.covariances))


def _lines(
    here: _Here, order: Sequence[int], bots: Sequence[int], rated: Sequence[Ratings]
) -> list[Rating]:
    rank = ranks(here)
    half = NORMAL_95 * np.sqrt(np.diag(here.covariance))
    return [
        Rating(
            bot=bots[i],
            elo=elo_span(here.ratings[i], here.ratings[i] - half[i], here.ratings[i] + half[i]),
            bound=_bound(
                [line.bound for each in rated for line in each.bots if line.bot == bots[i]]
            ),
            rank_low=int(rank.low[i]),
            rank_high=int(rank.high[i]),
        )
        for i in order
    ]


def _bound(bounds: Sequence[Bound]) -> Bound:
    """A mean is bounded on a side only where every part of it is."""
    for bound in ("unconnected", "above", "below"):
        if bound in bounds:
            return bound
    return "finite"


def _spread(across: OverallRatings, bot: int) -> Span:
    return span(
        Estimate(
            value=float(across.spread[bot]),
            low=float(across.spread_low[bot]),
            high=float(across.spread_high[bot]),
        ),
        ELO_DIGITS,
    )

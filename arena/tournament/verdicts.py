"""What a tournament that stopped by itself says about its end, as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Final, Union, assert_never

import numpy as np

from arena.bots.spec import BotSpec
from arena.tournament.stopping import SprtRule, Stopping

if TYPE_CHECKING:
    from arena.stats import RankDecision, SeatedStandings, SprtState, Standings, WidthDecision

Rated = Union["Standings", "SeatedStandings"]
"""Ratings of games of two, or of more."""

SHOWN_PAIRS: Final = 30
"""More pairs are only counted."""


def said_of_widths(
    bots: Sequence[BotSpec], decision: WidthDecision, half_width: float
) -> tuple[str, ...]:
    """How well the ratings are known."""
    widths = decision.half_widths
    if decision.done:
        return (f"every rating is known to ±{widths.max():.1f} Elo or better",)
    wide = ", ".join(f"{bots[i].name} to ±{widths[i]:.1f}" for i in decision.wide)
    return (f"not known to ±{half_width:g} Elo: {wide}",)


def said_of_ranks(
    bots: Sequence[BotSpec],
    rated: Rated,
    decision: RankDecision,
    stopping: Stopping,
) -> tuple[str, ...]:
    """Which bots are told apart, and intervals that hold however often one looks."""
    return tuple(_ranks(bots, rated, decision, stopping))


def _ranks(
    bots: Sequence[BotSpec], rated: Rated, decision: RankDecision, stopping: Stopping
) -> Iterator[str]:
    from arena.stats import anytime_intervals

    sure = f"{100 * stopping.ranks:g} % sure for all together, however often one looks"
    if decision.done and not decision.tied.any():
        yield f"all ranks are told apart, {sure}"
    else:
        yield f"told apart: {int(decision.stronger.sum())} pairs, {sure}"
        yield from _named(bots, decision.tied, f"tied within {stopping.tie:g} Elo")
        yield from _named(bots, decision.open, "not told apart")
    low, high = anytime_intervals(rated, confidence=stopping.ranks)
    for i in np.argsort(-rated.ratings, kind="stable"):
        yield (
            f"{bots[i].name}: {rated.ratings[i]:+.1f} Elo, {low[i]:+.1f} to {high[i]:+.1f} "
            "however often one looks"
        )


def _named(bots: Sequence[BotSpec], pairs: np.ndarray, what: str) -> Iterator[str]:
    places = [(i, j) for i, j in combinations(range(len(bots)), 2) if pairs[i, j]]
    names = [f"{bots[i].name} and {bots[j].name}" for i, j in places[:SHOWN_PAIRS]]
    more = len(places) - len(names)
    if names:
        yield f"{what}: {'; '.join(names)}" + (f"; and {more} more pairs" if more else "")


def said_of_test(rule: SprtRule, tested: BotSpec, other: BotSpec, state: SprtState | None) -> str:
    """What the sequential test of a pair found."""
    from arena.stats import Verdict

    pair = f"{tested.name} against {other.name}"
    if state is None:
        return f"{pair}: could not be played"
    if state.verdict is Verdict.H0:
        found = f"less than {_signed(rule.elo1)} Elo"
    elif state.verdict is Verdict.H1:
        found = f"more than {_signed(rule.elo0)} Elo"
    elif state.verdict in (Verdict.UNDECIDED, Verdict.RUNNING):
        found = "undecided"
    else:
        assert_never(state.verdict)
    return f"{pair}: {found}, ratio {state.llr:+.2f} after {state.blocks:,} blocks"


def _signed(elo: float) -> str:
    return f"{elo:+g}" if elo else "0"

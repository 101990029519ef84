"""What a bot sees of the table, and how much of it has to be told apart."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.game import Feature
from arena.rules import MAX_ROLLS_PER_TURN, MAX_ROUNDS, Ruleset
from arena.solver.answers import FEATURES, Ranges
from arena.solver.distributions import BotTurns, Turns
from arena.solver.sheets import Sheets

MOST_BUSTS: Final = 12
"""Longer rows of busts are taken for as long as this; bots that tell them apart are not known."""


def table_features(
    sheets: Sheets,
    seat: int,
    own: NDArray[np.int64],
    other: NDArray[np.int64],
    number: int,
    last: bool,
) -> NDArray[np.int64]:
    """int64[N, F]: features of N tables, those of the turn 0.

    Args:
        sheets: what `own` means.
        seat: 0 or 1.
        own: int64[N], sheets of the player to move.
        other: int64[N], scores of the other in units.
        number: of the round, from 1.
        last: whether the other leads and this is the last turn.
    """
    arrays = sheets.arrays
    unit = sheets.graph.unit
    table = np.zeros((len(own), FEATURES), dtype=np.int64)
    table[:, Feature.SCORE] = arrays.score[own] * unit
    table[:, Feature.ROUND] = number
    table[:, Feature.SEAT] = seat + 1
    table[:, Feature.LAST_ROUND] = last
    table[:, Feature.TO_BEAT] = table[:, Feature.OPPONENT] = other * unit
    table[:, Feature.BUSTS] = arrays.busts[own]
    table[:, Feature.OPEN] = 1 - arrays.closed[own]
    return table


def rows_needed(turns: Turns) -> int:
    """Lengths of the row of busts that have to be told apart for a bot."""
    most = turns.most_busts()
    if most is None or most >= MOST_BUSTS:
        return MOST_BUSTS
    return most + 1


def rounds_needed(turns: Turns, sheets: Sheets) -> int:
    """Rounds that have to be told apart: in all later ones everything is as in the last of them.

    1 where neither the rules nor the bot look at the number of the round; `MAX_ROUNDS` where the
    bot goes on looking at it for ever, as `turn.round % 2` does.
    """
    rules = sheets.graph.rules
    if rules.rounds:
        return rules.rounds
    if not turns.reads(Feature.ROUND) or not isinstance(turns, BotTurns):
        return 1
    ranges = feature_ranges(rules, sheets, turns.most_points)
    most = turns.answers.trees.most_within(Feature.ROUND, ranges)
    return max(1, min(most, MAX_ROUNDS))


def feature_ranges(rules: Ruleset, sheets: Sheets, most_points: int) -> Ranges:
    """Least and largest value of every feature at any table that comes up.

    Args:
        rules: the ruleset.
        sheets: of the ruleset.
        most_points: more than any turn gathers.
    """
    unit = sheets.graph.unit
    low, high = np.zeros(FEATURES, dtype=np.int64), np.ones(FEATURES, dtype=np.int64)
    high[[Feature.POINTS, Feature.SCORE]] = most_points, sheets.target * unit
    high[[Feature.TO_BEAT, Feature.OPPONENT]] = sheets.target * unit + most_points
    low[[Feature.SCORE, Feature.TO_BEAT, Feature.OPPONENT]] = sheets.lowest * unit
    high[[Feature.ROLLS, Feature.LIMITED_ROLLS]] = MAX_ROLLS_PER_TURN
    if rules.max_rolls:
        high[Feature.LIMITED_ROLLS] = rules.max_rolls
    high[Feature.ROUND] = rules.rounds or MAX_ROUNDS
    high[Feature.SEAT] = 2
    high[Feature.BUSTS] = MAX_ROUNDS
    return Ranges(low, high)

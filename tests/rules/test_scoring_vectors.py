"""All outcomes of all numbers of dice, against tables that were counted elsewhere."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from arena.rules import Roll, Scorer
from tests.rules.loading import tables, vectors

VECTORS = vectors("scoring")
CASES = [(rules, dice) for rules in VECTORS for dice in VECTORS[rules] if dice.isdigit()]


@pytest.mark.parametrize(("rules", "dice"), CASES)
def test_all_outcomes(rules: str, dice: str) -> None:
    expected: dict[str, Any] = VECTORS[rules][dice]
    outcomes = tables(rules).outcomes[int(dice)]
    best = [roll.holds[0].points if roll.holds else 0 for roll in outcomes]
    assert len(outcomes) == expected["outcomes"]
    assert sum(roll.bust for roll in outcomes) == expected["bust_outcomes"]
    assert Fraction(sum(best), len(best)) == Fraction(expected["expected_best_exact"])
    assert max(best) == expected["max_best"]


@pytest.mark.parametrize(("rules", "dice"), CASES)
def test_distinct_rolls_and_holds(rules: str, dice: str) -> None:
    expected: dict[str, Any] = VECTORS[rules][dice]
    rolls = set(tables(rules).outcomes[int(dice)])
    holds = [hold for roll in rolls for hold in roll.holds]
    pairs = {(hold.points, len(hold.dice)) for hold in holds}
    assert len({roll.dice for roll in rolls}) == expected["distinct_rolls"]
    assert len(pairs) == expected["distinct_points_dice_pairs"]


@pytest.mark.parametrize(("rules", "dice"), CASES)
def test_distinct_holds_as_sets_of_dice(rules: str, dice: str) -> None:
    scorer = Scorer(tables(rules).ruleset)
    rolls: set[Roll] = set(tables(rules).outcomes[int(dice)])
    legal = {
        kept for roll in rolls for kept in _sets_of(roll.dice) if scorer.points(kept) is not None
    }
    assert len(legal) == VECTORS[rules][dice]["distinct_hold_multisets"]


def _sets_of(dice: tuple[int, ...]) -> set[tuple[int, ...]]:
    """All non-empty sets of these dice."""
    return {
        tuple(face for bit, face in enumerate(dice) if chosen >> bit & 1)
        for chosen in range(1, 1 << len(dice))
    }


@pytest.mark.parametrize("rules", VECTORS)
def test_the_combinations_are_those_of_the_table(rules: str) -> None:
    scorer = Scorer(tables(rules).ruleset)
    for pattern, points in VECTORS[rules]["combinations"]:
        worth = scorer.points([int(face) for face in pattern])
        assert worth is not None
        assert worth >= points, pattern

"""`ways`: how likely each roll is."""

from __future__ import annotations

import pytest

from arena import ways
from arena.rules import load_ruleset
from arena.rules.places import rules_folders


def test_ways_are_the_outcomes_counted() -> None:
    rules = load_ruleset("tienduizend", rules_folders())
    for dice in range(1, 7):
        assert sum(count for _, count in ways(rules, dice)) == 6**dice
    by_dice = {roll.dice: count for roll, count in ways(rules, 3)}
    assert by_dice[1, 1, 1] == 1
    assert by_dice[1, 1, 2] == 3
    assert by_dice[1, 2, 3] == 6
    # 2, 3, 4 and 6 alone score nothing; neither do two dice of them, equal or not
    assert sum(count for roll, count in ways(rules, 2) if roll.bust) == 16


def test_ways_of_too_many_dice() -> None:
    rules = load_ruleset("zehntausend-1", rules_folders())
    with pytest.raises(ValueError, match="is played with 1 to 5 dice, not 6"):
        ways(rules, 6)

"""The tables: objects for people and arrays for kernels say the same."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from arena.rules import REROLL, REROLL_CODE, Hold
from tests.rules.loading import tables

SPECS = [
    "tienduizend",
    "zehntausend-1",
    "zehntausend-2:continue_faces=[1,5]",
    'tienduizend:instant_win=["111111","aabb","11"]',
    "patch:dice=6",
]


@pytest.mark.parametrize("spec", SPECS)
def test_outcomes_show_what_the_formula_says(spec: str) -> None:
    made = tables(spec)
    for dice in range(1, made.ruleset.dice + 1):
        assert len(made.outcomes[dice]) == 6**dice
        for outcome in range(0, 6**dice, 7):
            faces = sorted(outcome // 6**die % 6 + 1 for die in range(dice))
            assert list(made.outcomes[dice][outcome].dice) == faces


@pytest.mark.parametrize("spec", SPECS)
def test_arrays_and_objects_agree(spec: str) -> None:
    made = tables(spec)
    for roll in made.rolls:
        begin, end = made.hold_first[roll.id], made.hold_first[roll.id + 1]
        assert made.rolls[roll.id] is roll
        assert made.roll_dice[roll.id] == len(roll.dice)
        assert list(made.hold_points[begin:end]) == [hold.points for hold in roll.holds]
        assert list(made.hold_left[begin:end]) == [hold.dice_left for hold in roll.holds]
        assert list(made.hold_hot[begin:end]) == [hold.hot for hold in roll.holds]
        assert made.instant_win[roll.id] == roll.instant_win
        assert made.goes_on[roll.id] == roll.goes_on
    for dice in range(1, made.ruleset.dice + 1):
        ids = made.roll_of[made.first[dice] : made.first[dice + 1]]
        assert list(ids) == [roll.id for roll in made.outcomes[dice]]
    assert made.first[-1] == len(made.roll_of)
    assert len(made.first) == made.ruleset.dice + 2


def test_rolls_stand_fewest_dice_first() -> None:
    made = tables("tienduizend")
    assert [roll.dice for roll in made.rolls] == sorted(
        (roll.dice for roll in made.rolls), key=lambda dice: (len(dice), dice)
    )
    assert np.all(np.diff(made.roll_dice) >= 0)


def test_instant_win_is_exactly_these_dice() -> None:
    made = tables('tienduizend:instant_win=["111111","aabb","11"]')
    wins = {roll.dice for roll in made.rolls if roll.instant_win}
    assert (1, 1, 1, 1, 1, 1) in wins
    assert (1, 1) in wins
    assert (1, 1, 2) not in wins
    assert (2, 2, 2, 2) not in wins  # different letters are different faces
    assert sum(len(dice) == 4 for dice in wins) == 15


def test_goes_on_by_the_faces_of_the_roll() -> None:
    made = tables("zehntausend-2:continue_faces=[1,5]")
    assert not made.roll([2, 2, 2, 3, 4]).goes_on
    assert made.roll([2, 2, 2, 3, 5]).goes_on
    assert all(roll.goes_on for roll in tables("zehntausend-2").rolls)


def test_every_letter_is_another_face() -> None:
    made = tables("zehntausend-2:combinations={abcde=100}")
    scoring = {roll.dice for roll in made.rolls if not roll.bust}
    assert scoring == {
        tuple(sorted(faces)) for faces in product(range(1, 7), repeat=5) if len(set(faces)) == 5
    }


def test_the_larger_of_two_combinations_for_the_same_dice_counts() -> None:
    made = tables("tienduizend:combinations.aaa=350")
    assert made.roll([2, 2, 2]).holds[0].points == 350
    assert made.roll([6, 6, 6]).holds[0].points == 600


@pytest.mark.parametrize("dice", [[], [0], [7], [1, 2, 3, 4, 5, 6, 1]])
def test_what_is_no_roll(dice: list[int]) -> None:
    with pytest.raises(ValueError, match="a roll of tienduizend is 1 to 6 faces from 1 to 6"):
        tables("tienduizend").roll(dice)


def test_decisions_have_the_codes_of_the_protocol() -> None:
    roll = tables("tienduizend").roll([1, 1, 5, 5, 5, 2])
    codes = [code for hold in roll.holds for code in (hold.bank().code, hold.roll().code)]
    assert codes == list(range(2 * len(roll.holds)))
    assert (REROLL.code, REROLL.action, REROLL.hold) == (REROLL_CODE, "reroll", None)
    assert max(2 * len(made.holds) for made in tables("patch").rolls) < REROLL_CODE


def test_values_cannot_be_changed() -> None:
    roll = tables("tienduizend").roll([1, 2, 3])
    hold: Hold = roll.holds[0]
    for frozen, name in ((roll, "dice"), (hold, "points"), (hold.bank(), "code")):
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(frozen, name, 5)
        with pytest.raises(AttributeError, match="cannot be changed"):
            delattr(frozen, name)


def test_they_show_themselves() -> None:
    roll = tables("tienduizend").roll([5, 1, 2])
    assert repr(roll) == "Roll(1 2 5)"
    assert repr(roll.holds[0]) == "Hold(1 5 = 150, 1 left)"
    assert repr(roll.holds[0].bank()) == "bank 1 5"
    assert repr(roll.holds[0].roll()) == "roll 1 5"
    assert repr(REROLL) == "reroll"

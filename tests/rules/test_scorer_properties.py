"""The scorer against one written in another way, on random combinations and dice."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules import Combination, Ruleset, Scorer, rule_tables
from arena.rules.patterns import canonical, matches, pattern_mistake
from tests.rules.naive import naive_holds, naive_points, stands_for

PATTERNS = st.text("123456abc", min_size=1, max_size=4).filter(lambda p: not pattern_mistake(p))
COMBINATIONS = st.dictionaries(
    PATTERNS.map(canonical), st.integers(1, 40).map(lambda n: 50 * n), min_size=1, max_size=8
)
DICE = st.lists(st.integers(1, 6), min_size=1, max_size=5).map(tuple)


def ruleset(combos: dict[str, int], dice: int = 6) -> Ruleset:
    made = [Combination(pattern=pattern, points=points) for pattern, points in combos.items()]
    return Ruleset(name="random", dice=dice, combinations=tuple(made))


@given(COMBINATIONS, DICE)
def test_points_as_the_naive_scorer(combos: dict[str, int], dice: tuple[int, ...]) -> None:
    assert Scorer(ruleset(combos)).points(dice) == naive_points(dice, combos)


@given(COMBINATIONS, st.data())
@settings(max_examples=30, deadline=None)
def test_holds_as_the_naive_scorer(combos: dict[str, int], data: st.DataObject) -> None:
    tables = rule_tables(ruleset(combos, dice=4))
    dice = data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=4))
    roll = tables.roll(dice)
    offered = [(hold.points, len(hold.dice)) for hold in roll.holds]
    assert len(offered) == len(set(offered))
    assert set(offered) == naive_holds(tuple(dice), combos)
    for hold in roll.holds:
        assert naive_points(hold.dice, combos) == hold.points
        assert hold.hot == (len(hold.dice) == len(dice))
        assert hold.dice_left == (4 if hold.hot else len(dice) - len(hold.dice))


@given(COMBINATIONS, DICE, st.randoms(use_true_random=False))
def test_the_order_of_dice_does_not_matter(
    combos: dict[str, int], dice: tuple[int, ...], random: object
) -> None:
    shuffled = list(dice)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # Hypothesis gives a random.Random
    assert Scorer(ruleset(combos)).points(shuffled) == Scorer(ruleset(combos)).points(dice)


@given(PATTERNS, st.randoms(use_true_random=False))
def test_canonical_has_the_same_matches(pattern: str, random: object) -> None:
    signs = list(pattern)
    random.shuffle(signs)  # type: ignore[attr-defined]  # Hypothesis gives a random.Random
    assert canonical(canonical(pattern)) == canonical("".join(signs)) == canonical(pattern)
    assert set(matches(pattern)) == set(matches(canonical(pattern)))


@given(PATTERNS, DICE)
def test_matches_are_the_dice_that_a_pattern_stands_for(
    pattern: str, dice: tuple[int, ...]
) -> None:
    counts = tuple(dice.count(face) for face in range(1, 7))
    assert (counts in set(matches(pattern))) == stands_for(pattern, dice)

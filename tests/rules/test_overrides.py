"""`name:key=value,...`: what may be written, what it means, what is refused."""

from __future__ import annotations

import pytest

from arena.errors import RulesetError
from arena.rules import BustPenalty, Ruleset, load_ruleset, split_spec, value_of
from tests.rules.loading import FOLDERS


def load(spec: str) -> Ruleset:
    return load_ruleset(spec, FOLDERS)


def points(ruleset: Ruleset) -> dict[str, int]:
    return {combination.pattern: combination.points for combination in ruleset.combinations}


def test_numbers_words_lists_and_tables() -> None:
    ruleset = load(
        'zehntausend-2:target=20_000,hot_dice=must,tie="draw",continue_faces=[5,1],'
        "bust_penalty={after=2, points=300},combinations.111=1000,reroll_all=true"
    )
    assert (ruleset.target, ruleset.hot_dice, ruleset.tie) == (20000, "must", "draw")
    assert ruleset.continue_faces == (1, 5)
    assert ruleset.bust_penalty == BustPenalty(after=2, points=300)
    assert points(ruleset)["111"] == 1000
    assert ruleset.reroll_all


def test_the_name_holds_the_overrides_without_spaces_around_them() -> None:
    assert load("tienduizend: hot_dice=end , tie=draw").name == "tienduizend:hot_dice=end,tie=draw"


def test_a_combination_in_another_spelling_is_the_same() -> None:
    changed = points(load("tienduizend:combinations.zyzxyx=1200,combinations.654321=2000"))
    assert changed["aabbcc"] == 1200
    assert changed["123456"] == 2000
    assert len(changed) == len(points(load("tienduizend")))


def test_zero_takes_a_combination_out() -> None:
    assert "aabbcc" not in points(load("tienduizend:combinations.ccbbaa=0"))
    assert points(load("tienduizend:combinations.aaabbb=0")) == points(load("tienduizend"))


def test_keys_inside_the_penalty() -> None:
    ruleset = load("tienduizend:bust_penalty.after=3,bust_penalty.points=1000,bust_penalty.floor=0")
    assert ruleset.bust_penalty == BustPenalty(after=3, points=1000, floor=0)


def test_a_key_given_twice_is_a_mistake() -> None:
    with pytest.raises(RulesetError, match="target is given twice"):
        load("tienduizend:target=5000,target=7000")


def test_instant_win_can_be_taken_out() -> None:
    assert load("tienduizend:instant_win=[]").instant_win == ()
    assert load('tienduizend:instant_win=["666666","111111"]').instant_win == ("111111", "666666")


def test_equal_play_equal_key() -> None:
    same = ["tienduizend", "tienduizend:tie=leader", "tienduizend:bust_penalty.resets=false"]
    assert len({load(spec).key for spec in same}) == 1
    assert load("tienduizend:title=Other").key == load("tienduizend").key
    assert load("tienduizend:tie=draw").key != load("tienduizend").key
    assert load("zehntausend-1").key != load("zehntausend-2").key


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("tienduizend:hot_dice", "'hot_dice': an override is written key=value"),
        ("tienduizend:=5", "'=5': an override is written key=value"),
        ("tienduizend:target=", "'target=': an override is written key=value"),
        ("tienduizend:", "'': an override is written key=value"),
        ("tienduizend:target=20000,", "'': an override is written key=value"),
        ("tienduizend:,target=20000", "'': an override is written key=value"),
        ("tienduizend:target=abc", "target = 'abc': a whole number from 1"),
        ("tienduizend:target=[1", "target = '[1': a whole number from 1"),
        ("tienduizend:target=20000 or more", "target = '20000 or more': a whole number"),
        ("tienduizend:reroll_all=no", "reroll_all = 'no': true or false"),
        ("tienduizend:hotdice=end", "hotdice = 'end': no such key; did you mean hot_dice?"),
        ("tienduizend:hot_dice=hot", "hot_dice = 'hot': one of may, must, end"),
        ("tienduizend:target.x=1", "'target.x=1': target has no keys of its own"),
        ("tienduizend:combination.111=1", "combination has no keys of its own; combinations and"),
        ("tienduizend:combinations.117=1", "combinations.117 = 1: the sign '7' is neither"),
        ("tienduizend:combinations.=1", "combinations. = 1: is empty"),
        ("tienduizend:combinations.1111111=1", "longer than the 6 dice"),
        ("tienduizend:combinations.111=many", "combinations.111 = 'many': points from 1"),
        ("tienduizend:combinations=5", "combinations = 5: a table of dice strings"),
        ("tienduizend:combinations=5,combinations.111=5", "combinations = 5: a table"),
        ("tienduizend:dice=5", "combinations.111111 = 8000: is longer than the 5 dice"),
        ("tienduizend:name=other", "name = 'other': leave it out"),
        ("tienduizend:target=900", "opening_minimum = 1000: at most the target, 900"),
        ("tienduizend:combinations={}", "target = 10000: no turn can reach it"),
        ("tienduizend:bust_penalty.after=3", "bust_penalty.after = 3: needs points too"),
        ("tienduizend:bust_penalty.x=3", "bust_penalty.x = 3: no such key"),
    ],
)
def test_what_is_refused(spec: str, message: str) -> None:
    with pytest.raises(RulesetError) as caught:
        load(spec)
    assert message in str(caught.value)
    assert f"tienduizend.toml as {spec!r}" in str(caught.value)


def test_all_overrides_are_reported_together() -> None:
    with pytest.raises(RulesetError) as caught:
        load("tienduizend:tie=none,hot_dice,target=0,combinations.99=1")
    assert len(caught.value.mistakes) == 4


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("a", ("a", [])),
        ("a:", ("a", [""])),
        (" a : x=1 , y=2 ", ("a", ["x=1", "y=2"])),
        ("a:x=[1,2],y={b=1,c=[2,3]},z=3", ("a", ["x=[1,2]", "y={b=1,c=[2,3]}", "z=3"])),
        ('a:x="1,2",y=3', ("a", ['x="1,2"', "y=3"])),
        ("a:x=1,,y=2,", ("a", ["x=1", "", "y=2", ""])),
        ("a:x=1],y=2", ("a", ["x=1]", "y=2"])),
        ("a:b:c=1", ("a", ["b:c=1"])),
    ],
)
def test_split(spec: str, parts: tuple[str, list[str]]) -> None:
    assert split_spec(spec) == parts


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("-5", -5),
        ("1.5", 1.5),
        ("true", True),
        ('"5"', "5"),
        ("end", "end"),
        ("[1, 5]", [1, 5]),
        ("{a = 1}", {"a": 1}),
        ("1\nx = 2", "1\nx = 2"),
        ("", ""),
    ],
)
def test_values(text: str, value: object) -> None:
    assert value_of(text) == value
    assert type(value_of(text)) is type(value)

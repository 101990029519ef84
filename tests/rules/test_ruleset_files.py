"""Reading ruleset files: what is right, and every kind of mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import Mistake, RulesetError
from arena.rules import BustPenalty, Ruleset, load_ruleset, ruleset_files
from tests.rules.loading import DOCUMENTS, SHIPPED

SOUND = """
title = "Small"
dice = 3
target = 1000
[combinations]
1 = 100
5 = 50
"""


def load(folder: Path, content: str | bytes, overrides: str = "") -> Ruleset:
    data = content.encode() if isinstance(content, str) else content
    (folder / "small.toml").write_bytes(data)
    return load_ruleset("small" + overrides, [folder])


def mistakes(folder: Path, content: str | bytes, overrides: str = "") -> tuple[Mistake, ...]:
    with pytest.raises(RulesetError) as caught:
        load(folder, content, overrides)
    for mistake in caught.value.mistakes:
        assert str(folder / "small.toml") in mistake.where
        assert str(mistake) in str(caught.value)
    return caught.value.mistakes


def with_line(line: str) -> str:
    """The sound file with one more line of the top table, in place of any with its key."""
    key = line.partition("=")[0].strip()
    kept = [old for old in SOUND.splitlines() if not old.startswith(f"{key} ")]
    return "\n".join([line, *kept])


@pytest.mark.parametrize("name", DOCUMENTS)
def test_shipped_rulesets_load(name: str) -> None:
    ruleset = load_ruleset(name, [SHIPPED])
    assert ruleset.name == name
    assert ruleset.title
    assert ruleset.source


def test_the_values_of_the_documents() -> None:
    dutch, one, two = (load_ruleset(name, [SHIPPED]) for name in DOCUMENTS)
    assert (dutch.dice, dutch.target, dutch.opening_minimum, dutch.bank_minimum) == (
        6,
        10000,
        1000,
        0,
    )
    assert (dutch.hot_dice, dutch.bust, dutch.reroll_all) == ("may", "forfeit", True)
    assert (dutch.end, dutch.tie, dutch.instant_win) == ("last_round", "leader", ("111111",))
    for german in (one, two):
        assert (german.dice, german.target, german.opening_minimum) == (5, 10000, 0)
        assert (german.bank_minimum, german.end, german.instant_win) == (350, "first_to_target", ())
    assert (one.max_rolls, one.hot_dice, one.bust) == (3, "must", "keep")
    assert (two.max_rolls, two.hot_dice, two.bust) == (0, "may", "forfeit")


def test_a_small_file_has_the_defaults_of_the_format(tmp_path: Path) -> None:
    ruleset = load(tmp_path, SOUND)
    assert (ruleset.name, ruleset.title, ruleset.dice, ruleset.target) == (
        "small",
        "Small",
        3,
        1000,
    )
    assert ruleset.bust_penalty == BustPenalty()
    assert ruleset.continue_faces == ()


def test_every_key_is_read(tmp_path: Path) -> None:
    lines = """
    name = "small"
    source = "a test"
    opening_minimum = 200
    bank_minimum = 100
    max_rolls = 4
    rolls_reset_on_hot_dice = true
    hot_dice = "must"
    bust = "keep"
    reroll_all = true
    continue_faces = [5, 1, 5]
    end = "first_to_target"
    tie = "draw"
    instant_win = ["111", "aab"]
    rounds = 12
    bust_penalty = {after = 3, points = 500, resets = false, floor = -1000}
    nothing_scores = 250
    """
    ruleset = load(tmp_path, lines + SOUND)
    assert (ruleset.opening_minimum, ruleset.bank_minimum, ruleset.max_rolls) == (200, 100, 4)
    assert (ruleset.rolls_reset_on_hot_dice, ruleset.hot_dice, ruleset.bust) == (
        True,
        "must",
        "keep",
    )
    assert (ruleset.reroll_all, ruleset.continue_faces) == (True, (1, 5))
    assert (ruleset.end, ruleset.tie, ruleset.rounds) == ("first_to_target", "draw", 12)
    assert ruleset.instant_win == ("111", "aab")
    assert ruleset.bust_penalty == BustPenalty(after=3, points=500, resets=False, floor=-1000)
    assert ruleset.nothing_scores == 250


@pytest.mark.parametrize(
    ("line", "key", "value", "allowed"),
    [
        ("dices = 6", "dices", "6", "did you mean dice?"),
        ("colour = 6", "colour", "6", "no such key; allowed: name, title"),
        ("dice = 7", "dice", "7", "a whole number from 1 to 6"),
        ("dice = 0", "dice", "0", "a whole number from 1 to 6"),
        ("dice = true", "dice", "true", "a whole number from 1 to 6"),
        ("dice = 6.0", "dice", "6.0", "a whole number from 1 to 6"),
        ('target = "1000"', "target", "'1000'", "a whole number from 1 to"),
        ("target = 0", "target", "0", "a whole number from 1 to"),
        ("target = -5", "target", "-5", "a whole number from 1 to"),
        ("target = 1e4", "target", "10000.0", "a whole number from 1 to"),
        ("target = 99999999999", "target", "99999999999", "a whole number from 1 to 10000000"),
        ("opening_minimum = -1", "opening_minimum", "-1", "a whole number from 0 to"),
        ("opening_minimum = 1001", "opening_minimum", "1001", "at most the target, 1000"),
        ("bank_minimum = 1050", "bank_minimum", "1050", "at most the target, 1000"),
        ("max_rolls = false", "max_rolls", "false", "a whole number from 0 to 1000"),
        ("rounds = 1001", "rounds", "1001", "a whole number from 0 to 1000"),
        ("rounds = [1]", "rounds", "[1]", "a whole number"),
        ("nothing_scores = true", "nothing_scores", "true", "a whole number"),
        ("reroll_all = 1", "reroll_all", "1", "true or false"),
        ('rolls_reset_on_hot_dice = "yes"', "rolls_reset_on_hot_dice", "'yes'", "true or false"),
        ('hot_dice = "maybe"', "hot_dice", "'maybe'", "one of may, must, end"),
        ("hot_dice = true", "hot_dice", "true", "one of may, must, end"),
        ('bust = "lose"', "bust", "'lose'", "one of forfeit, keep"),
        ('end = "first"', "end", "'first'", "one of first_to_target, last_round"),
        ("tie = 0", "tie", "0", "one of leader, draw"),
        ("title = 5", "title", "5", "a text in quotes"),
        ("name = 5", "name", "5", "leave it out, or as the file: 'small'"),
        ('name = "large"', "name", "'large'", "leave it out, or as the file: 'small'"),
        ("continue_faces = 1", "continue_faces", "1", "a list of faces"),
        ("continue_faces = [1, 7]", "continue_faces", "7", "faces are whole numbers from 1 to 6"),
        ('continue_faces = ["1"]', "continue_faces", "'1'", "faces are whole numbers"),
        ("continue_faces = [true]", "continue_faces", "true", "faces are whole numbers"),
        ('instant_win = "111"', "instant_win", "'111'", "a list of dice strings"),
        ("instant_win = [111]", "instant_win", "111", "a list of dice strings"),
        ('instant_win = ["117"]', "instant_win", "'117'", "'7' is neither a face 1 to 6"),
        ('instant_win = ["1111"]', "instant_win", "'1111'", "longer than the 3 dice"),
        ("bust_penalty = 5", "bust_penalty", "5", "a table"),
        ("bust_penalty = {after = 3}", "bust_penalty.after", "3", "needs points too"),
        ("bust_penalty = {points = 500}", "bust_penalty.points", "500", "needs after too"),
        ("bust_penalty = {afters = 3}", "bust_penalty.afters", "3", "did you mean after?"),
        (
            'bust_penalty = {after = 3, points = 5, floor = "zero"}',
            "bust_penalty.floor",
            "'zero'",
            '"none" or points from',
        ),
        (
            "bust_penalty = {after = 3, points = 5, floor = false}",
            "bust_penalty.floor",
            "false",
            '"none" or points from',
        ),
        (
            "bust_penalty = {after = true, points = 5}",
            "bust_penalty.after",
            "true",
            "a whole number from 0 to 1000",
        ),
        ("combinations = 5", "combinations", "5", "a table of dice strings"),
    ],
)
def test_one_mistake(tmp_path: Path, line: str, key: str, value: str, allowed: str) -> None:
    content = with_line(line)
    if key == "combinations":
        content = content.partition("[combinations]")[0]
    (mistake,) = mistakes(tmp_path, content)
    assert (mistake.key, mistake.value) == (key, value)
    assert allowed in mistake.allowed


@pytest.mark.parametrize(
    ("line", "key", "allowed"),
    [
        ("117 = 100", "combinations.117", "the sign '7' is neither a face 1 to 6 nor a letter"),
        ("0 = 100", "combinations.0", "the sign '0' is neither"),
        ("AA = 100", "combinations.AA", "the sign 'A' is neither"),
        ('"1 1" = 100', "combinations.1 1", "the sign ' ' is neither"),
        ('"" = 100', "combinations.", "is empty"),
        ("1111 = 100", "combinations.1111", "longer than the 3 dice"),
        ("abcdefg = 100", "combinations.abcdefg", "cannot match: 7 different faces"),
        ("12345ab = 100", "combinations.12345ab", "cannot match: 7 different faces"),
        ("111 = true", "combinations.111", "points from 1 to"),
        ("111 = -100", "combinations.111", "points from 1 to"),
        ('111 = "100"', "combinations.111", "points from 1 to"),
        ("111 = 10000001", "combinations.111", "points from 1 to 10000000"),
        ("122 = 1\n212 = 1", "combinations.212", "is there twice: these are the dice of '122'"),
        ("aab = 100\nxyx = 0", "combinations.xyx", "is there twice: these are the dice of 'aab'"),
    ],
)
def test_one_mistake_in_the_combinations(tmp_path: Path, line: str, key: str, allowed: str) -> None:
    (mistake,) = mistakes(tmp_path, SOUND + line)
    assert mistake.key == key
    assert allowed in mistake.allowed


def test_all_mistakes_of_a_file_are_reported_together(tmp_path: Path) -> None:
    content = """
    colour = "red"
    dice = 4
    target = 500
    opening_minimum = 501
    tie = "both"
    bust_penalty = {after = 3, floor = "x", often = 1}
    instant_win = ["11111", "0"]
    [combinations]
    1 = 100
    77 = "many"
    abcdefg = 0
    """
    found = mistakes(tmp_path, content)
    keys = [mistake.key for mistake in found]
    assert sorted(keys) == [
        "bust_penalty.after",
        "bust_penalty.floor",
        "bust_penalty.often",
        "colour",
        "combinations.77",
        "combinations.77",
        "combinations.abcdefg",
        "instant_win",
        "instant_win",
        "opening_minimum",
        "tie",
    ]


@pytest.mark.parametrize(
    ("lines", "key"),
    [
        ("max_rolls = 1\nopening_minimum = 350", "opening_minimum"),
        ("max_rolls = 1\nbank_minimum = 350", "bank_minimum"),
        ("max_rolls = 2\nhot_dice = 'end'\nbank_minimum = 350", "bank_minimum"),
        ("continue_faces = [2]\nhot_dice = 'end'\nbank_minimum = 600", "bank_minimum"),
    ],
)
def test_a_minimum_that_no_turn_can_reach(tmp_path: Path, lines: str, key: str) -> None:
    (mistake,) = mistakes(tmp_path, lines + SOUND)
    assert mistake.key == key
    assert "no turn can reach it" in mistake.allowed


@pytest.mark.parametrize(
    "content",
    [
        "dice = 6\n[combinations]\n",
        "dice = 6\n[combinations]\n1 = 0\n5 = 0\n",
        # The one die must be rolled until it busts, and a bust loses all.
        "dice = 1\nhot_dice = 'must'\n[combinations]\n1 = 100\n",
    ],
)
def test_a_target_that_no_turn_can_reach(tmp_path: Path, content: str) -> None:
    (mistake,) = mistakes(tmp_path, content)
    assert mistake.key == "target"
    assert "no turn can reach it" in mistake.allowed


@pytest.mark.parametrize(
    "lines",
    [
        "max_rolls = 1\nopening_minimum = 300",
        "max_rolls = 2\nopening_minimum = 600",
        "max_rolls = 1\nrolls_reset_on_hot_dice = true\nbank_minimum = 1000",
        "max_rolls = 2\nhot_dice = 'end'\nbank_minimum = 300",
        "nothing_scores = 500\nmax_rolls = 2\nbank_minimum = 1000",
        "hot_dice = 'must'\nbust = 'keep'\nbank_minimum = 1000",
    ],
)
def test_a_minimum_that_can_just_be_reached(tmp_path: Path, lines: str) -> None:
    assert load(tmp_path, lines + SOUND)


def test_not_utf8(tmp_path: Path) -> None:
    (mistake,) = mistakes(tmp_path, 'title = "Zwölf"'.encode("latin-1"))
    assert mistake.allowed == "is not UTF-8 text"


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    assert load(tmp_path, b"\xef\xbb\xbf" + SOUND.encode()).target == 1000


@pytest.mark.parametrize(
    "content", ["dice = \n", "[[[[", "dice = 6\ndice = 6\n", "x = " + "[" * 9000]
)
def test_not_toml(tmp_path: Path, content: str) -> None:
    (mistake,) = mistakes(tmp_path, content)
    assert mistake.allowed.startswith("is not TOML: ")


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(RulesetError, match=r"nowhere\.toml: cannot be read: No such file"):
        load_ruleset(str(tmp_path / "nowhere.toml"), [])


def test_a_folder_instead_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "small.toml").mkdir()
    with pytest.raises(RulesetError, match=r"small\.toml: cannot be read: Is a directory"):
        load_ruleset("small", [tmp_path])


def test_unknown_name_says_what_is_known(tmp_path: Path) -> None:
    with pytest.raises(RulesetError) as caught:
        load_ruleset("tienduizent", [SHIPPED])
    message = str(caught.value)
    assert "did you mean tienduizend?" in message
    assert all(name in message for name in DOCUMENTS)
    assert str(SHIPPED) in message
    with pytest.raises(RulesetError, match="known: none"):
        load_ruleset("anything", [tmp_path])
    with pytest.raises(RulesetError, match="looked in nowhere"):
        load_ruleset("", [])


def test_a_path_is_a_name(tmp_path: Path) -> None:
    load(tmp_path, SOUND)
    ruleset = load_ruleset(f"{tmp_path / 'small.toml'}:target=500", [])
    assert (ruleset.name, ruleset.target) == ("small:target=500", 500)


def test_the_first_folder_counts(tmp_path: Path) -> None:
    (tmp_path / "zehntausend-1.toml").write_text(SOUND)
    files = ruleset_files([tmp_path, SHIPPED, tmp_path / "missing"])
    assert files["zehntausend-1"].parent == tmp_path
    assert files["zehntausend-2"].parent == SHIPPED
    assert load_ruleset("zehntausend-1", [tmp_path, SHIPPED]).dice == 3

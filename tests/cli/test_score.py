"""`arena score`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.running import Arena
from tests.rules.loading import tables


def test_the_document(arena: Arena) -> None:
    ran = arena("score", "tienduizend", *"115552", "--json")
    assert ran.code == 0
    assert ran.err == ""
    holds = ran.document.pop("holds")
    assert ran.document | {"holds": holds} == {
        "rules": "tienduizend",
        "dice": [1, 1, 2, 5, 5, 5],
        "bust": False,
        "instant_win": False,
        "best": 700,
        "holds": holds,
    }
    assert holds[0] == {"dice": [1, 1, 5, 5, 5], "points": 700, "dice_left": 1}
    pairs = [(-hold["points"], len(hold["dice"])) for hold in holds]
    assert pairs == sorted(set(pairs))


@pytest.mark.parametrize(
    "words", [["115552"], ["1", "1", "5", "5", "5", "2"], ["11", "5552"], ["255511"]]
)
def test_dice_apart_or_as_words(arena: Arena, words: list[str]) -> None:
    assert arena("score", "tienduizend", *words, "--json").document["best"] == 700


@pytest.mark.parametrize("dice", ["1", "5", "2", "111", "222", "2346", "12345", "22334", "111111"])
def test_fewer_dice_than_the_cup(arena: Arena, dice: str) -> None:
    document: dict[str, Any] = arena("score", "tienduizend", dice, "--json").document
    roll = tables("tienduizend").roll([int(face) for face in dice])
    assert document["bust"] == roll.bust
    assert document["best"] == (roll.holds[0].points if roll.holds else 0)
    assert document["instant_win"] == (dice == "111111")
    assert [hold["dice_left"] for hold in document["holds"]] == [
        hold.dice_left for hold in roll.holds
    ]


def test_overrides(arena: Arena) -> None:
    spec = "tienduizend:combinations.aaaabb=1000"
    ran = arena("score", spec, "433343", "--json")
    assert (ran.document["rules"], ran.document["best"]) == (spec, 1000)


def test_as_text(arena: Arena) -> None:
    ran = arena("score", "zehntausend-2", "1", "2", "5")
    assert ran.out.splitlines()[0] == "zehntausend-2: 1 2 5"
    assert [line.split("  ")[0] for line in ran.out.splitlines()[4:]] == ["1 5", "1", "5"]
    assert "1 5      150          1" in ran.out
    assert "hot dice" in arena("score", "zehntausend-2", "12345").out
    assert arena("score", "zehntausend-2", "22334").out.endswith("\nbust\n")
    assert "wins the game at once" in arena("score", "tienduizend", "111111").out
    zilch = "tienduizend:nothing_scores=500"
    assert "which counts 500; all dice roll on" in arena("score", zilch, "223346").out
    assert arena("score", zilch, "22334").out.endswith("\nbust\n")
    faces = "zehntausend-2:continue_faces=[1,5]"
    assert "none of the faces 1 5" in arena("score", faces, "22234").out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["tienduizend", "7"], 2, "arena: '7' is no face of a die: write faces from 1 to 6"),
        (["tienduizend", "1", "0"], 2, "arena: '0' is no face"),
        (["tienduizend", "1,5"], 2, "arena: ',' is no face"),
        (["tienduizend", "six"], 2, "arena: 's' is no face"),
        (["tienduizend", ""], 2, "arena: 0 dice are given; a roll of tienduizend has 1 to 6"),
        (["tienduizend", "1111111"], 2, "arena: 7 dice are given"),
        (["zehntausend-1", "111111"], 2, "a roll of zehntausend-1 has 1 to 5 dice"),
        (["tienduizend"], 2, "arena score: missing argument 'DICE...'"),
        (["tienduizent", "1"], 3, "did you mean tienduizend?"),
        (["tienduizend:hot_dice=x", "1"], 3, "one of may, must, end"),
    ],
)
def test_mistakes(arena: Arena, arguments: list[str], code: int, message: str) -> None:
    ran = arena("score", *arguments)
    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err

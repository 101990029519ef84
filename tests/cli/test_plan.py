"""`arena plan`: games that a difference needs, with blocks and without."""

from __future__ import annotations

import pytest

from tests.cli.running import Arena

SMALL = "zehntausend-2:target=2000"


def test_a_difference_without_bots(arena: Arena) -> None:
    ran = arena("plan", "--elo", 5, "--json")
    assert ran.code == 0
    plans = ran.document["plans"]
    assert [round(plan["blocks_save"]) for plan in plans] == [1, 2, 5]
    # ((1.95996 + 1.64485) / (score(5 Elo) - 1/2))^2 score (1 - score)
    assert {plan["games_without_blocks"] for plan in plans} == {62_741}
    assert plans[1]["games"] == pytest.approx(62_741 / 2, abs=2)
    assert "which is stronger, at +5.0 Elo" in arena("plan", "--elo", 5).out


def test_a_half_width_without_bots(arena: Arena) -> None:
    plans = arena("plan", "--half-width", 3, "--elo", 0.5, "--json").document["plans"]
    assert [plan["question"] for plan in plans] == ["which is stronger", "half width"] * 3
    # (1.95996 * 0.5 / (3 / 4 / 173.72))^2
    assert plans[1]["games_without_blocks"] == pytest.approx(51_524, rel=1e-3)


def test_blocks_save_games_on_tienduizend(arena: Arena) -> None:
    options = ("--rules", "tienduizend", "--workers", 1)
    ran = arena("plan", "hold:points=300", "hold:points=350", *options, "--json")
    assert ran.code == 0
    assert ran.document["told_apart"]
    [plan] = ran.document["plans"]
    assert plan["blocks_save"] >= 3.0
    assert plan["games_without_blocks"] >= 3 * plan["games"]


def test_bots_that_play_alike(arena: Arena) -> None:
    options = ("--rules", SMALL, "--workers", 1)
    ran = arena("plan", "hold:points=300", "hold:points=350", *options)
    assert ran.code == 0
    assert "play alike here: every block is one half" in ran.out
    document = arena("plan", "hold:points=300", "hold:points=350", *options, "--json").document
    assert document["plans"] == []
    assert document["status"] == "identical play"


def test_a_pilot_that_does_not_tell(arena: Arena) -> None:
    options = ("--rules", SMALL, "--workers", 1, "--pilot", 60)
    ran = arena("plan", "hold:points=350", "hold:points=400", *options)
    assert ran.code == 0
    assert "pilot of 60 games" in ran.out
    assert "cannot tell them apart; it takes at least" in ran.out


def test_a_bot_that_wins_everything_has_a_plan(arena: Arena) -> None:
    options = ("--rules", SMALL, "--workers", 1, "--pilot", 20, "--json")
    ran = arena("plan", "hold", "random", *options)
    assert ran.code == 0
    assert 2 <= ran.document["plans"][0]["games"] < 100


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "name two bots, or say --elo X or --half-width W"),
        (("hold",), "a pilot match needs two bots and --rules R"),
        (("hold", "greedy"), "a pilot match needs two bots and --rules R"),
        (("--elo", 0), "is needed"),
        (("--half-width", -1), "is needed"),
        (("--elo", 5, "--power", 1), "a chance between 0 and 1"),
    ],
)
def test_questions_without_an_answer(arena: Arena, words: tuple[object, ...], told: str) -> None:
    ran = arena("plan", *words)
    assert ran.code == 2
    assert told in ran.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--elo", "nan"), "--elo nan: a number from 0.001 to 3000 is needed"),
        (("--elo", "0"), "--elo 0: a number from 0.001"),
        (("--elo", "-inf"), "--elo -inf: a number from 0.001"),
        (("--half-width", "inf"), "--half-width inf: a number from 0.001 to 3000"),
        (("--half-width", "-3"), "--half-width -3: a number"),
        (("--elo", "5", "--confidence", "1"), "--confidence 1: a chance between 0 and 1"),
        (("--elo", "5", "--power", "nan"), "--power nan: a chance between 0 and 1"),
    ],
)
def test_questions_without_meaning(arena: Arena, options: tuple[str, ...], message: str) -> None:
    ran = arena("plan", *options)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


@pytest.mark.parametrize("elo", ["0.001", "3000", "-3000"])
def test_the_farthest_questions_have_answers(arena: Arena, elo: str) -> None:
    plans = arena("plan", "--elo", elo, "--json").document["plans"]
    assert all(plan["games"] >= 2 for plan in plans)

"""`arena sprt`: a decision that does not depend on workers, and what it says of odd pairs."""

from __future__ import annotations

import pytest

from tests.cli.running import ROOT, Arena

RULES = "zehntausend-2:target=2000"
FAULTY = ROOT / "tests" / "data" / "faulty_bots" / "faulty.py"


def test_the_document_is_the_same_for_any_number_of_workers(arena: Arena) -> None:
    options = ("--rules", RULES, "--elo1", 30, "--seed", 3, "--json")
    one = arena("sprt", "hold", "random", *options, "--workers", 1)
    two = arena("sprt", "hold", "random", *options, "--workers", 2)
    assert one.code == two.code == 0
    assert one.document == two.document
    document = one.document
    assert list(document) == [
        *("rules", "bots", "seed", "elo0", "elo1", "scale", "alpha", "beta", "verdict", "status"),
        *("games", "blocks", "expected_games", "ratio", "ratio_low", "ratio_high"),
        *("score", "score_low", "score_high", "elo", "elo_low", "elo_high", "corrected"),
        *("saving", "forfeits", "digest"),
    ]
    assert document["verdict"] == "h1"
    assert document["ratio"] >= document["ratio_high"]
    assert document["score_low"] <= document["score"] <= document["score_high"]
    assert document["elo_low"] > 100
    assert document["games"] == 2 * document["blocks"] < 1000
    assert "expected games" in one.err


def test_it_tells_the_weaker_bot(arena: Arena) -> None:
    ran = arena("sprt", "random", "hold", "--rules", RULES, "--elo1", 30, "--workers", 1)
    assert ran.code == 0
    assert "H0 accepted: random is less than +30.0 Elo against hold" in ran.out
    assert "log likelihood ratio" in ran.out


def test_bots_that_play_alike(arena: Arena) -> None:
    pair = ("hold:points=300", "hold:points=350")
    ran = arena("sprt", *pair, "--rules", RULES, "--elo1", 30, "--workers", 1)
    assert ran.code == 0
    assert "play alike here: every block is one half" in ran.out
    assert "H0 accepted" in ran.out
    even = ("--elo0", -20, "--elo1", 20, "--json")
    ran = arena("sprt", *pair, "--rules", RULES, *even, "--workers", 1)
    assert ran.code == 0
    assert ran.document["verdict"] == "undecided"
    assert ran.document["ratio"] == pytest.approx(0.0, abs=1e-9)


def test_one_bot_wins_everything(arena: Arena) -> None:
    options = ("--rules", RULES, "--bots", FAULTY, "--elo1", 100, "--workers", 1, "--trust")
    ran = arena("sprt", "counts", "word", *options)
    assert ran.code == 0
    assert "H1 accepted" in ran.out
    assert "won everything: Elo has no upper bound" in ran.out
    assert "games were forfeited" in ran.err


@pytest.mark.parametrize("scale", ["logistic", "normalised"])
def test_a_largest_number_of_games(arena: Arena, scale: str) -> None:
    options = ("--rules", RULES, "--most-games", 40, "--scale", scale, "--json", "--workers", 1)
    ran = arena("sprt", "hold", "greedy", *options)
    assert ran.code == 0
    assert ran.document["games"] == 40
    assert ran.document["verdict"] == "undecided"


def test_fixed_seats(arena: Arena) -> None:
    options = ("--rules", RULES, "--elo1", 50, "--fixed-seats", "--json", "--workers", 1)
    ran = arena("sprt", "hold", "random", *options)
    assert ran.document["games"] == ran.document["blocks"]
    assert ran.document["verdict"] == "h1"


def test_hypotheses_that_cannot_be(arena: Arena) -> None:
    ran = arena("sprt", "hold", "greedy", "--rules", RULES, "--elo0", 5, "--elo1", 5)
    assert ran.code == 2
    assert "elo0 must be below elo1, not 5 and 5" in ran.err
    for options, message in (
        (("--alpha", 0.7), "alpha and beta must lie between 0 and 0.5"),
        (("--elo0", "nan"), "elo0 must be below elo1, not nan and 5"),
        (("--elo1", 1e9), "elo0 and elo1 must lie between -3000 and 3000"),
        (("--elo1", 5000, "--scale", "normalised"), "between -500 and 500"),
        (("--elo0", 2999, "--elo1", 3000), "put --elo0 and --elo1 further apart"),
        (("--elo0", 4.9999), "put --elo0 and --elo1 further apart"),
    ):
        ran = arena("sprt", "hold", "greedy", "--rules", RULES, *options)
        assert ran.code == 2
        assert message in ran.err

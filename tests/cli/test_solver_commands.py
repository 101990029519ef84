"""`arena solve`, `exact`, `exploit` and `blunders`, as users and programs call them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Arena
from tests.rules.loading import vectors

SMALL = "greed:target=600"


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_solve(arena: Arena) -> None:
    ran = arena("solve", SMALL, "--json")
    assert ran.code == 0
    assert ran.document["rules"] == SMALL
    assert 0.5 < ran.document["first_player_wins"] < 0.7
    assert ran.document["residual"] < 1e-9
    assert "pairs of scores" in ran.err
    again = arena("solve", SMALL, "--json")
    assert again.document == ran.document


def test_solve_patch_turn(arena: Arena) -> None:
    published = vectors("published")["patch"]["E"]
    ran = arena("solve", "patch", "--turn", "--json")
    assert ran.document["points_per_turn"] == pytest.approx(published, abs=1e-6)
    assert ran.document["first_player_wins"] is None


def test_solve_what_sinks_without_end(arena: Arena) -> None:
    ran = arena("solve", "farkle-fest:target=500,bust_penalty.floor=none", "--json")
    assert ran.code == 0
    assert ran.document["first_player_wins"] is None
    assert "give them a floor" in ran.err


def test_exact(arena: Arena) -> None:
    expected = vectors("exact_games")["zehntausend-2"]["two_player"]
    pair = "hold:points=300,dice=0 vs hold:points=500,dice=0"
    first, second = pair.split(" vs ")
    ran = arena("exact", first, second, "--rules", "zehntausend-2", "--trust", "--json")
    assert ran.document["bots"] == [first, second]
    assert ran.document["wins"] == pytest.approx(
        [expected[pair]["first_higher"], expected[pair]["second_higher"]], abs=1e-9
    )
    assert ran.document["draw"] == 0.0


def test_exact_of_bots_that_cannot_be_computed(arena: Arena) -> None:
    for bot in ("random-bot", "notebook", "moody"):
        ran = arena("exact", bot, "hold", "--rules", SMALL, "--trust")
        if ran.code == 0:
            continue  # a bot of that name may be one that can
        assert ran.err.count("cannot be computed") == 1 or "no bot" in ran.err
    ran = arena("exact", "perfect", "hold", "--rules", SMALL, "--trust")
    assert ran.code == 2
    assert f"arena solve '{SMALL}'" in ran.err


def test_exact_text(arena: Arena) -> None:
    ran = arena("exact", "hold", "greedy", "--rules", SMALL, "--trust", "--turns")
    assert ran.code == 0
    assert "rounds a game" in ran.out
    assert "instant win" in ran.out


def test_exploit(arena: Arena) -> None:
    ran = arena("exploit", "hold", "--rules", SMALL, "--trust", "--json")
    first, second = ran.document["best_response_wins"]
    assert ran.document["exploitable"] == pytest.approx((first + second) / 2 - 0.5)
    assert ran.document["exploitable"] > 0.0
    assert arena("solve", SMALL).code == 0
    perfect = arena("exploit", "perfect", "--rules", SMALL, "--trust", "--json")
    assert perfect.document["mean"] == pytest.approx(0.5, abs=1e-9)


def test_blunders(arena: Arena) -> None:
    assert arena("blunders", "hold", "--rules", SMALL, "--trust").code == 2  # not solved yet
    assert arena("solve", SMALL).code == 0
    ran = arena("blunders", "hold", "--rules", SMALL, "--trust", "--json", "--most", "7")
    document = ran.document
    assert document["lost"] == pytest.approx(document["best"] - document["value"], abs=1e-8)
    assert len(document["blunders"]) == 7
    assert document["blunders"][0]["cost"] >= document["blunders"][6]["cost"]
    text = arena("blunders", "hold", "--rules", SMALL, "--trust", "--against", "greedy")
    assert text.code == 0
    assert "At all scores together" in text.out
    assert arena("blunders", "perfect", "--rules", SMALL, "--trust").code == 2

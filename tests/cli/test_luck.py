"""`arena luck`: scores without the luck of the dice."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from arena.solver.solved import solved
from arena.stats import StatsError, mean_interval
from tests.cli.running import Arena

RULES = "zehntausend-2:target=1500"
BOTS = ("hold:points=350", "hold:points=600")


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    solved.cache_clear()


def test_the_adjusted_score_is_unbiased_and_narrower(arena: Arena) -> None:
    """400 games; the adjusted interval holds the exact share (2.6 standard errors are allowed)."""
    ran = arena("luck", *BOTS, "--rules", RULES, "--games", 400, "--trust", "--solve", "--json")
    assert ran.code == 0
    found = ran.document
    forth, back = (
        arena("exact", *order, "--rules", RULES, "--trust", "--json").document["wins"]
        for order in (BOTS, BOTS[::-1])
    )
    exact = (forth[0] + back[1]) / 2
    bot, other = found["bots"]
    half = (bot["adjusted_high"] - bot["adjusted_low"]) / 2
    assert abs(bot["adjusted"] - exact) < half * 2.6 / 1.96
    assert bot["adjusted"] + other["adjusted"] == pytest.approx(1.0, abs=1e-9)
    assert bot["score"] + other["score"] == pytest.approx(1.0, abs=1e-9)
    # Both lose by their decisions what is not luck: 1/2 is what perfect play has against itself.
    assert bot["adjusted"] == pytest.approx(0.5 - bot["play"] + other["play"], abs=1e-9)
    assert found["narrower"] > 1.5
    assert found["worth_games"] == round(400 * found["narrower"] ** 2)


def test_the_games_are_those_of_the_match(arena: Arena) -> None:
    ran = arena("luck", *BOTS, "--rules", RULES, "--games", 20, "--trust", "--solve", "--json")
    match = arena("match", *BOTS, "--rules", RULES, "--games", 20, "--trust", "--json")
    assert [bot["score"] for bot in ran.document["bots"]] == [
        bot["score"] for bot in match.document["bots"]
    ]


def test_what_is_not_solved_is_refused(arena: Arena) -> None:
    ran = arena("luck", *BOTS, "--rules", RULES, "--trust")
    assert ran.code == 2
    assert "arena luck needs perfect play to be computed first" in ran.err


def test_text(arena: Arena) -> None:
    ran = arena("luck", *BOTS, "--rules", RULES, "--games", 20, "--trust", "--solve")
    assert "without luck the interval is x" in ran.out
    assert "given away" in ran.out


def test_intervals_of_means() -> None:
    """Student's interval of a textbook sample: mean 5, deviation 2.58, t of 9 degrees 2.262."""
    estimate = mean_interval(np.array([1.0, 2, 3, 4, 5, 5, 6, 7, 8, 9]))
    assert estimate.value == 5.0
    assert (estimate.low, estimate.high) == pytest.approx((3.153, 6.847), abs=1e-3)
    with pytest.raises(StatsError, match="at least 2 numbers"):
        mean_interval(np.array([1.0]))

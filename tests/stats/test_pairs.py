"""Scores, Elo and intervals of one match."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from arena.stats import (
    BlockMoments,
    MatchStatus,
    PairEstimate,
    StatsError,
    elo_from_score,
    estimate_games,
    estimate_moments,
    estimate_pair_table,
    estimate_pentanomial,
    pentanomial,
    score_from_elo,
)

from . import vectors


def numbers_of(estimate: PairEstimate) -> list[float]:
    parts = [estimate.score, estimate.elo, *([estimate.nelo] if estimate.nelo else [])]
    found = [number for part in parts for number in (part.low, part.value, part.high)]
    return [*found, estimate.deviation, estimate.los, estimate.saving or 0.0]


@pytest.mark.parametrize("entry", vectors.load()["elo"])
def test_reference_numbers(entry: dict[str, Any]) -> None:
    if entry["model"] == "wdl":
        found = estimate_games([entry["L"], entry["D"], entry["W"]], method="wald")
    else:
        found = estimate_pentanomial(entry["LL_LD_WLDD_WD_WW"], method="wald")
    assert found.nelo is not None
    assert found.elo.value == pytest.approx(entry["elo_full"], abs=1e-9)
    assert (found.elo.high - found.elo.low) / 2 == pytest.approx(entry["elo95_full"], abs=1e-9)
    assert found.nelo.value == pytest.approx(entry["nelo"], abs=0.00501)
    assert (found.nelo.high - found.nelo.low) / 2 == pytest.approx(entry["nelo_err"], abs=0.00501)
    assert found.score.value == pytest.approx(entry["score"], abs=0.000501)
    if "los" in entry:
        assert f"{found.los:.2%}" == entry["los"].replace(" ", "")


def test_many_blocks_agree_with_the_plain_interval() -> None:
    counts = [332, 433, 498, 333, 334]
    plain, default = estimate_pentanomial(counts, method="wald"), estimate_pentanomial(counts)
    assert default.score.low == pytest.approx(plain.score.low, abs=1e-4)
    assert default.score.high == pytest.approx(plain.score.high, abs=1e-4)


def test_games_without_draws_give_the_interval_of_jeffreys() -> None:
    found = estimate_games([7, 0, 13])
    assert found.score.low == pytest.approx(scipy_stats.beta.ppf(0.025, 13.5, 7.5), rel=1e-12)
    assert found.score.high == pytest.approx(scipy_stats.beta.ppf(0.975, 13.5, 7.5), rel=1e-12)


@pytest.mark.parametrize(
    ("counts", "status"),
    [
        ([0, 0, 0, 0, 0], MatchStatus.NO_BLOCKS),
        ([0, 0, 0, 0, 9], MatchStatus.ALL_WON),
        ([1, 0, 0, 0, 0], MatchStatus.ALL_LOST),
        ([0, 0, 0, 1, 0], MatchStatus.ONE_BLOCK),
        ([0, 0, 40, 0, 0], MatchStatus.IDENTICAL),
        ([0, 0, 0, 7, 0], MatchStatus.CONSTANT),
        ([0, 1, 0, 7, 0], MatchStatus.OK),
    ],
)
def test_the_status_says_what_cannot_be_estimated(counts: list[int], status: MatchStatus) -> None:
    found = estimate_pentanomial(counts)
    assert found.status is status
    assert all(math.isfinite(number) for number in numbers_of(found))
    assert found.score.low < found.score.high
    assert found.elo.low < found.elo.value < found.elo.high


def test_identical_play_is_one_half_with_the_bound_of_what_was_not_seen() -> None:
    found = estimate_pentanomial([0, 0, 1000, 0, 0])
    assert (found.score.value, found.elo.value, found.los) == (0.5, 0.0, 0.5)
    assert -2.0 < found.elo.low < 0.0 < found.elo.high < 2.0
    assert found.saving is None


def test_pair_table_gives_points_and_saving() -> None:
    table = np.array([[5, 0, 45], [0, 2, 1], [45, 1, 7]])
    assert pentanomial(table).tolist() == [5, 0, 92, 2, 7]
    found = estimate_pair_table(table)
    assert found.saving is not None
    assert found.saving > 3.0
    independent = estimate_pair_table([[25, 0, 25], [0, 0, 0], [25, 0, 25]])
    assert independent.saving == pytest.approx(1.0)


def test_a_block_of_five_seats_has_par_one_fifth() -> None:
    rng = np.random.default_rng(5)
    scores = rng.multinomial(5, [0.2] * 5, size=400)[:, 0] / 5
    moments = BlockMoments(
        blocks=400,
        total=float(scores.sum()),
        squares=float((scores**2).sum()),
        games_per_block=5,
        players=5,
    )
    found = estimate_moments(moments)
    assert found.nelo is None
    assert found.score.low < 0.2 < found.score.high
    assert found.elo.low < 0.0 < found.elo.high
    assert found.elo.value == pytest.approx(float(elo_from_score(moments.mean, players=5)))


@given(
    counts=st.lists(st.integers(0, 10**7), min_size=5, max_size=5),
    confidence=st.floats(0.5, 0.999),
)
@settings(max_examples=200, deadline=None)
def test_always_finite_and_ordered(counts: list[int], confidence: float) -> None:
    found = estimate_pentanomial(counts, confidence=confidence)
    assert all(math.isfinite(number) for number in numbers_of(found))
    assert 0.0 <= found.score.low <= found.score.value <= found.score.high <= 1.0
    assert 0.0 <= found.los <= 1.0
    mirrored = estimate_pentanomial(counts[::-1], confidence=confidence)
    assert mirrored.elo.value == pytest.approx(-found.elo.value, abs=1e-6)


@given(st.floats(-1500, 1500), st.integers(2, 8))
@settings(deadline=None)
def test_elo_and_score_are_inverse(elo: float, players: int) -> None:
    score = score_from_elo(elo, players=players)
    assert elo_from_score(score, players=players) == pytest.approx(elo, abs=1e-6)


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([1, 2, 3, 4, -1], "negative"),
        ([1, 2, 3, 4, 0.5], "whole numbers"),
        ([1, 2, 3, 4], "shape"),
        ([1, 2, 3, 4, float("nan")], "finite"),
        (["a", 2, 3, 4, 5], "numbers are needed"),
    ],
)
def test_bad_counts_are_refused(counts: list[Any], message: str) -> None:
    with pytest.raises(StatsError, match=message):
        estimate_pentanomial(counts)


def test_impossible_moments_and_levels_are_refused() -> None:
    with pytest.raises(StatsError, match="cannot have"):
        BlockMoments(blocks=3, total=4.0, squares=1.0)
    with pytest.raises(StatsError, match="too high"):
        BlockMoments(blocks=3, total=1.0, squares=2.0)
    with pytest.raises(StatsError, match="too low"):
        BlockMoments(blocks=4, total=2.0, squares=0.5)
    with pytest.raises(StatsError, match="confidence"):
        estimate_games([1, 0, 1], confidence=1.0)

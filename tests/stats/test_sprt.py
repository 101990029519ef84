"""Sequential tests: reference ratios, bounds, estimates after the stop."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.stats import (
    MatchStatus,
    Sprt,
    StatsError,
    Verdict,
    block_deviation,
    estimate_after_stop,
    estimate_pentanomial,
    log_likelihood_ratio,
    score_from_elo,
    sprt_forecast,
    sprt_state,
)
from arena.stats.brownian import Corridor
from arena.stats.multinomial import likeliest_with_mean, likeliest_with_t

from . import vectors


@pytest.mark.parametrize("entry", vectors.load()["sprt_llr"])
def test_reference_ratios(entry: dict[str, Any]) -> None:
    blocks = entry.get("LDW") or entry["penta"]
    sprt = Sprt(
        elo0=entry["elo0"],
        elo1=entry["elo1"],
        scale="normalised" if entry["model"] == "normalized" else "logistic",
        games=1 if "LDW" in entry else 2,
    )
    assert log_likelihood_ratio(sprt, blocks) == pytest.approx(entry["full"], abs=1e-6)


@pytest.mark.parametrize(("scale", "most"), [("logistic", 3000.0), ("normalised", 500.0)])
def test_the_farthest_hypotheses_have_a_ratio_for_any_counts(
    scale: Literal["logistic", "normalised"], most: float
) -> None:
    rng = np.random.default_rng(3)
    for games in (1, 2) * 40:
        sprt = Sprt(elo0=-most, elo1=float(rng.uniform(-most, most)), scale=scale, games=games)
        cells = rng.integers(0, 10 ** int(rng.integers(1, 6)), 2 * games + 1)
        cells[rng.random(len(cells)) < 0.5] = 0
        assert math.isfinite(sprt_state(sprt, cells).llr)
        assert math.isfinite(estimate_after_stop(sprt, cells).elo.high)
    with pytest.raises(StatsError, match="must lie between"):
        Sprt(elo0=0.0, elo1=1.1 * most, scale=scale)


def test_likeliest_distributions_meet_their_constraint_and_beat_their_neighbours() -> None:
    values, shares = np.linspace(0, 1, 5), np.array([0.1, 0.2, 0.3, 0.25, 0.15])
    by_mean = likeliest_with_mean(values, shares, 0.55)
    assert by_mean @ values == pytest.approx(0.55, abs=1e-12)
    by_t = likeliest_with_t(values, shares, 0.3)
    mean = by_t @ values
    assert (mean - 0.5) / math.sqrt(by_t @ (values - mean) ** 2) == pytest.approx(0.3, abs=1e-9)
    rng = np.random.default_rng(0)
    for _ in range(50):
        other = by_mean + 1e-3 * rng.standard_normal(5)
        other /= other.sum()
        other = likeliest_with_mean(values, other, 0.55)
        assert shares @ np.log(other) <= shares @ np.log(by_mean) + 1e-12
    with pytest.raises(StatsError, match="mean"):
        likeliest_with_mean(values, shares, 1.0)
    with pytest.raises(StatsError, match="t-value"):
        likeliest_with_t(values, shares, 1e9)


def test_brownian_chances_add_to_one() -> None:
    corridor = Corridor(lower=-2.0, upper=3.0)
    for drift in (-1.5, -0.01, 0.0, 1e-12, 0.4, 2.0):
        for time in (0.3, 2.0, 20.0):
            total = corridor.low_by(drift, time) + corridor.high_by(drift, time)
            assert total + corridor.below(drift, time, 3.0) == pytest.approx(1.0, abs=1e-9)
    assert corridor.ends_low(0.0) == pytest.approx(0.6)
    assert corridor.mean_time(0.0) == pytest.approx(6.0)
    assert corridor.mean_time(1e-3) == pytest.approx(6.0, rel=0.01)
    with pytest.raises(StatsError, match="bounds"):
        Corridor(lower=0.0, upper=1.0)


def test_clear_results_end_the_test() -> None:
    sprt = Sprt(elo0=0, elo1=10)
    assert sprt_state(sprt, [0, 0, 0, 0, 500]).verdict is Verdict.H1
    assert sprt_state(sprt, [500, 0, 0, 0, 0]).verdict is Verdict.H0
    start = sprt_state(sprt, [0, 0, 0, 0, 0])
    assert start.verdict is Verdict.RUNNING
    assert start.llr == 0.0
    assert start.left > 1000


def test_bots_that_play_alike_end_the_test() -> None:
    assert sprt_state(Sprt(elo0=0, elo1=5), [0, 0, 2000, 0, 0]).verdict is Verdict.H0
    assert sprt_state(Sprt(elo0=-5, elo1=0), [0, 0, 2000, 0, 0]).verdict is Verdict.H1
    even = sprt_state(Sprt(elo0=-5, elo1=5, most=2000), [0, 0, 2000, 0, 0])
    assert even.verdict is Verdict.UNDECIDED
    unlimited = Sprt(elo0=-5, elo1=5)
    state = sprt_state(unlimited, [0, 0, 10**5, 0, 0])
    assert state.verdict is Verdict.UNDECIDED


@given(
    blocks=st.lists(st.integers(0, 3000), min_size=5, max_size=5),
    bounds=st.tuples(st.floats(-300, 300), st.floats(1, 300)),
    scale=st.sampled_from(["logistic", "normalised"]),
)
@settings(max_examples=150, deadline=None)
def test_never_nan(blocks: list[int], bounds: tuple[float, float], scale: Any) -> None:
    sprt = Sprt(elo0=bounds[0], elo1=min(bounds[0] + bounds[1], 500.0), scale=scale)
    state = sprt_state(sprt, blocks)
    assert math.isfinite(state.llr)
    assert state.lower < 0.0 < state.upper
    found = estimate_after_stop(sprt, blocks)
    assert found.elo.low <= found.elo.value <= found.elo.high
    assert all(map(math.isfinite, (found.elo.low, found.elo.high, found.score.value)))


def test_the_estimate_after_a_stop_is_less_extreme_than_the_plain_one() -> None:
    sprt = Sprt(elo0=0, elo1=20)
    blocks = [60, 0, 160, 0, 115]
    assert sprt_state(sprt, blocks).verdict is Verdict.H1
    plain, found = estimate_pentanomial(blocks), estimate_after_stop(sprt, blocks)
    assert found.corrected
    assert 0.0 < found.elo.value < plain.elo.value
    assert found.elo.low < 20 < found.elo.high


def test_an_estimate_without_diffusion_says_so() -> None:
    found = estimate_after_stop(Sprt(elo0=0, elo1=10), [0, 0, 0, 0, 500])
    assert not found.corrected
    assert found.status is MatchStatus.ALL_WON


@pytest.mark.parametrize("blocks", [[1, 0, 4, 9, 195], [0, 0, 3, 5, 201], [190, 10, 8, 1, 1]])
def test_an_estimate_far_from_both_hypotheses_is_that_of_the_blocks(blocks: list[int]) -> None:
    """There the ratio grows much more slowly than a diffusion of this many blocks would."""
    sprt = Sprt(elo0=0.0, elo1=5.0, look=42)
    found, plain = estimate_after_stop(sprt, blocks), estimate_pentanomial(blocks)
    assert not found.corrected
    assert found.score == plain.score
    assert found.elo == plain.elo


def test_errors_are_nominal_and_the_forecast_is_right() -> None:
    """400 tests under either hypothesis; 5 % nominal, alarm above 5 % + 3 errors."""
    rng = np.random.default_rng(17)
    values, base = np.linspace(0, 1, 5), np.array([0.15, 0.05, 0.6, 0.05, 0.15])
    for truth, wrong in ((0.0, Verdict.H1), (60.0, Verdict.H0)):
        sprt = Sprt(elo0=0, elo1=60, look=5)
        p = likeliest_with_mean(values, base, float(score_from_elo(truth)))
        errors, played, below = 0, [], 0
        for _ in range(200):
            cells = np.zeros(5, dtype=np.int64)
            while (state := sprt_state(sprt, cells)).verdict is Verdict.RUNNING:
                cells += rng.multinomial(5, p)
            errors += state.verdict is wrong
            played.append(state.blocks)
            below += estimate_after_stop(sprt, cells).elo.value < truth
        assert errors <= 200 * (0.05 + 3 * math.sqrt(0.05 * 0.95 / 200))
        deviation = math.sqrt(p @ values**2 - (p @ values) ** 2)
        forecast = sprt_forecast(sprt, elo=truth, deviation=deviation)
        assert np.mean(played) == pytest.approx(forecast.blocks, rel=0.35)
        assert forecast.games == 2 * forecast.blocks
        assert forecast.accepts_h1 == pytest.approx(0.05 if truth == 0.0 else 0.95, abs=0.01)
        assert 70 <= below <= 130


def test_the_middle_takes_longest() -> None:
    sprt = Sprt(elo0=0, elo1=5, scale="normalised")
    middle, edge = (sprt_forecast(sprt, elo=elo, deviation=0.3) for elo in (2.5, 5.0))
    assert middle.blocks > 1.5 * edge.blocks
    assert middle.accepts_h1 == pytest.approx(0.5)


def test_bad_tests_are_refused() -> None:
    with pytest.raises(StatsError, match="below elo1"):
        Sprt(elo0=5, elo1=5)
    with pytest.raises(StatsError, match="alpha and beta"):
        Sprt(elo0=0, elo1=5, alpha=0.7)
    with pytest.raises(StatsError, match="at least 1"):
        Sprt(elo0=0, elo1=5, look=0)
    with pytest.raises(StatsError, match="shape"):
        sprt_state(Sprt(elo0=0, elo1=5), [1, 2, 3])
    with pytest.raises(StatsError, match="whole numbers"):
        sprt_state(Sprt(elo0=0, elo1=5), [1, 2, 3.5, 1, 1])
    with pytest.raises(StatsError, match="positive"):
        sprt_forecast(Sprt(elo0=0, elo1=5), elo=0, deviation=0.0)


def test_block_deviation_is_never_zero() -> None:
    assert block_deviation(np.array([0, 0, 10**6, 0, 0])) > 0.0
    assert block_deviation(np.array([50, 0, 0, 0, 50])) == pytest.approx(0.5)

"""Standings: reference ratings, degenerate input, covariance."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.stats import (
    Bound,
    Results,
    SeatStatus,
    StatsError,
    difference_errors,
    expected_score,
    fit_bradley_terry,
    results_from_crosstable,
    results_from_matches,
    superiority,
)
from arena.stats.draw_models import DrawModel

from . import vectors

MODELS: tuple[DrawModel, ...] = ("half", "davidson", "rao-kupper")


def games(rows: list[tuple[int, int, int, int, int]], bots: int) -> Results:
    """Rows of first, second, wins, draws, losses."""
    first, second, wins, draws, losses = zip(*rows, strict=True) if rows else ([], [], [], [], [])
    return results_from_crosstable(
        bots=bots, first=first, second=second, wins=wins, draws=draws, losses=losses
    )


def test_reference_ratings_and_errors() -> None:
    truth = vectors.load()["bradley_terry"]
    found = fit_bradley_terry(vectors.crosstable())
    for bot, name in enumerate(vectors.BOTS):
        assert found.ratings[bot] == pytest.approx(truth["r"][name], abs=0.0006)
        assert found.errors[bot] == pytest.approx(truth["se"][name], abs=0.0006)
    assert found.seat.elo == pytest.approx(truth["home"], abs=0.0006)
    assert found.seat.error == pytest.approx(truth["home_se"], abs=0.0006)
    assert -found.log_likelihood == pytest.approx(truth["nll"], abs=0.00006)
    apart = difference_errors(found)
    assert apart[0, 1] == pytest.approx(truth["sd_A_minus_B"], abs=0.0006)
    assert apart[2, 3] == pytest.approx(truth["sd_C_minus_D"], abs=0.0006)
    assert found.ratings.sum() == pytest.approx(0.0, abs=1e-8)
    assert found.warnings == ()


def test_the_optimum_is_exact() -> None:
    """At the optimum each bot's points equal their expectation (half points, no prior)."""
    results = vectors.crosstable()
    found = fit_bradley_terry(results)
    scored, expected = np.zeros(5), np.zeros(5)
    rows = zip(results.lone_first, results.lone_second, results.lone, strict=True)
    for first, second, (loss, draw, win) in rows:
        gap = found.ratings[first] - found.ratings[second] + found.seat.elo
        p = 1.0 / (1.0 + 10.0 ** (-gap / 400.0))
        total = loss + draw + win
        scored += np.eye(5)[first] * (win + draw / 2) + np.eye(5)[second] * (loss + draw / 2)
        expected += np.eye(5)[first] * total * p + np.eye(5)[second] * total * (1 - p)
    assert np.allclose(scored, expected, atol=1e-9)


@pytest.mark.parametrize("model", MODELS)
def test_draw_models_maximise_their_likelihood(model: DrawModel) -> None:
    rows = [(0, 1, 8, 5, 3), (1, 0, 5, 7, 4), (1, 2, 9, 2, 3), (2, 0, 2, 6, 8), (0, 2, 7, 4, 5)]
    results = games(rows, 3)
    best = fit_bradley_terry(results, draws=model)
    assert best.draw_model == model
    assert (best.draw_width is None) == (model == "half")
    for bot in range(3):
        for step in (-1.0, 1.0):
            moved = fit_bradley_terry(
                results, draws=model, anchors={bot: float(best.ratings[bot] + step)}
            )
            # One anchored rating only shifts the scale; two fixed ones restrict the fit.
            assert moved.log_likelihood == pytest.approx(best.log_likelihood, abs=1e-9)
    tied = fit_bradley_terry(results, draws=model, anchors={0: 0.0, 1: 0.0})
    assert tied.log_likelihood < best.log_likelihood


def test_without_draws_all_models_are_one() -> None:
    fits = [fit_bradley_terry(vectors.crosstable(), draws=model) for model in MODELS]
    assert all(np.allclose(fit.ratings, fits[0].ratings) for fit in fits)


def test_anchor_shifts_the_scale() -> None:
    free = fit_bradley_terry(vectors.crosstable())
    anchored = fit_bradley_terry(vectors.crosstable(), anchors={1: 1500.0})
    assert anchored.ratings[1] == 1500.0
    assert anchored.errors[1] == 0.0
    assert np.allclose(anchored.ratings - 1500.0, free.ratings - free.ratings[1])
    assert anchored.errors[0] == pytest.approx(difference_errors(free)[0, 1])
    assert np.allclose(difference_errors(anchored), difference_errors(free))
    with pytest.raises(StatsError, match="no bot 9"):
        fit_bradley_terry(vectors.crosstable(), anchors={9: 0.0})


def test_superiority_is_a_probability_matrix() -> None:
    chance = superiority(fit_bradley_terry(vectors.crosstable()))
    assert np.allclose(chance + chance.T, 1.0)
    assert chance[0, 4] > 0.999
    assert 0.9 < chance[2, 3] < 0.99


def test_winner_of_everything_is_finite_and_marked_and_pulls_nobody() -> None:
    bounded = games([(0, 1, 6, 0, 4), (1, 0, 5, 0, 5)], 2)
    hopeless = games([(0, 1, 6, 0, 4), (1, 0, 5, 0, 5), (0, 2, 10, 0, 0), (2, 1, 0, 0, 10)], 3)
    found = fit_bradley_terry(hopeless)
    assert found.bounds == (Bound.FINITE, Bound.FINITE, Bound.BELOW)
    assert np.isfinite(found.covariance).all()
    assert found.ratings[2] < found.ratings[1] - 300
    assert found.high[2] < min(found.low[0], found.low[1])
    assert "won or lost everything" in found.warnings[0]
    alone = fit_bradley_terry(bounded)
    gap = found.ratings[0] - found.ratings[1] - (alone.ratings[0] - alone.ratings[1])
    assert abs(gap) < 5.0


def test_two_bots_one_winner() -> None:
    found = fit_bradley_terry(games([(0, 1, 9, 0, 0), (1, 0, 0, 0, 9)], 2))
    assert found.bounds == (Bound.ABOVE, Bound.BELOW)
    assert 400 < found.ratings[0] - found.ratings[1] < 900
    assert found.seat.status is SeatStatus.UNBOUNDED


def test_the_first_seat_that_always_wins_is_marked() -> None:
    found = fit_bradley_terry(games([(0, 1, 9, 0, 0), (1, 0, 9, 0, 0)], 2))
    assert found.seat.status is SeatStatus.UNBOUNDED
    assert found.bounds == (Bound.FINITE, Bound.FINITE)
    assert found.seat.elo > 300
    assert found.ratings[0] == pytest.approx(0.0, abs=1e-9)


def test_a_seat_that_always_wins_among_unequal_bots_is_marked() -> None:
    """The ratings can absorb a seat term only where no chain of games closes against it."""
    rows = [(0, 1, 5, 0, 0), (1, 0, 3, 0, 2), (1, 2, 5, 0, 0), (2, 1, 5, 0, 0), (0, 2, 5, 0, 0)]
    assert fit_bradley_terry(games(rows, 3)).seat.status is SeatStatus.UNBOUNDED
    rows.append((2, 0, 0, 0, 5))
    assert fit_bradley_terry(games(rows, 3)).seat.status is SeatStatus.UNBOUNDED
    rows.append((2, 1, 0, 0, 1))
    rows.append((1, 2, 0, 0, 1))
    assert fit_bradley_terry(games(rows, 3)).seat.status is SeatStatus.FINITE


def test_one_seating_only_cannot_tell_seat_from_bot() -> None:
    found = fit_bradley_terry(games([(0, 1, 6, 0, 4)], 2))
    assert found.seat.status is SeatStatus.CONFOUNDED
    assert (found.seat.elo, found.seat.error) == (0.0, 0.0)
    assert "cannot tell the seat" in found.warnings[0]


def test_unconnected_groups_are_named() -> None:
    rows = [(0, 1, 6, 0, 4), (1, 0, 5, 0, 5), (2, 3, 5, 1, 4), (3, 2, 2, 2, 6)]
    found = fit_bradley_terry(games(rows, 5))
    assert found.connection.groups.tolist() == [0, 0, 1, 1, 2]
    assert found.bounds[4] is Bound.UNCONNECTED
    assert np.isfinite(found.errors).all()
    assert found.errors[4] > 100
    assert "3 groups" in found.warnings[0]


def test_bad_input_is_refused() -> None:
    with pytest.raises(StatsError, match="at least 2"):
        games([], 1)
    with pytest.raises(StatsError, match="no games"):
        fit_bradley_terry(games([], 3))
    with pytest.raises(StatsError, match="itself"):
        games([(1, 1, 3, 0, 2)], 3)
    with pytest.raises(StatsError, match="negative"):
        games([(0, 1, 3, 0, -2)], 3)
    with pytest.raises(StatsError, match="of 3 bots"):
        games([(0, 7, 3, 0, 2)], 3)
    with pytest.raises(StatsError, match="equal length"):
        results_from_crosstable(
            bots=2, first=[0, 1], second=[1, 0], wins=[1], draws=[0, 1], losses=[2, 2]
        )


def test_correlated_blocks_have_smaller_errors_than_the_hessian_says() -> None:
    table = np.array([[10, 0, 40], [0, 0, 0], [40, 0, 10]])
    results = results_from_matches(bots=3, first=[0, 0, 1], second=[1, 2, 2], tables=[table] * 3)
    block, naive = fit_bradley_terry(results), fit_bradley_terry(results, covariance="hessian")
    assert block.covariance_kind == "sandwich"
    assert np.allclose(block.ratings, naive.ratings)
    ratio = (naive.errors / block.errors) ** 2
    assert np.allclose(ratio, 0.25 / 0.1, rtol=0.05)


def test_lone_games_and_blocks_add() -> None:
    table = np.array([[10, 0, 20], [0, 0, 0], [20, 0, 10]])
    blocks = results_from_matches(bots=2, first=[0], second=[1], tables=[table])
    both = blocks + games([(0, 1, 30, 0, 30), (1, 0, 30, 0, 30)], 2)
    assert both.games.tolist() == [240, 240]
    assert fit_bradley_terry(both).ratings[0] == pytest.approx(0.0, abs=1e-9)
    with pytest.raises(StatsError, match="cannot be added"):
        _ = blocks + games([], 3)


def test_expected_score_averages_the_seats() -> None:
    found = fit_bradley_terry(vectors.crosstable())
    total = expected_score(found, 0, 4) + expected_score(found, 4, 0)
    assert total == pytest.approx(1.0)
    assert 0.7 < expected_score(found, 0, 4) < 0.9


@given(
    bots=st.integers(2, 5),
    model=st.sampled_from(MODELS),
    anchored=st.booleans(),
    rows=st.lists(
        st.tuples(
            st.integers(0, 4),
            st.integers(1, 4),
            st.integers(0, 4),
            st.integers(0, 3),
            st.integers(0, 4),
        ),
        min_size=1,
        max_size=12,
    ),
)
@settings(max_examples=150, deadline=None)
def test_any_games_give_finite_ratings(
    bots: int, model: DrawModel, anchored: bool, rows: list[tuple[int, int, int, int, int]]
) -> None:
    """Separated, unconnected, all drawn, one seat only: always a finite, marked result."""
    kept = [(a % bots, (a + b) % bots, *counts) for a, b, *counts in rows if b % bots]
    results = games([row for row in kept if sum(row[2:])], bots)  # type: ignore[misc]
    if not results.games.any():
        return
    for kind in ("hessian", "sandwich"):
        found = fit_bradley_terry(
            results, draws=model, covariance=kind, anchors={0: 100.0} if anchored else None
        )
        for numbers in (found.ratings, found.errors, found.low, found.high, found.covariance):
            assert np.isfinite(numbers).all()
        assert np.abs(found.ratings).max() < 10_000
        assert ((found.errors > 0) | (np.arange(bots) == 0)).all()


def test_two_hundred_bots_take_less_than_two_seconds() -> None:
    rng = np.random.default_rng(200)
    first, second = np.triu_indices(200, 1)
    strength = rng.normal(0, 200, 200)
    p = 1.0 / (1.0 + 10.0 ** ((strength[second] - strength[first]) / 400.0))
    tables = np.zeros((len(first), 3, 3), dtype=np.int64)
    cells = np.stack([(1 - p) ** 2, p * (1 - p), p * (1 - p), p**2], axis=1)
    tables[:, ::2, ::2] = rng.multinomial(20, cells).reshape(-1, 2, 2)
    results = results_from_matches(bots=200, first=first, second=second, tables=tables)
    begun = time.thread_time()  # not the clock on the wall: the machine may be busy
    found = fit_bradley_terry(results)
    assert time.thread_time() - begun < 2.0
    miss = (found.ratings - strength + strength.mean()) / found.errors
    assert 0.8 < float(np.mean(miss**2)) < 1.25

"""Games with more than two seats."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.stats import (
    Bound,
    SeatedMatches,
    SeatStatus,
    StatsError,
    estimate_moments,
    fit_bradley_terry,
    fit_plackett_luce,
    fit_plackett_luce_orders,
    ranks,
    results_from_matches,
    seated_matches,
    seated_moments,
    seated_orders,
)
from arena.stats.arrays import Floats

from .simulate import play_seated


def from_vectors(bots: int, lineups: list[list[int]], blocks: list[Floats]) -> SeatedMatches:
    """Each entry of `blocks`: float64[blocks,2k] block vectors of one lineup."""
    return seated_matches(
        bots=bots,
        lineups=lineups,
        blocks=[len(b) for b in blocks],
        sums=[b.sum(0) for b in blocks],
        cross=[b.T @ b for b in blocks],
    )


def test_two_seats_are_bradley_terry() -> None:
    tables = np.array([[[9, 1, 20], [0, 3, 2], [18, 2, 25]], [[5, 0, 9], [1, 0, 2], [8, 0, 6]]])
    vectors_ = []
    for table in tables:
        rows = []
        for a in range(3):
            for b in range(3):
                first_seat = a / 2 + (2 - b) / 2
                row = [(a + b) / 2, 2 - (a + b) / 2, first_seat, 2 - first_seat]
                rows += [row] * int(table[a, b])
        vectors_.append(np.array(rows))
    seated = fit_plackett_luce(from_vectors(3, [[0, 1], [1, 2]], vectors_))
    paired = fit_bradley_terry(
        results_from_matches(bots=3, first=[0, 1], second=[1, 2], tables=tables)
    )
    assert np.allclose(seated.ratings, paired.ratings, atol=1e-6)
    assert seated.seats[0] - seated.seats[1] == pytest.approx(paired.seat.elo, abs=1e-6)
    assert seated.log_likelihood == pytest.approx(paired.log_likelihood, abs=1e-8)
    assert np.allclose(seated.errors, paired.errors, rtol=0.02)


def test_known_strengths_come_back() -> None:
    rng = np.random.default_rng(11)
    elo = np.array([150.0, 60.0, 0.0, -40.0, -170.0])
    seats = np.array([30.0, 0.0, -10.0, -20.0])
    lineups = np.array([[0, 1, 2, 3], [1, 2, 3, 4], [0, 2, 3, 4], [0, 1, 3, 4]])
    matches, orders = play_seated(elo, seats, lineups, np.full(4, 400), rng, same=0.5)
    for found in (fit_plackett_luce(matches), fit_plackett_luce_orders(orders)):
        assert np.abs((found.ratings - elo) / found.errors).max() < 3.0
        assert np.abs((found.seats - seats) / found.seat_errors).max() < 3.0
        assert found.ratings.sum() == pytest.approx(0.0, abs=1e-6)
        assert found.seats.sum() == pytest.approx(0.0, abs=1e-6)
        assert found.games.tolist() == [4800, 4800, 4800, 6400, 4800]
        assert found.warnings == ()
        assert ranks(found).place[0] == 1
    assert (fit_plackett_luce_orders(orders).errors < fit_plackett_luce(matches).errors).all()


def test_the_winner_fit_is_stationary() -> None:
    """Each bot's and each seat's points equal their expectation."""
    rng = np.random.default_rng(3)
    lineups = np.array([[0, 1, 2], [2, 1, 3]])
    matches, _ = play_seated(
        np.array([0.0, 50.0, -50.0, 0.0]), np.zeros(3), lineups, np.array([30, 50]), rng
    )
    found = fit_plackett_luce(matches)
    expected, scored = np.zeros(7), np.zeros(7)
    for row, lineup in enumerate(lineups):
        for turn in range(3):
            seat = (np.arange(3) + turn) % 3
            worth = 10 ** ((found.ratings[lineup] + found.seats[seat]) / 400)
            np.add.at(expected, lineup, matches.blocks[row] * worth / worth.sum())
            np.add.at(expected, 4 + seat, matches.blocks[row] * worth / worth.sum())
        np.add.at(scored, lineup, matches.sums[row, :3])
        scored[4:] += matches.sums[row, 3:]
    assert np.allclose(expected, scored, atol=1e-8)


def test_winner_of_everything_and_seat_that_never_wins_are_marked() -> None:
    vector = np.array([[3.0, 0.0, 0.0, 1.0, 1.0, 1.0]] * 10)
    found = fit_plackett_luce(from_vectors(3, [[0, 1, 2]], [vector]))
    assert found.bounds[0] is Bound.ABOVE
    assert np.isfinite(found.ratings).all()
    assert np.isfinite(found.errors).all()
    assert found.ratings[0] > 300
    first = np.array([[1.0, 1.0, 1.0, 3.0, 0.0, 0.0]] * 10)
    marked = fit_plackett_luce(from_vectors(3, [[0, 1, 2]], [first]))
    assert marked.seat_status is SeatStatus.UNBOUNDED
    assert marked.seats[0] > 200
    assert np.isfinite(marked.seat_errors).all()


def test_fixed_seats_cannot_tell_seat_from_bot() -> None:
    wins = np.repeat(np.eye(3), [10, 6, 4], axis=0)
    vector = np.concatenate([wins, wins], axis=1)
    matches = seated_matches(
        bots=3,
        lineups=[[0, 1, 2]],
        blocks=[20],
        sums=[vector.sum(0)],
        cross=[vector.T @ vector],
        rotated=False,
    )
    found = fit_plackett_luce(matches)
    assert found.seat_status is SeatStatus.CONFOUNDED
    assert found.seats.tolist() == [0.0, 0.0, 0.0]
    worth = 10 ** (found.ratings / 400)
    assert np.allclose(worth / worth.sum(), [0.5, 0.3, 0.2])


def test_the_score_of_one_bot_has_par_one_over_seats() -> None:
    rng = np.random.default_rng(5)
    matches, _ = play_seated(
        np.zeros(5), np.zeros(5), np.arange(5)[None, :], np.array([300]), rng, same=0.7
    )
    found = estimate_moments(seated_moments(matches, 0, 2))
    assert found.score.low < 0.2 < found.score.high
    assert found.saving is not None
    assert found.saving > 1.5


def test_a_tied_order_is_given_as_all_it_allows() -> None:
    once = seated_orders(
        bots=3, bot=[[0, 1, 2], [1, 0, 2]], seat=[[0, 1, 2]] * 2, block=[0, 0], weight=[0.5, 0.5]
    )
    assert once.weight.sum() == 1.0
    found = fit_plackett_luce_orders(once)
    assert found.ratings[0] == pytest.approx(found.ratings[1])
    assert found.games.tolist() == [1, 1, 1]
    assert np.isfinite(found.errors).all()


@given(seed=st.integers(0, 10**6), seats=st.integers(2, 4), lineups=st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_any_games_give_finite_ratings(seed: int, seats: int, lineups: int) -> None:
    """Few blocks, some by arbitrary winners: always a finite, marked result."""
    rng = np.random.default_rng(seed)
    bots = 5
    named = np.array([rng.permutation(bots)[:seats] for _ in range(lineups)])
    elo = 600.0 * rng.standard_normal(bots)
    matches, orders = play_seated(
        elo, 200.0 * rng.standard_normal(seats), named, rng.integers(1, 4, lineups), rng
    )
    for found in (fit_plackett_luce(matches), fit_plackett_luce_orders(orders)):
        for numbers in (found.ratings, found.errors, found.seats, found.seat_errors, found.low):
            assert np.isfinite(numbers).all()
        assert np.abs(found.ratings).max() < 10_000
        assert (found.errors > 0.0).all()


def test_bad_input_is_refused() -> None:
    with pytest.raises(StatsError, match="share out exactly 3"):
        from_vectors(3, [[0, 1, 2]], [np.array([[1.0, 0.0, 0.0, 1.0, 0.0, 0.0]])])
    with pytest.raises(StatsError, match="sits twice"):
        from_vectors(3, [[0, 1, 1]], [np.array([[1.0, 1.0, 1.0, 1.0, 1.0, 1.0]])])
    with pytest.raises(StatsError, match="of 2 bots"):
        from_vectors(2, [[0, 1, 2]], [np.array([[1.0, 1.0, 1.0, 1.0, 1.0, 1.0]])])
    with pytest.raises(StatsError, match="at least one lineup"):
        from_vectors(2, [], [])
    with pytest.raises(StatsError, match="no games"):
        fit_plackett_luce(from_vectors(3, [[0, 1, 2]], [np.zeros((0, 6))]))
    with pytest.raises(StatsError, match="seats 0 to 2"):
        seated_orders(bots=3, bot=[[0, 1, 2]], seat=[[0, 1, 1]], block=[0])
    with pytest.raises(StatsError, match="twice in one order"):
        seated_orders(bots=3, bot=[[0, 1, 1]], seat=[[0, 1, 2]], block=[0])


def test_many_lineups_are_fast() -> None:
    rng = np.random.default_rng(8)
    lineups = np.array([rng.choice(30, 4, replace=False) for _ in range(1000)])
    elo = rng.normal(0, 100, 30)
    matches, _ = play_seated(elo, np.zeros(4), lineups, np.full(1000, 10), rng)
    begun = time.thread_time()
    fit_plackett_luce(matches)
    assert time.thread_time() - begun < 2.0

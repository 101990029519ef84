"""Ranks, bootstrap, test of fit, cycles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from arena.stats import (
    FitTest,
    StatsError,
    bootstrap_ratings,
    fit_bradley_terry,
    fit_test,
    rank_decision,
    ranks,
    results_from_crosstable,
    results_from_matches,
    surely_stronger,
)
from arena.stats.arrays import Floats

from . import vectors
from .simulate import World, play


def test_ranks_of_the_reference_crosstable() -> None:
    found = ranks(fit_bradley_terry(vectors.crosstable()))
    assert found.place.tolist() == [1, 2, 3, 4, 5] or found.place.tolist() == [1, 2, 3, 3, 5]
    assert found.low[0] == 1
    assert found.high[4] == 5
    assert found.low[4] == 5
    assert np.allclose(found.chance.sum(1), 1.0)
    assert np.allclose(found.chance.sum(0), 1.0)
    again = ranks(fit_bradley_terry(vectors.crosstable()))
    assert np.array_equal(again.low, found.low)


def test_equal_bots_share_a_place() -> None:
    table = np.array([[10, 0, 20], [0, 0, 0], [20, 0, 10]])
    results = results_from_matches(bots=3, first=[0, 0, 1], second=[1, 2, 2], tables=[table] * 3)
    found = ranks(fit_bradley_terry(results))
    assert found.place.tolist() == [1, 1, 1]
    assert found.low.tolist() == [1, 1, 1]
    assert found.high.tolist() == [3, 3, 3]
    assert not surely_stronger(fit_bradley_terry(results)).any()
    with pytest.raises(StatsError, match="draws"):
        ranks(fit_bradley_terry(results), draws=3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """Ratings out of the blue; see `arena.stats.ranks.Rated`."""

    ratings: Floats
    covariance: Floats
    freedom: Floats


def drawn(rng: np.random.Generator) -> Drawn:
    n = int(rng.integers(2, 9))
    root = rng.normal(size=(n, int(rng.integers(1, n + 1)))) * rng.choice([1.0, 5.0, 25.0], (n, 1))
    return Drawn(
        ratings=rng.normal(0.0, rng.choice([2.0, 20.0, 60.0]), n),
        covariance=root @ root.T,
        freedom=rng.choice([1.0, 3.0, 30.0, np.inf], n),
    )


def test_rank_intervals_say_what_the_verdict_says() -> None:
    rng = np.random.default_rng(9)
    for seed in range(300):
        rated = drawn(rng)
        surely = surely_stronger(rated)
        found = ranks(rated, draws=100, seed=seed)
        n = len(surely)
        assert ((found.low >= 1) & (found.low <= found.high) & (found.high <= n)).all()
        assert not (surely & surely.T).any()
        assert not ((surely.astype(int) @ surely) & ~surely).any()  # it is transitive
        apart = found.high[:, None] < found.low[None, :]
        assert not (apart & ~surely).any(), "no common rank, but not told apart"
        above_all = surely.sum(1) == n - 1
        assert (found.high[above_all] == 1).all(), "surely the strongest, but not surely first"
        stopped = rank_decision(rated)
        assert not (stopped.stronger & ~surely).any(), "the stopping rule claims more"
        if stopped.stronger.sum() == n * (n - 1) / 2:
            assert np.array_equal(found.low, found.high)


def test_two_bots_with_little_between_them_share_their_ranks() -> None:
    # Likely, but not surely different: the shortest runs alone would say 1 and 2.
    rated = Drawn(
        ratings=np.array([8.0, -8.0]),
        covariance=25.0 * np.array([[1.0, -1.0], [-1.0, 1.0]]),
        freedom=np.full(2, np.inf),
    )
    assert not surely_stronger(rated).any()
    assert ranks(rated).low.tolist() == [1, 1]
    assert ranks(rated).high.tolist() == [2, 2]


def test_bootstrap_agrees_with_the_sandwich() -> None:
    world = World(elo=np.array([120.0, 40.0, -30.0, -130.0]), seat=20.0, draws=0.05, same=0.5)
    first, second = np.triu_indices(4, 1)
    results = play(world, first, second, np.full(6, 150), np.random.default_rng(3))
    fitted = fit_bradley_terry(results)
    resampled = bootstrap_ratings(results, replicates=300, seed=4)
    assert np.allclose(resampled.errors, fitted.errors, rtol=0.15)
    assert (resampled.low < fitted.ratings).all()
    assert (fitted.ratings < resampled.high).all()
    naive = fit_bradley_terry(results, covariance="hessian")
    assert (naive.errors > 1.15 * resampled.errors).all()


def test_ratings_that_explain_the_games_pass_the_test() -> None:
    world = World(elo=np.linspace(-150, 150, 8), seat=30.0, same=0.6)
    first, second = np.triu_indices(8, 1)
    found, chances = 0, []
    for seed in range(40):
        results = play(world, first, second, np.full(28, 60), np.random.default_rng(seed))
        test = fit_test(results, fit_bradley_terry(results))
        assert test.freedom == 21
        assert test.p_value is not None
        chances.append(test.p_value)
        found += len(test.cycles)
    assert 0.3 < float(np.mean(chances)) < 0.7
    assert sum(p < 0.05 for p in chances) <= 6
    assert found <= 6


def test_a_cycle_is_found_and_its_pairs_are_the_worst() -> None:
    win = np.array([[4, 0, 20], [0, 0, 0], [20, 0, 56]])
    even = np.array([[25, 0, 25], [0, 0, 0], [25, 0, 25]])
    results = results_from_matches(
        bots=4,
        first=[0, 1, 2, 0, 1, 2],
        second=[1, 2, 0, 3, 3, 3],
        tables=[win, win, win, even, even, even],
    )
    found = fit_test(results, fit_bradley_terry(results))
    assert found.p_value is not None
    assert found.p_value < 1e-6
    assert found.cycles[0].bots == (0, 1, 2)
    assert {(pair.stronger, pair.weaker) for pair in found.pairs[:3]} == {(0, 1), (1, 2), (2, 0)}
    assert found.pairs[0].observed > found.pairs[0].expected


def test_two_bots_leave_nothing_to_test() -> None:
    results = results_from_matches(
        bots=2, first=[0], second=[1], tables=[[[3, 0, 4], [0, 1, 0], [4, 0, 9]]]
    )
    found = fit_test(results, fit_bradley_terry(results))
    assert found.freedom == 0
    assert found.p_value is None
    assert found.cycles == ()


def test_matches_that_were_won_altogether_are_no_misfit() -> None:
    """120 blocks won of 120, where the ratings expect 98 %, lie within chance."""
    spread = np.array([-500.0, -400.0, -100.0, 0.0, 100.0, 400.0, 600.0])
    first, second = np.triu_indices(7, 1)
    chances, worst, whole = [], [], 0
    for same in (0.0, 0.8):
        world = World(elo=spread, seat=30.0, same=same)
        for seed in range(15):
            results = play(world, first, second, np.full(21, 120), np.random.default_rng(seed))
            whole += int((results.tables[:, 0, 0] == 120).sum())
            found = fit_test(results, fit_bradley_terry(results))
            assert found.p_value is not None
            chances.append(found.p_value)
            worst.append(found.pairs[0].z)
    assert whole > 15
    assert sum(p < 0.05 for p in chances) <= 4  # 1 in 1,000 by chance
    assert max(worst) < 4.5


def test_independent_games_that_were_all_won_are_no_misfit() -> None:
    def tested(wins: list[int], draws: list[int]) -> FitTest:
        results = results_from_crosstable(
            bots=3,
            first=[0, 1, 0, 1, 2, 2],
            second=[1, 2, 2, 0, 1, 0],
            wins=[*wins, 0, 0, 0],
            draws=[*draws, *draws],
            losses=[*([0, 0, 0] if any(draws) else [10, 10, 0]), *wins],
        )
        return fit_test(results, fit_bradley_terry(results))

    won = tested([90, 90, 100], [0, 0, 0])
    assert won.p_value is not None
    assert won.p_value > 0.1
    drawn = tested([5, 5, 30], [95, 95, 70])
    assert drawn.pairs[0].z > 2.5  # draws leave little to chance

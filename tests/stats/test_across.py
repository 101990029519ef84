"""One rating over all rulesets."""

from __future__ import annotations

import numpy as np
import pytest

from arena.stats import (
    OverallRatings,
    RulesetRatings,
    StatsError,
    fit_bradley_terry,
    rate_across,
    results_from_crosstable,
    ruleset_ratings,
)
from arena.stats.arrays import Bools, Floats

from . import vectors


def rulesets(
    strength: Floats,
    *,
    noise: float,
    rng: np.random.Generator,
    present: Bools | None = None,
    weights: Floats | None = None,
) -> RulesetRatings:
    """Ratings seen around `strength` float64[k,n] with errors of `noise` Elo."""
    k, n = strength.shape
    centre = np.eye(n) - 1.0 / n
    seen = (strength + noise * rng.standard_normal((k, n))) @ centre
    return RulesetRatings(
        ratings=seen,
        covariances=np.array([noise**2 * centre] * k),
        present=np.ones((k, n), dtype=np.bool_) if present is None else present,
        weights=np.ones(k) if weights is None else weights,
    )


def test_without_spread_it_is_the_mean_and_generalists_have_none() -> None:
    rng = np.random.default_rng(1)
    truth = np.array([120.0, 30.0, -20.0, -130.0])
    found = rate_across(rulesets(np.array([truth] * 6), noise=10.0, rng=rng))
    assert np.abs(found.ratings - truth).max() < 15.0
    assert found.ratings.sum() == pytest.approx(0.0, abs=1e-8)
    assert found.common_spread < 8.0
    assert np.allclose(found.ratings, found.here, atol=1e-6)
    assert (found.spread_low == 0.0).any()
    assert (found.low < truth).all()
    assert (truth < found.high).all()


def test_a_specialist_has_the_widest_spread() -> None:
    rng = np.random.default_rng(2)
    strength = np.array([[100.0, 0.0, 0.0, -50.0, -50.0]] * 6)
    strength[:, 1] += np.array([150.0, -150.0, 100.0, -100.0, 120.0, -120.0])
    found = rate_across(rulesets(strength, noise=8.0, rng=rng))
    assert found.spread.argmax() == 1
    assert found.spread_low[1] > found.spread[[0, 2, 3, 4]].max()
    assert found.errors[1] > found.errors[[0, 2, 3, 4]].max()
    assert np.abs(found.residuals[0]).argmax() == 1
    assert (found.here_errors < found.errors).all()


def test_weights_pull() -> None:
    rng = np.random.default_rng(3)
    strength = np.array([[200.0, -200.0], [0.0, 0.0], [0.0, 0.0]])

    def rated(weights: list[float]) -> OverallRatings:
        return rate_across(rulesets(strength, noise=0.1, rng=rng, weights=np.array(weights)))

    assert rated([1, 1, 1]).ratings[0] == pytest.approx(200 / 3, abs=1.0)
    assert rated([2, 1, 1]).ratings[0] == pytest.approx(100, abs=1.0)
    assert rated([2, 1, 1]).here[0] == pytest.approx(100, abs=1.0)


def test_a_bot_that_missed_rulesets_is_compared_with_those_it_met() -> None:
    """Bot 3 played only where the field was strong; its rating must not suffer for it."""
    rng = np.random.default_rng(4)
    truth = np.array([150.0, 50.0, -100.0, -100.0])
    present = np.array([[1, 1, 1, 0], [1, 1, 0, 1], [1, 1, 1, 0], [1, 1, 0, 1]], dtype=np.bool_)
    data = rulesets(np.array([truth] * 4), noise=3.0, rng=rng, present=present)
    found = rate_across(data)
    assert np.abs(found.ratings - truth).max() < 15.0
    assert found.rulesets.tolist() == [4, 4, 2, 2]
    assert found.residuals[0, 3] == 0.0


def test_a_bot_seen_once_takes_the_spread_of_the_others() -> None:
    rng = np.random.default_rng(5)
    present = np.ones((4, 4), dtype=np.bool_)
    present[1:, 3] = False
    strength = 100.0 * rng.standard_normal((4, 4))
    found = rate_across(rulesets(strength, noise=5.0, rng=rng, present=present))
    assert found.rulesets[3] == 1
    assert found.spread[3] == pytest.approx(found.common_spread)
    assert found.errors[3] > found.common_spread * 0.8
    assert np.isfinite(found.low).all()


def test_from_standings() -> None:
    standings = [fit_bradley_terry(vectors.crosstable()) for _ in range(3)]
    found = rate_across(ruleset_ratings(standings, weights=[1.0, 2.0, 1.0]))
    assert np.allclose(found.ratings, standings[0].ratings, atol=1e-6)
    assert found.common_spread == 0.0


def test_bots_without_games_are_not_present() -> None:
    lone = results_from_crosstable(
        bots=3, first=[0, 1], second=[1, 0], wins=[6, 4], draws=[0, 0], losses=[4, 6]
    )
    both = results_from_crosstable(
        bots=3, first=[0, 1, 2], second=[1, 2, 0], wins=[6, 4, 5], draws=[0, 0, 0], losses=[4, 6, 5]
    )
    data = ruleset_ratings([fit_bradley_terry(lone), fit_bradley_terry(both)])
    assert data.present.tolist() == [[True, True, False], [True, True, True]]
    with pytest.raises(StatsError, match="link"):
        rate_across(ruleset_ratings([fit_bradley_terry(lone), fit_bradley_terry(lone)]))


def test_bad_input_is_refused() -> None:
    one = fit_bradley_terry(vectors.crosstable())
    with pytest.raises(StatsError, match="at least 2 rulesets"):
        ruleset_ratings([one])
    with pytest.raises(StatsError, match="positive weights"):
        ruleset_ratings([one, one], weights=[1.0, 0.0])
    with pytest.raises(StatsError, match="positive weights"):
        ruleset_ratings([one, one], weights=[1.0])
    other = fit_bradley_terry(
        results_from_crosstable(bots=2, first=[0], second=[1], wins=[5], draws=[0], losses=[4])
    )
    with pytest.raises(StatsError, match="same bots"):
        ruleset_ratings([one, other])

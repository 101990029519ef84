"""Stopping rules, allocation, planning."""

from __future__ import annotations

import numpy as np
import pytest

from arena.stats import (
    Standings,
    StatsError,
    allocate,
    anytime_factor,
    anytime_intervals,
    fit_bradley_terry,
    half_width_decision,
    plan_half_width,
    plan_sign,
    rank_decision,
    rank_targets,
    results_from_matches,
    width_targets,
)

from . import vectors
from .simulate import World, play


def standings() -> Standings:
    return fit_bradley_terry(vectors.crosstable())


def test_an_interval_for_all_times_is_wider_but_not_by_much() -> None:
    found = standings()
    low, high = anytime_intervals(found)
    assert (low < found.low).all()
    assert (high > found.high).all()
    assert ((high - low) < 2.0 * (found.high - found.low)).all()


def test_a_confidence_sequence_holds_at_all_times() -> None:
    """2,000 random walks over 2,000 steps; the 95 % sequence may fail in at most 5 %."""
    rng = np.random.default_rng(7)
    steps = np.arange(1, 2001)
    errors = 200.0 / np.sqrt(steps)
    reach = errors * anytime_factor(errors, np.full(2000, np.inf))
    mean = np.cumsum(200.0 * rng.standard_normal((2000, 2000)), axis=1) / steps
    missed = (np.abs(mean) > reach).any(1).mean()
    assert 0.005 < missed < 0.05
    assert (np.abs(mean) > 1.96 * errors).any(1).mean() > 0.4


def test_half_width_asks_for_the_widest() -> None:
    found = standings()
    assert half_width_decision(found, half_width=40).done
    partly = half_width_decision(found, half_width=30)
    assert not partly.done
    assert partly.wide.tolist() == [0, 4]
    assert width_targets(partly).shape == (2, 5)


def test_ranks_are_decided_or_open_or_tied() -> None:
    found = rank_decision(standings())
    assert found.stronger[0, 4]
    assert not found.stronger[4, 0]
    assert found.open[2, 3]
    assert found.open[3, 2]
    assert not found.done
    table = np.array([[0, 0, 9], [0, 4000, 0], [9, 0, 0]])
    alike = fit_bradley_terry(results_from_matches(bots=2, first=[0], second=[1], tables=[table]))
    assert rank_decision(alike, tie=10.0).done
    assert rank_decision(alike, tie=10.0).tied[0, 1]
    assert not rank_decision(alike, tie=0.0).done


def test_blocks_go_to_the_pair_that_is_undecided() -> None:
    world = World(elo=np.array([300.0, 15.0, -15.0, -300.0]))
    first, second = np.triu_indices(4, 1)
    results = play(world, first, second, np.full(6, 150), np.random.default_rng(1))
    found = fit_bradley_terry(results)
    decision = rank_decision(found)
    assert np.argwhere(np.triu(decision.open)).tolist() == [[1, 2]]
    plan = allocate(
        found,
        rank_targets(found, decision),
        first=first,
        second=second,
        deviation=np.full(6, 0.35),
        blocks=100,
        piece=10,
    )
    assert plan.blocks.sum() == 100
    assert plan.blocks[(first == 1) & (second == 2)] >= 80


def test_blocks_for_widths_are_spread_over_the_wide() -> None:
    found = standings()
    first, second = np.triu_indices(5, 1)
    decision = half_width_decision(found, half_width=15)
    plan = allocate(
        found,
        width_targets(decision),
        first=first,
        second=second,
        deviation=np.full(10, 0.35),
        blocks=200,
        piece=5,
    )
    played = np.bincount(first, plan.blocks, 5) + np.bincount(second, plan.blocks, 5)
    assert (played > 0).all()


def test_nothing_undecided_nothing_played() -> None:
    found = standings()
    done = half_width_decision(found, half_width=500)
    first, second = np.triu_indices(5, 1)
    plan = allocate(
        found,
        width_targets(done),
        first=first,
        second=second,
        deviation=np.full(10, 0.35),
        blocks=50,
    )
    assert plan.blocks.sum() == 0


def test_plans_are_the_textbook_numbers() -> None:
    """(1.96 + 1.645)^2 x 0.125 / (score of 10 Elo - 1/2)^2 = 7,848 blocks."""
    plan = plan_sign(10, deviation=0.125**0.5)
    assert plan.blocks == pytest.approx(7848, rel=0.001)
    assert plan.games == 2 * plan.blocks
    assert plan.saving == pytest.approx(1.0, abs=0.001)
    assert plan.games_alone == pytest.approx(plan.games, rel=0.002)
    same_dice = plan_sign(10, deviation=(0.18 * 0.125) ** 0.5)
    assert same_dice.saving == pytest.approx(1 / 0.18, rel=0.001)
    assert same_dice.games < 0.19 * plan.games
    narrow = plan_half_width(5, deviation=0.125**0.5)
    assert narrow.games == pytest.approx(1.96**2 * 0.25 / (5 * 0.25 / 173.7178) ** 2, rel=0.001)


def test_bad_input_is_refused() -> None:
    found = standings()
    with pytest.raises(StatsError, match="half_width"):
        half_width_decision(found, half_width=0)
    with pytest.raises(StatsError, match="tie"):
        rank_decision(found, tie=-1)
    with pytest.raises(StatsError, match="scale"):
        anytime_intervals(found, scale=0)
    with pytest.raises(StatsError, match="above 0"):
        plan_sign(0, deviation=0.3)
    with pytest.raises(StatsError, match="above 0"):
        plan_half_width(5, deviation=0.0)
    with pytest.raises(StatsError, match="positive deviation"):
        allocate(
            found,
            np.eye(5),
            first=np.array([0]),
            second=np.array([1]),
            deviation=np.array([0.0]),
            blocks=5,
        )

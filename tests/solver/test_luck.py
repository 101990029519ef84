"""Luck and play: together they are the result of every single game."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from arena.errors import UsageError
from arena.game import AddressedDice, Event, Player, match_key, play_game
from arena.solver.luck import Luck, game_luck, game_steps
from arena.solver.solved import solved
from arena.solver.solving import solve_duel
from tests.rules.loading import tables
from tests.solver.small_rules import Plain, Watcher


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    solved.cache_clear()


def games(spec: str, players: list[Player], count: int) -> list[Luck]:
    rules = tables(spec).ruleset
    solve_duel(rules)
    found = []
    for block in range(count):
        events: list[Event] = []
        dice = AddressedDice(match_key(1, spec), block)
        play_game(tables(spec), players, dice, listener=events.append)
        found.append(game_luck(solved(rules), events))
    return found


@pytest.mark.parametrize(
    "spec",
    [
        "greed:target=700",
        "greed:target=500,tie=draw,rounds=4",
        "tienduizend:target=1500",
        "zehntausend-1:target=700",
        "zilch:target=1000,bust_penalty.floor=-1000",
    ],
)
def test_every_game_adds_up(spec: str) -> None:
    for luck in games(spec, [Watcher(points=300, seed=1), Plain(points=250)], 40):
        assert max(luck.play) <= 1e-9
        parts = luck.start + luck.luck[0] + luck.play[0] - luck.luck[1] - luck.play[1]
        assert parts == pytest.approx(luck.result, abs=1e-8)


def test_luck_as_a_control_variate() -> None:
    """500 games; luck averages to 0, and without it the same mean is known far better."""
    found = games("zehntausend-2:target=1500", [Plain(points=350), Plain(points=600)], 500)
    result = np.array([luck.result for luck in found])
    adjusted = np.array([luck.adjusted for luck in found])
    fortune = result - adjusted
    assert abs(fortune.mean()) < 3.5 * fortune.std() / len(found) ** 0.5
    assert adjusted.var() < result.var() / 4


def test_unfinished_games_are_refused() -> None:
    spec = "greed:target=700"
    solve_duel(tables(spec).ruleset)
    with pytest.raises(UsageError, match="not at its end"):
        game_luck(solved(tables(spec).ruleset), [])


def test_steps_add_up_and_may_stop_anywhere() -> None:
    spec = "tienduizend:target=1500"
    rules = tables(spec).ruleset
    solve_duel(rules)
    events: list[Event] = []
    dice = AddressedDice(match_key(1, spec), 3)
    players = [Watcher(points=300, seed=1), Plain(points=250)]
    play_game(tables(spec), players, dice, listener=events.append)
    steps = list(game_steps(solved(rules), events))
    luck = game_luck(solved(rules), events)
    assert steps[0].value == luck.start
    assert steps[-1].value == luck.result
    assert sum(step.luck for step in steps) == pytest.approx(sum(luck.luck), abs=1e-12)
    assert sum(step.play for step in steps) == pytest.approx(sum(luck.play), abs=1e-12)
    for before, after in pairwise(steps):
        moved = abs(after.luck + after.play)
        assert abs(after.value - before.value) == pytest.approx(moved, abs=1e-8)
    assert list(game_steps(solved(rules), events[:7])) == steps[:7]

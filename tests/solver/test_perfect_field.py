"""No shipped bot beats `perfect`; a sample of what `perfect_field.py` checks at length."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.solver.solved import solved
from arena.tournament import EngineName, default_engine
from tests.solver.perfect_field import compare, field
from tests.solver.test_perfect_games import SHORT

GAMES = {EngineName.REFEREE: 20, EngineName.KERNEL: 200}


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    solved.cache_clear()


def test_no_shipped_bot_wins_more_than_half() -> None:
    """All shipped bots on three short rulesets."""
    games = GAMES[default_engine()]
    compared = list(compare(SHORT, field(), games, seed=1, workers=1, exactly=False))
    assert {each.bot for each in compared} == set(field())
    assert [str(each) for each in compared if not each.is_beaten] == []


def test_exact_shares() -> None:
    """Games agree with the exact share where it can be computed, and none is above one half."""
    bots = ["hold", "greedy", "closing-time", "moody", "notebook"]
    compared = list(compare(SHORT[2:], bots, 2 * GAMES[default_engine()], seed=1, workers=1))
    assert [each.bot for each in compared if each.exact is None] == ["moody", "notebook"]
    assert [str(each) for each in compared if not each.is_beaten] == []

"""`perfect` wins as often as it should; a sample of what `perfect_games.py` checks at length."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.solver.solved import solved
from arena.tournament import EngineName, default_engine
from tests.solver.perfect_games import Comparison

GAMES = {EngineName.REFEREE: 60, EngineName.KERNEL: 3_000}
SHORT = ["tienduizend:target=2000", "zehntausend-1:target=1500", "zehntausend-2:target=1500"]


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    solved.cache_clear()


def test_perfect_wins_as_often_as_it_should() -> None:
    """Nine values; all of them are within 3.5 standard errors in 99.6 of 100 seeds."""
    comparison = Comparison(SHORT, seed=1)
    compared = list(comparison.play(GAMES[default_engine()], workers=1))
    assert len(compared) == 9
    assert [str(each) for each in compared if abs(each.errors) > 3.5] == []

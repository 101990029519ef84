"""Win rates agree with exact values; a sample of what `exact_games.py` checks at length."""

from __future__ import annotations

from arena.tournament import EngineName, default_engine
from tests.tournament.exact_games import compare

GAMES = {EngineName.REFEREE: 120, EngineName.KERNEL: 20_000}


def test_first_seats_win_as_often_as_they_should() -> None:
    # 36 values; all of them are within 3.5 standard errors in 98 of 100 seeds.
    compared = list(compare(GAMES[default_engine()], seed=1, workers=2))
    assert len(compared) == 36
    assert [each for each in compared if abs(each.errors) > 3.5] == []

"""How long a run will still take."""

from __future__ import annotations

from arena.cli.playing import STEADY_SECONDS, Speed
from arena.tournament import Progress


def at(games: int, seconds: float, *, before: int = 0) -> Progress:
    return Progress(
        games=before + games,
        games_new=games,
        games_total=100_000,
        seconds=seconds,
        leader="",
        forfeits=0,
    )


def test_time_before_the_first_games_does_not_count() -> None:
    speed = Speed()
    assert speed.time_left_s(1000) is None
    for progress in (at(0, 20.0), at(1000, 30.0), at(2000, 30.0 + STEADY_SECONDS / 2)):
        speed.see(progress)
        assert speed.time_left_s(1000) is None
    speed.see(at(11_000, 35.0))
    assert speed.time_left_s(2000) == 1.0
    assert speed.time_left_s(0) == speed.time_left_s(-5) == 0.0


def test_games_of_earlier_runs_were_no_work_of_this_one() -> None:
    speed = Speed()
    for progress in (at(0, 0.1, before=50_000), at(10, 1.0, before=50_000)):
        speed.see(progress)
    speed.see(at(410, 5.0, before=50_000))
    assert speed.time_left_s(100) == 1.0


def test_nothing_new_is_no_speed() -> None:
    speed = Speed()
    for seconds in (0.0, 5.0, 9.0):
        speed.see(at(0, seconds, before=7))
    assert speed.time_left_s(3) is None

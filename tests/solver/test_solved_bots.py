"""The bots `perfect` and `perfect-turn`: their decisions, asked like any other bot's."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from arena import Turn
from arena.bots.asking import asker_of
from arena.bots.loader import find_bots, instantiate, resolve
from arena.errors import UsageError
from arena.game import AddressedDice, match_key, play_game
from arena.rules import rule_tables
from arena.solver.distributions import BotTurns
from arena.solver.exact import exact_game, exact_turn
from arena.solver.solved import solved, solved_turn
from arena.solver.solved_turns import SolvedTurns
from arena.solver.solving import solve_duel
from arena.solver.turn import points_turn
from tests.game.players import BOTS
from tests.rules.loading import tables
from tests.solver.small_rules import Plain, turns_of


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    solved.cache_clear()


def asked(name: str, rules: str) -> BotTurns:
    spec = resolve(name, find_bots([BOTS]))
    return BotTurns(tables(rules), asker_of(spec, tables(rules), 2), name)


@pytest.mark.parametrize(
    "spec",
    [
        'greed:target=400,opening_minimum=200,reroll_all=true,instant_win=["11111"]',
        "zehntausend-1:target=500,rolls_reset_on_hot_dice=true,reroll_all=true",
        "zehntausend-2:target=700",
        "greed:target=400,tie=draw,rounds=2,opening_minimum=0",
        "greed:target=300,bust_penalty={after=1,points=100,floor=-100}",
    ],
)
def test_the_bot_plays_what_was_computed(spec: str) -> None:
    """Asked decision by decision, through notes, it comes to the same as the compiled walk."""
    rules = tables(spec).ruleset
    solve_duel(rules)
    plain = turns_of(rules, Plain(points=250))
    by_asking = exact_game(rules, asked("perfect", spec), plain)
    computed = exact_game(rules, SolvedTurns(rules), plain)
    assert by_asking.wins == pytest.approx(computed.wins, abs=1e-12)
    assert by_asking.draw == pytest.approx(computed.draw, abs=1e-12)


@pytest.mark.parametrize("spec", ["tienduizend", "zehntausend-1", "patch", "kcd:max_rolls=4"])
def test_most_points_a_turn(spec: str) -> None:
    rules = tables(spec).ruleset
    best = points_turn(rules)
    bot = asked("perfect-turn", spec)
    assert exact_turn(rules, bot, is_open=True).mean == pytest.approx(best.opened, abs=1e-8)
    unopened = exact_turn(rules, bot, is_open=False).mean
    assert unopened == pytest.approx(best.unopened, abs=1e-8)


def test_the_referee_agrees() -> None:
    """400 games of a shortened game; true dice fail this once in 2,000 seeds."""
    spec, games = "tienduizend:target=2000", 400
    rules = tables(spec).ruleset
    solve_duel(rules)
    hold = resolve("hold:points=300", find_bots([BOTS]))
    exact = exact_game(
        rules, SolvedTurns(rules), BotTurns(tables(spec), asker_of(hold, tables(spec), 2), "hold")
    )
    players = [instantiate(resolve("perfect", find_bots([BOTS]))), instantiate(hold)]
    key = match_key(5, spec)
    play = partial(play_game, tables(spec), players)
    won = sum(play(AddressedDice(key, block)).winners == (1,) for block in range(games))
    error = (exact.wins[0] * exact.wins[1] / games) ** 0.5
    assert abs(won / games - exact.wins[0]) < 3.5 * error


def test_perfect_is_for_two() -> None:
    spec = "zehntausend-2:target=700"
    rules = tables(spec).ruleset
    solve_duel(rules)
    roll = next(roll for roll in rule_tables(rules).rolls if roll.holds)
    turn = Turn(
        rules, roll, points=0, rolls=1, limited_rolls=1, score=0, opponents=(0, 0), round=1,
        seat=1, last_round=False, to_beat=0, busts=0, open=False,
    )  # fmt: skip
    with pytest.raises(UsageError, match="games of two only"):
        solved(rules).decide(turn)
    assert solved_turn(rules).decide(turn).hold in roll.holds

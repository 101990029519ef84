"""Written policies: the same decisions as the plain twin, position by position."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from arena.bots.batch import Positions, table_of
from arena.bots.check_answers import batch_of
from arena.bots.check_positions import Situation, played_positions
from arena.game import Turn
from arena.rules import Ruleset, rule_tables
from arena.solver import policy
from arena.solver.cache import load_policy, load_solved
from arena.solver.exact import exact_game
from arena.solver.policy_making import make_policy, write_policy
from arena.solver.solved import Solved, UnsolvedError, solved
from arena.solver.solved_turns import SolvedTurns
from arena.solver.solving import solve_duel
from tests.rules.loading import tables
from tests.solver.small_rules import Plain, small_ruleset, turns_of

RULES = [
    'greed:target=400,opening_minimum=200,reroll_all=true,instant_win=["11111"]',
    "zehntausend-1:target=600,rolls_reset_on_hot_dice=true,reroll_all=true",
    "zehntausend-1:target=500,end=last_round",
    "zehntausend-2:target=700",
    "tienduizend:target=600,opening_minimum=300,hot_dice=must,tie=draw",
    "greed:target=400,tie=draw,rounds=2,opening_minimum=0",
    "greed:target=300,bust_penalty={after=2,points=100,floor=-100}",
    "zehntausend-2:target=500,opening_minimum=450,bust_penalty={after=2,points=100,floor=-100}",
]


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    solved.cache_clear()


def solved_with_policy(rules: Ruleset) -> Solved:
    solve_duel(rules)
    assert write_policy(rules)
    return solved(rules)


def worth(perfect: Solved, turn: Turn) -> dict[int, float]:
    """What every decision at a position is worth, by the plain twin."""
    plain = perfect._turn_at(perfect._situation(turn))
    counted = turn.limited_rolls if turn.rules.max_rolls else 0
    return plain._values(turn._roll, counted, turn.points // perfect.graph.unit)


def check_positions(rules: Ruleset, *, seed: int, count: int) -> None:
    perfect = solved_with_policy(rules)
    met = played_positions(rule_tables(rules), 2, count, random.Random(seed))
    codes = perfect.decide_many(positions_of(rules, [each.turn for each in met]))
    for situation, code in zip(met, codes.tolist(), strict=True):
        values = worth(perfect, situation.turn)
        assert values[code] >= max(values.values()) - 3e-11, situation.turn
        assert perfect.decide(situation.turn).code == code


def positions_of(rules: Ruleset, turns: list[Turn]) -> Positions:
    questions = batch_of([Situation(why="", turn=turn) for turn in turns])
    return Positions(rules, rule_tables(rules).rolls, table_of(rules), questions)


@pytest.mark.parametrize("spec", RULES)
def test_decisions_are_the_best(spec: str) -> None:
    check_positions(tables(spec).ruleset, seed=1, count=20)


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 4, 6, 8, 9])  # on 5 and 7 every roll wins
def test_random_rulesets(seed: int) -> None:
    check_positions(small_ruleset(seed), seed=seed, count=20)


def test_without_a_policy_turns_are_solved_when_asked_about() -> None:
    rules = tables("zehntausend-2:target=700").ruleset
    with pytest.raises(UnsolvedError):
        write_policy(rules)
    solve_duel(rules)
    plain = solved(rules)
    assert plain.policy is None
    stored = load_solved(rules)
    assert stored is not None
    written = Solved(rules, stored, make_policy(rules, stored))
    turns = [each.turn for each in played_positions(rule_tables(rules), 2, 60, random.Random(5))]
    positions = positions_of(rules, turns)
    assert plain.decide_many(positions).tolist() == written.decide_many(positions).tolist()


@pytest.mark.parametrize("spec", RULES)
def test_turns_read_are_turns_solved(spec: str) -> None:
    """Exact games against `perfect` do not depend on whether its policy was written."""
    rules = tables(spec).ruleset
    solve_duel(rules)
    hold = turns_of(rules, Plain(points=250))
    solved_ones = exact_game(rules, hold, SolvedTurns(rules))
    assert write_policy(rules)
    read = exact_game(rules, hold, SolvedTurns(rules))
    assert read.wins == pytest.approx(solved_ones.wins, abs=1e-13)
    assert read.draw == pytest.approx(solved_ones.draw, abs=1e-13)


def test_what_is_on_disk_is_what_was_made() -> None:
    rules = tables("greed:target=300").ruleset
    made = solved_with_policy(rules).policy
    again = load_policy(rules)
    assert made is not None
    assert again is not None
    for name in ("column", "index", "first", "points", "codes"):
        assert np.array_equal(getattr(made, name), getattr(again, name))
    assert made.nbytes < 1 << 20


def test_a_policy_that_is_too_large_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = tables("greed:target=300").ruleset
    solve_duel(rules)
    monkeypatch.setattr(policy, "MOST_CELLS", 100)
    assert not write_policy(rules)
    assert solved(rules).policy is None

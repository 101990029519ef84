"""Perfect play: naive value iteration, play against itself, and what bots win against it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arena.errors import UsageError
from arena.rules import BustPenalty, Ruleset
from arena.solver.cache import PartWriter, load_part, load_solved, solved_file
from arena.solver.exact import exact_game
from arena.solver.perfect import Unfinished, solve_perfect
from arena.solver.response import best_response
from arena.solver.sheets import make_sheets
from arena.solver.size import UnsolvableError, solve_size
from arena.solver.solved import UnsolvedError, solved
from arena.solver.solved_turns import SolvedTurns
from arena.solver.solving import solve_duel, turn_values
from tests.rules.loading import tables
from tests.solver.naive_game import naive_perfect
from tests.solver.small_rules import Plain, small_ruleset, turns_of


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    solved.cache_clear()


def ruleset(spec: str) -> Ruleset:
    return tables(spec).ruleset


SMALL = ["tienduizend:target=1500", "zehntausend-1:target=1000", "zehntausend-2:target=1000"]
QUICK = [1, 5, 7, 14, 18, 22, 26, 28, 31, 32, 33, 35, 36, 37, 46, 48, 49, 50, 52]
"""Random rulesets on which the naive twin takes less than two seconds."""


@pytest.mark.parametrize("seed", QUICK)
def test_naive_twin(seed: int) -> None:
    rules = replace(small_ruleset(seed, target=250), rounds=0, nothing_scores=0)
    if rules.bust_penalty.after:
        rules = replace(rules, bust_penalty=BustPenalty(after=2, points=100, floor=-100))
    found = solve_perfect(rules)
    assert found.residual < 1e-9
    assert found.first_wins == pytest.approx(naive_perfect(rules, sweeps=300), abs=1e-9)


@pytest.mark.parametrize("spec", [*SMALL, "tienduizend:target=1500,tie=draw,rounds=4"])
def test_perfect_against_itself_wins_its_value(spec: str) -> None:
    """Another way to the same number: forward with distributions instead of back with values."""
    rules = ruleset(spec)
    value = solve_duel(rules).first_wins
    game = exact_game(rules, SolvedTurns(rules), SolvedTurns(rules))
    assert sum(game.wins) + game.draw == pytest.approx(1.0, abs=1e-12)
    assert game.wins[0] + game.draw / 2 == pytest.approx(value, abs=1e-10)


@pytest.mark.parametrize("spec", [*SMALL, f"{SMALL[0]},rounds=4,tie=draw", f"{SMALL[1]},rounds=3"])
def test_nobody_exploits_perfect_play(spec: str) -> None:
    rules = ruleset(spec)
    first = solve_duel(rules).first_wins
    responses = [best_response(rules, SolvedTurns(rules), seat=seat).wins for seat in (1, 2)]
    assert responses == pytest.approx([first, 1 - first], abs=1e-10)
    assert sum(responses) / 2 == pytest.approx(0.5, abs=1e-10)


@pytest.mark.parametrize("spec", SMALL)
def test_best_response_wins_at_least_what_perfect_does(spec: str) -> None:
    rules = ruleset(spec)
    solve_duel(rules)
    bot, perfect = turns_of(rules, Plain(points=300)), SolvedTurns(rules)
    first, second = (best_response(rules, bot, seat=seat).wins for seat in (1, 2))
    assert exact_game(rules, perfect, bot).wins[0] <= first + 1e-12
    assert exact_game(rules, bot, perfect).wins[1] <= second + 1e-12
    assert first + second > 1.0


def test_documents_at_full_length() -> None:
    """Numbers of a full solve; `zehntausend-2` is the quickest of the three documents."""
    found = solve_perfect(ruleset("zehntausend-2"), workers=2)
    assert found.residual < 1e-9
    assert found.first_wins == pytest.approx(0.513495049694, abs=1e-11)


def test_workers_do_not_change_the_result() -> None:
    one, two = (solve_perfect(ruleset(SMALL[0]), workers=workers).values for workers in (1, 2))
    assert np.array_equal(one, two)


@pytest.mark.parametrize("spec", [SMALL[1], "greed:bust_penalty={after=2,points=300,floor=-300}"])
def test_interrupted_solve_goes_on(spec: str) -> None:
    rules = ruleset(spec)
    whole = solve_perfect(rules)
    parts: list[int] = []

    class StopError(Exception):
        pass

    writer = PartWriter(rules, every_s=0.0)

    def save(part: Unfinished) -> None:
        writer(part)
        parts.append(part.done)
        if len(parts) == 10:
            raise StopError

    with pytest.raises(StopError):
        solve_perfect(rules, save=save)
    part = load_part(rules)
    assert part is not None
    assert part.done == 10
    pairs = [0]
    solve_duel(rules, tick=lambda more: pairs.__setitem__(0, pairs[0] + more))
    stored = load_solved(rules)
    assert stored is not None
    assert np.abs(stored.values - whole.values).max() < 1e-9
    assert load_part(rules) is None


def test_solved_rulesets_are_known_again() -> None:
    rules = ruleset(SMALL[2])
    with pytest.raises(UnsolvedError, match=r"run: arena solve 'zehntausend-2:target=1000'"):
        solved(rules)
    assert not solve_duel(rules).known
    again = solve_duel(rules)
    assert again.known
    same = replace(rules, name="another name for the same rules")
    assert solve_duel(same).known
    assert turn_values(rules) == turn_values(rules)
    solved_file(rules).write_bytes(b"damaged")
    assert not solve_duel(rules).known


def test_what_cannot_be_solved_is_said_beforehand() -> None:
    with pytest.raises(UnsolvableError, match="give them a floor"):
        solve_size(ruleset("facebook"))
    with pytest.raises(UsageError, match=r"pairs of scores, .* MiB"):
        solve_size(ruleset("tienduizend:target=1000000"))
    assert solve_size(ruleset("tienduizend")).pairs == 40_000


def test_damaged_files_count_as_not_there() -> None:
    """Every byte of the heads, and some of the rest, wrong in turn: never an error."""
    rules = ruleset("greed:dice=2,target=300,opening_minimum=0,combinations={1=100,5=50}")
    solve_duel(rules)
    path = solved_file(rules)
    whole = path.read_bytes()
    for at in [*range(300), *range(300, len(whole), 41), *range(len(whole) - 150, len(whole))]:
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        stored = load_solved(rules)
        assert stored is None or stored.values.shape[-1] == len(make_sheets(rules))
    path.write_bytes(whole[: len(whole) // 2])
    assert load_solved(rules) is None


def test_solution_of_another_ruleset_is_not_taken() -> None:
    small, large = ruleset(SMALL[2]), ruleset("zehntausend-2:target=1200")
    solve_duel(small)
    solved_file(large).write_bytes(solved_file(small).read_bytes())
    assert load_solved(large) is None


def test_where_nothing_can_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a full disk: the numbers come, and what was not kept is said."""
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    found = solve_duel(ruleset(SMALL[2]))
    assert found.first_wins > 0.5
    assert "cannot be kept" in found.not_kept
    assert turn_values(ruleset(SMALL[2])).turns > 1.0

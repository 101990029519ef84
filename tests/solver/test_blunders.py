"""Blunders: all that is lost is exactly what separates a bot from best play."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena import Bot, Decision, Turn
from arena.solver.blunders import find_blunders
from arena.solver.solved import UnsolvedError, solved
from arena.solver.solving import solve_duel
from tests.rules.loading import tables
from tests.solver.small_rules import Plain, Watcher, turns_of


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    solved.cache_clear()


@pytest.mark.parametrize("spec", ["greed:target=700", "zehntausend-1:target=700", "kcd:target=600"])
@pytest.mark.parametrize("opponent", [None, 250])
def test_the_sum_is_the_difference(spec: str, opponent: int | None) -> None:
    rules = tables(spec).ruleset
    against = None if opponent is None else turns_of(rules, Plain(points=opponent))
    if against is None:
        solve_duel(rules)
    found = find_blunders(rules, turns_of(rules, Watcher(points=300, seed=1)), against, most=20)
    assert found.lost > 0.0
    assert found.lost == pytest.approx(found.best - found.value, abs=1e-8)
    costs = [blunder.cost for blunder in found.worst]
    assert costs == sorted(costs, reverse=True)
    assert sum(costs) <= found.lost
    assert found.habits[0].cost >= costs[0]


def test_perfect_play_must_be_known() -> None:
    rules = tables("greed:target=650").ruleset
    with pytest.raises(UnsolvedError, match="arena solve 'greed:target=650'"):
        find_blunders(rules, turns_of(rules, Plain()))


class Clock(Bot):
    """Looks at the number of the round, alone and together with its score."""

    def decide(self, turn: Turn) -> Decision:
        hold = turn.holds[0]
        goal = 200 if turn.round < 3 else 100
        if turn.score < 60 * turn.round:
            goal += 50
        enough = turn.points + hold.points >= goal and turn.can_bank(hold)
        return hold.bank() if enough else hold.roll()


LIMITED = ["greed:target=500,rounds=3", "zehntausend-1:target=700,rounds=2"]
PENALTIES = "greed:target=400,rounds=4,bust_penalty={after=2,points=100,floor=-200}"


@pytest.mark.parametrize("spec", [*LIMITED, PENALTIES, "greed:target=500"])
@pytest.mark.parametrize("opponent", [None, Plain(points=250), Clock()])
def test_the_sum_is_the_difference_round_by_round(spec: str, opponent: Bot | None) -> None:
    """Best play is found backwards, the bot's value and its places forwards."""
    rules = tables(spec).ruleset
    against = None if opponent is None else turns_of(rules, opponent)
    if against is None:
        solve_duel(rules)
    found = find_blunders(rules, turns_of(rules, Clock()), against, most=20)
    assert found.lost > 0.0
    assert found.lost == pytest.approx(found.best - found.value, abs=1e-8)
    assert all(blunder.round >= 1 for blunder in found.worst)

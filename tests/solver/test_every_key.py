"""Every key of the ruleset format in everything that is computed, or refused beforehand."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from arena import Bot, Decision, Turn
from arena.rules import BustPenalty, Ruleset
from arena.solver.blunders import find_blunders
from arena.solver.exact import exact_game
from arena.solver.response import best_response
from arena.solver.size import UnsolvableError, exact_size, response_size, solve_size
from arena.solver.solved import solved
from arena.solver.solved_turns import SolvedTurns
from arena.solver.solving import solve_duel, turn_values
from tests.rules.loading import tables
from tests.solver.small_rules import turns_of

BASE = "greed:dice=3,target=300,opening_minimum=150"

COMPUTED = [
    (
        "dice",
        "dice=1,opening_minimum=100,combinations.111=0,combinations.222=0,combinations.333=0,combinations.444=0,combinations.555=0,combinations.666=0",
    ),
    ("target", "target=400"),
    ("opening_minimum", "opening_minimum=0"),
    ("bank_minimum", "bank_minimum=100"),
    ("max_rolls", "max_rolls=2"),
    ("rolls_reset_on_hot_dice", "max_rolls=3,rolls_reset_on_hot_dice=true"),
    ("hot_dice", "hot_dice=must"),
    ("hot_dice", "hot_dice=end"),
    ("bust", "bust=keep"),
    ("bust", "bust=keep,hot_dice=must,max_rolls=2"),
    ("reroll_all", "reroll_all=true"),
    ("reroll_all", "reroll_all=true,max_rolls=3"),
    ("continue_faces", "continue_faces=[1,5]"),
    ("end", "end=first_to_target"),
    ("tie", "tie=draw"),
    ("instant_win", 'instant_win=["111"]'),
    ("rounds", "rounds=3"),
    ("rounds", "rounds=2,tie=draw,end=first_to_target"),
    ("bust_penalty", "bust_penalty={after=2,points=100,resets=false,floor=-200}"),
    ("bust_penalty", "bust_penalty={after=1,points=50,resets=true,floor=0}"),
    ("bust_penalty", 'rounds=3,bust_penalty={after=2,points=100,resets=true,floor="none"}'),
    ("bust_penalty", 'rounds=3,bust_penalty={after=1,points=50,resets=false,floor="none"}'),
    ("nothing_scores", "nothing_scores=50,max_rolls=4"),
    ("combinations", "combinations.123=250,combinations.aaa=0"),
]

OF_NO_ACCOUNT = {"name", "title", "source"}


class Seeing(Bot):
    """Looks at the scores, the round, the last round and the row of busts."""

    def decide(self, turn: Turn) -> Decision:
        hold = turn.holds[0]
        goal = 150 if turn.to_beat <= turn.score else 200
        if turn.last_round:
            goal = turn.to_beat - turn.score
        if turn.busts >= 1 or turn.round >= 3:
            goal = goal - 50
        enough = turn.points + hold.points >= goal and turn.can_bank(hold)
        return hold.bank() if enough or turn.points >= 300 else hold.roll()


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    solved.cache_clear()


def ruleset(override: str) -> Ruleset:
    own = {part.partition("=")[0] for part in override.split(",")}
    base = BASE.partition(":")
    kept = [part for part in base[2].split(",") if part.partition("=")[0] not in own]
    return tables(f"{base[0]}:{','.join([*kept, override])}").ruleset


def test_the_table_is_complete() -> None:
    """A new key of the format has to be added here, and to the solver."""
    known = {field.name for field in fields(Ruleset)} - OF_NO_ACCOUNT
    assert {key for key, _ in COMPUTED} == known
    said = " ".join(override for _, override in COMPUTED)
    assert all(field.name in said for field in fields(BustPenalty))


@pytest.mark.parametrize("override", [override for _, override in COMPUTED])
def test_computed(override: str) -> None:
    """Solved, exact, exploited and judged; all four numbers have to fit together."""
    rules = ruleset(override)
    assert solve_size(rules).pairs >= exact_size(rules).pairs or not rules.rounds
    first = solve_duel(rules).first_wins
    assert 0.3 < first < 1.0
    assert turn_values(rules).turns >= 1.0
    bot, perfect = turns_of(rules, Seeing()), SolvedTurns(rules)
    game = exact_game(rules, perfect, bot)
    assert sum(game.wins) + game.draw == pytest.approx(1.0, abs=1e-12)
    best = best_response(rules, bot, seat=1).wins
    assert game.wins[0] + game.draw / 2 <= best + 1e-10
    if not rules.bust_penalty.after:  # with one, `perfect` does not see the other's row of busts
        assert game.wins[0] + game.draw / 2 >= first - 1e-10
        itself = exact_game(rules, perfect, perfect)
        assert itself.wins[0] + itself.draw / 2 == pytest.approx(first, abs=1e-10)
    found = find_blunders(rules, bot, most=5)
    assert found.lost == pytest.approx(found.best - found.value, abs=1e-8)


def test_without_a_floor_rounds_are_one() -> None:
    """A limit of rounds limits how deep scores sink: a floor below that changes nothing."""
    penalty = "rounds=4,bust_penalty={after=1,points=50,resets=false,floor=FLOOR}"
    free, floored = (ruleset(penalty.replace("FLOOR", floor)) for floor in ('"none"', "-1000"))
    values = [solve_duel(rules).first_wins for rules in (free, floored)]
    assert values[0] == pytest.approx(values[1], abs=1e-12)


FLOORLESS = 'bust_penalty={after=2,points=100,resets=true,floor="none"}'


def test_refused_beforehand() -> None:
    for size in (solve_size, response_size):
        with pytest.raises(UnsolvableError, match=r"give them a floor, for example .*floor=-200"):
            size(ruleset(FLOORLESS))
    exact_size(ruleset(FLOORLESS))  # followed as deep as it matters
    for size in (solve_size, response_size, exact_size):
        with pytest.raises(
            UnsolvableError, match=r"pairs of scores, .* MiB.* a smaller target"
        ) as no:
            size(ruleset("target=9000000"))
        smaller = str(no.value).rpartition("target=")[2].partition(",")[0]
        assert size(ruleset(f"target={smaller}")).memory_mib > 1000  # not far too small
    with pytest.raises(UnsolvableError, match="pairs of scores"):
        solve_size(ruleset("target=50000,rounds=1000"))

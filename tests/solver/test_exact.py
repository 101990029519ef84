"""Exact games: vectors, a naive twin on small random rulesets, and what cannot be computed."""

from __future__ import annotations

from functools import cache

import pytest

from arena import Bot, Decision, Turn
from arena.bots.asking import asker_of
from arena.bots.loader import find_bots, resolve
from arena.errors import BotError
from arena.solver.distributions import BotTurns
from arena.solver.exact import exact_game, exact_turn
from tests.game.players import BOTS
from tests.rules.loading import tables, vectors
from tests.solver.naive_game import naive_game
from tests.solver.small_rules import Plain, Watcher, small_ruleset, turns_of

EXACT = vectors("exact_games")
PAIRS = [(rules, pair) for rules in EXACT for pair in EXACT[rules]["two_player"]]
TURNS = [(rules, bot) for rules in EXACT for bot in EXACT[rules]["turn"]]


QUICK = [seed for seed in range(40) if seed not in (8, 11, 12, 16, 19, 24, 27, 39)]
"""Random rulesets on which the naive twin takes less than two seconds."""


@cache
def shipped(rules: str, name: str) -> BotTurns:
    spec = resolve(name, find_bots([BOTS]))
    return BotTurns(tables(rules), asker_of(spec, tables(rules), 2), name)


@pytest.mark.parametrize(("rules", "pair"), PAIRS)
def test_vectors(rules: str, pair: str) -> None:
    expected = EXACT[rules]["two_player"][pair]
    first, second = pair.split(" vs ")
    ruleset = tables(rules).ruleset
    game = exact_game(ruleset, shipped(rules, first), shipped(rules, second))
    equal = expected["tie_first_leads"], expected["tie_second_leads"]
    assert game.equal == pytest.approx(equal, abs=1e-9)
    wins = expected["first_higher"] + equal[0], expected["second_higher"] + equal[1]
    assert game.wins == pytest.approx(wins, abs=1e-9)
    assert game.draw == 0.0
    assert sum(game.wins) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(("rules", "bot"), TURNS)
def test_turn_vectors(rules: str, bot: str) -> None:
    for word, is_open in (("unopened", False), ("opened", True)):
        expected = EXACT[rules]["turn"][bot][word]
        turn = exact_turn(tables(rules).ruleset, shipped(rules, bot), is_open=is_open)
        assert turn.mean == pytest.approx(expected["mean"], abs=1e-9)
        assert turn.sd == pytest.approx(expected["sd"], abs=1e-9)
        assert turn.rolls == pytest.approx(expected["mean_rolls"], abs=1e-9)
        assert turn.instant_win == pytest.approx(expected["p_autowin"], abs=1e-12)
        assert turn.nothing == pytest.approx(expected["p_zero"], abs=1e-9)


@pytest.mark.parametrize("seed", QUICK)
def test_naive_twin(seed: int) -> None:
    rules = small_ruleset(seed)
    bots = Watcher(seed=seed), Plain(points=100 + 50 * (seed % 4))
    expected = naive_game(rules, bots, left=1e-12)
    game = exact_game(rules, turns_of(rules, bots[0]), turns_of(rules, bots[1]))
    assert game.wins == pytest.approx(tuple(expected.wins), abs=1e-9)
    assert game.draw == pytest.approx(expected.draw, abs=1e-9)


class Superstitious(Bot):
    """Looks at faces, but only once it has gathered something."""

    def decide(self, turn: Turn) -> Decision:
        hold = turn.holds[0]
        if turn.points > 0 and (1 in turn.dice or turn.score > turn.to_beat):
            return hold.bank()
        return hold.roll()


@pytest.mark.parametrize("seed", [1, 2, 3, 9, 10])
def test_a_bot_that_looks_at_faces_late(seed: int) -> None:
    """Rolls that were taken together are told apart from then on."""
    rules = small_ruleset(seed)
    bots = Superstitious(), Plain(points=150)
    expected = naive_game(rules, bots, left=1e-12)
    turns = turns_of(rules, bots[0]), turns_of(rules, bots[1])
    game = exact_game(rules, *turns)
    assert game.wins == pytest.approx(tuple(expected.wins), abs=1e-9)
    assert not turns[0].answers.kinds.merged


class Dreamer(Bot):
    """Decides by chance."""

    def decide(self, turn: Turn) -> Decision:
        return turn.rng.choice(turn.holds).bank()


def test_random_bots_cannot_be_computed() -> None:
    rules = small_ruleset(3)
    with pytest.raises(BotError, match="dreamer cannot be computed: its answers do not follow"):
        exact_game(rules, turns_of(rules, Dreamer()), turns_of(rules, Plain()))


class Broken(Bot):
    """Raises when it has gathered a lot."""

    def decide(self, turn: Turn) -> Decision:
        if turn.points >= 100:
            raise RuntimeError("too much")
        return turn.holds[0].roll()


def test_bots_that_forfeit_cannot_be_computed() -> None:
    rules = tables("zehntausend-2:target=1000").ruleset
    with pytest.raises(BotError, match="broken cannot be computed: it makes a fault"):
        exact_game(rules, turns_of(rules, Broken()), turns_of(rules, Plain()))

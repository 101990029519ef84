"""The referee against exact results of `hold` bots, computed elsewhere by dynamic programming.

Seeds are fixed and the dice are a pure function of them, so that a passing test goes on passing; a
referee that plays another game fails. A run with more games, as a script:

    python -m tests.game.test_exact_games 20000
"""

from __future__ import annotations

import math
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache

import pytest

from arena.game import AddressedDice, Player, match_key, play_game
from tests.game.players import hold
from tests.rules.loading import tables, vectors

EXACT = vectors("exact_games")
PAIRS = [(rules, pair) for rules in EXACT for pair in EXACT[rules]["two_player"]]
TURNS = [(rules, bot) for rules in EXACT for bot in EXACT[rules]["turn"]]
GAMES = 400
TURN_GAMES = 1000
ERRORS = 3.5
"""Standard errors that a frequency may be off; true dice exceed it once in 2,000."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A value that was measured beside the exact one, in standard errors."""

    what: str
    measured: float
    exact: float
    error: float

    @property
    def off(self) -> float:
        """How many standard errors the measured value is off."""
        return (self.measured - self.exact) / self.error

    def __str__(self) -> str:
        return f"{self.off:+.2f} SE  {self.measured:.5f}  {self.exact:.5f}  {self.what}"


@cache
def bot(name: str) -> Player:
    """The bot of a key of the vectors, `hold:points=300,dice=0`."""
    points, dice = (int(part.partition("=")[2]) for part in name.partition(":")[2].split(","))
    return hold(points, dice)


def frequency(what: str, hits: int, trials: int, exact: float) -> Checked:
    """A frequency beside its probability."""
    error = math.sqrt(exact * (1 - exact) / trials)
    return Checked(what=what, measured=hits / trials, exact=exact, error=error)


def check_games(rules: str, pair: str, games: int) -> list[Checked]:
    """Wins and equal scores of two bots that keep their seats."""
    exact = EXACT[rules]["two_player"][pair]
    players = [bot(name) for name in pair.split(" vs ")]
    key = match_key(1, rules, pair)
    found = dict.fromkeys(exact, 0)
    for block in range(games):
        result = play_game(tables(rules), players, AddressedDice(key, block))
        first, second = result.scores
        if result.termination == "instant win":
            found["first_higher" if result.winners == (1,) else "second_higher"] += 1
        elif first == second:
            found["tie_first_leads" if result.winners == (1,) else "tie_second_leads"] += 1
        else:
            found["first_higher" if first > second else "second_higher"] += 1
    return [
        frequency(f"{rules} {pair} {kind}", found[kind], games, exact[kind])
        for kind in exact
        if exact[kind] * games > 10  # a rare event has no normal distribution
    ]


def check_turns(rules: str, name: str, games: int) -> list[Checked]:
    """Points of one turn, before and after opening; every game has one turn of each seat."""
    separator = "," if ":" in rules else ":"
    one_round = f"{rules}{separator}rounds=1"
    values = EXACT[rules]["turn"][name]
    found = []
    # To be open is to need no opening, and nothing else tells the two apart for this bot.
    for state, spec in (("unopened", one_round), ("opened", f"{one_round},opening_minimum=0")):
        exact = values[state]
        written: list[int] = []
        key = match_key(2, spec, name)
        for block in range(games):
            result = play_game(tables(spec), [bot(name)] * 2, AddressedDice(key, block))
            written += [tally.written for tally in result.tallies if tally.turns]
        what = f"{rules} {name} {state}"
        error = exact["sd"] / math.sqrt(len(written))
        mean = sum(written) / len(written)
        found += [
            Checked(what=f"{what} points", measured=mean, exact=exact["mean"], error=error),
            frequency(f"{what} nothing", written.count(0), len(written), exact["p_zero"]),
        ]
    return found


@pytest.mark.parametrize(("rules", "pair"), PAIRS)
def test_games(rules: str, pair: str) -> None:
    for checked in check_games(rules, pair, GAMES):
        assert abs(checked.off) < ERRORS, checked


@pytest.mark.parametrize(("rules", "name"), TURNS)
def test_turns(rules: str, name: str) -> None:
    for checked in check_turns(rules, name, TURN_GAMES):
        assert abs(checked.off) < ERRORS, checked


def main() -> None:
    """Check every value on all cores and print them, the farthest off last."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    with ProcessPoolExecutor() as pool:
        work = [pool.submit(check_games, *case, games) for case in PAIRS]
        work += [pool.submit(check_turns, *case, games) for case in TURNS]
        found = [checked for future in work for checked in future.result()]
    found.sort(key=lambda checked: abs(checked.off))
    print(*found, sep="\n")
    print(f"{len(found)} values, {games} games each, farthest {abs(found[-1].off):.2f} SE")


if __name__ == "__main__":
    main()

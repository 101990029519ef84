"""Games of `perfect` against their exact results, as a tournament plays them.

The suite plays a few games of each; a check worth the name is

    python -m tests.solver.perfect_games --games 10000000

It plays more and more, and prints the table each time the games have doubled, so that it may be
stopped at any time.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.bots.asking import asker_of
from arena.bots.isolation import TRUST, Isolation, choose_isolation
from arena.bots.spec import BotSpec
from arena.rules import Ruleset, rule_tables
from arena.solver.distributions import BotTurns, Turns
from arena.solver.exact import exact_game
from arena.solver.policy_making import write_policy
from arena.solver.solved_turns import SolvedTurns
from arena.solver.solving import solve_duel
from arena.tournament import MemoryLedger, PlannedMatch, default_engine, run_matches
from tests.tournament.playing import planned, stats_of

RULES = ("tienduizend", "zehntausend-1", "zehntausend-2")
PAIRS = (
    ("perfect", "perfect"),
    ("perfect", "hold:points=300"),
    ("hold:points=300", "perfect"),
)
FIRST = 25_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One exact value and what was played.

    Attributes:
        exact: probability that the first seat wins.
        won: games that it won.
    """

    rules: str
    bots: str
    games: int
    exact: float
    won: int

    @property
    def errors(self) -> float:
        """Difference in standard errors of the games played."""
        error = math.sqrt(self.exact * (1 - self.exact) / self.games)
        return (self.won / self.games - self.exact) / error

    def __str__(self) -> str:
        return (
            f"{self.rules:26} {self.bots:28} games {self.games:>10,} exact {self.exact:.7f} "
            f"played {self.won / self.games:.7f} {self.errors:+.2f} standard errors"
        )


class Comparison:
    """Matches of `perfect` on some rulesets, in fixed seats: every game has dice of its own.

    Args:
        rules: names of rulesets; they are solved if they were not.
        pairs: bots, first seat first.
        seed: of all matches.
        isolation: under which the bots play.
    """

    def __init__(
        self,
        rules: Sequence[str] = RULES,
        pairs: Sequence[tuple[str, str]] = PAIRS,
        *,
        seed: int,
        isolation: Isolation = TRUST,
    ) -> None:
        self._isolation = isolation
        self._ledger = MemoryLedger()
        self._matches: list[PlannedMatch] = []
        self._exact: list[float] = []
        for name in rules:
            matches = [planned(*pair, rules=name, seed=seed, fixed_seats=True) for pair in pairs]
            self._matches += matches
            self._exact += _exact(matches)

    def play(self, games: int, *, workers: int) -> Iterator[Compared]:
        """Play so many games of each match, those that were played before included."""
        matches = [_with_blocks(match, games) for match in self._matches]
        steps = run_matches(
            matches,
            self._ledger,
            engine=default_engine(),
            workers=workers,
            isolation=self._isolation,
        )
        for _ in steps:
            pass
        for match, exact in zip(matches, self._exact, strict=True):
            stats = stats_of(self._ledger, match)
            yield Compared(
                rules=match.match.rules,
                bots=" v ".join(match.match.bots),
                games=stats.games,
                exact=exact,
                won=int(stats.results[0, 0, 2]),
            )


def turns_of(spec: BotSpec, rules: Ruleset) -> Turns:
    """A bot to be computed; `perfect` from its solution."""
    if spec.class_name == "Perfect":
        return SolvedTurns(rules)
    tables = rule_tables(rules)
    return BotTurns(tables, asker_of(spec, tables, 2), spec.name)


def _exact(matches: Sequence[PlannedMatch]) -> list[float]:
    """How often the first seat wins matches on one ruleset, which is solved if need be."""
    rules = matches[0].ruleset
    solve_duel(rules)
    write_policy(rules)
    specs = {spec.key: spec for match in matches for spec in match.specs}
    turns = {key: turns_of(spec, rules) for key, spec in specs.items()}
    return [
        exact_game(rules, *(turns[spec.key] for spec in match.specs)).wins[0] for match in matches
    ]


def _with_blocks(match: PlannedMatch, blocks: int) -> PlannedMatch:
    return PlannedMatch(match=match.match, ruleset=match.ruleset, specs=match.specs, blocks=blocks)


def main() -> None:
    """Print tables; the exit code tells whether all values agree within 3.5 standard errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--rules", nargs="*", default=RULES)
    given = parser.parse_args()
    comparison = Comparison(given.rules, seed=given.seed, isolation=choose_isolation())
    worst, games = 0.0, min(FIRST, given.games)
    while True:
        table = list(comparison.play(games, workers=given.workers))
        worst = max(abs(each.errors) for each in table)
        spent = sum(os.times()[:4])
        print(*table, sep="\n")
        print(f"largest difference: {worst:.2f} standard errors; {spent:.0f} s CPU", flush=True)
        if games == given.games:
            break
        games = min(2 * games, given.games)
    sys.exit(worst > 3.5)


if __name__ == "__main__":
    main()

"""Matches of `hold` bots against their exact results.

The suite plays a few games of each; a check worth the name is

    python -m tests.tournament.exact_games --games 20000
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.tournament import MemoryLedger, PlannedMatch, default_engine, run_matches
from tests.tournament.playing import planned, stats_of

VECTORS = Path(__file__).parents[1] / "data" / "exact_games.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One exact value and what was played.

    Attributes:
        exact: probability that the first seat wins.
        played: share of games that it won.
        errors: their difference in standard errors.
    """

    rules: str
    bots: str
    games: int
    exact: float
    played: float

    @property
    def errors(self) -> float:
        """Difference in standard errors of the games played."""
        return (self.played - self.exact) / math.sqrt(self.exact * (1 - self.exact) / self.games)


def compare(games: int, *, seed: int, workers: int) -> Iterator[Compared]:
    """Play every pairing of the file; one value after the other, when all are played."""
    vectors = json.loads(VECTORS.read_text())
    wanted: list[tuple[PlannedMatch, float]] = []
    for rules, tables in vectors.items():
        for bots, chances in ({} if rules[0] == "_" else tables["two_player"]).items():
            match = planned(
                *bots.split(" vs "), rules=rules, blocks=games, seed=seed, fixed_seats=True
            )
            wanted.append((match, chances["first_higher"] + chances["tie_first_leads"]))
    ledger = MemoryLedger()
    matches = [match for match, _ in wanted]
    for _ in run_matches(matches, ledger, engine=default_engine(), workers=workers):
        pass
    for match, exact in wanted:
        stats = stats_of(ledger, match)
        yield Compared(
            rules=match.match.rules,
            bots=" v ".join(match.match.bots),
            games=stats.games,
            exact=exact,
            played=int(stats.results[0, 0, 2]) / stats.games,
        )


def main() -> None:
    """Print a table; the exit code tells whether all values agree within 3.5 standard errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    worst = 0.0
    for each in compare(given.games, seed=given.seed, workers=given.workers):
        worst = max(worst, abs(each.errors))
        print(
            f"{each.rules:26} {each.bots:52} exact {each.exact:.5f} "
            f"played {each.played:.5f} {each.errors:+.2f} standard errors"
        )
    print(f"largest difference: {worst:.2f} standard errors")
    sys.exit(worst > 3.5)


if __name__ == "__main__":
    main()

"""Every shipped bot against `perfect`: none may win more than half of the games.

`perfect` does best against the best of opponents, and a game of two is even when both seats are
played; so no bot can win more than half against it. Where a bot can be computed the exact share is
shown and compared, else the games alone tell.

    python -m tests.solver.perfect_field --games 20000
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.bots.isolation import TRUST, Isolation, choose_isolation
from arena.bots.loader import find_bots
from arena.cli.match_result import estimate_of
from arena.errors import ArenaError
from arena.rules import Ruleset
from arena.solver.exact import exact_game
from arena.solver.policy_making import write_policy
from arena.solver.solved_turns import SolvedTurns
from arena.solver.solving import solve_duel
from arena.tournament import MemoryLedger, PlannedMatch, default_engine, run_matches
from tests.solver.perfect_games import RULES, turns_of
from tests.tournament.playing import planned, stats_of

BOTS = Path(__file__).parents[2] / "bots"
Z95 = 1.96


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """One bot against `perfect`, both seats.

    Attributes:
        exact: share that the bot wins; None where it cannot be computed.
        score: share that it won.
        error: standard error of that share, from blocks.
    """

    rules: str
    bot: str
    games: int
    exact: float | None
    score: float
    error: float

    @property
    def errors(self) -> float:
        """Standard errors between the games and the exact share, or above one half."""
        if self.exact is not None:
            return (self.score - self.exact) / max(self.error, 1e-12)
        return max(0.0, self.score - 0.5) / max(self.error, 1e-12)

    @property
    def is_beaten(self) -> bool:
        """Whether it wins no more than it can."""
        exact = self.exact is None or self.exact <= 0.5 + 1e-9
        return exact and abs(self.errors) <= 3.5

    def __str__(self) -> str:
        exact = "not computable" if self.exact is None else f"{self.exact:.7f}"
        return (
            f"{self.rules:26} {self.bot:16} games {self.games:>8,} exact {exact:>14} "
            f"played {self.score:.5f} {self.errors:+.2f} standard errors"
        )


def field() -> list[str]:
    """All shipped bots but `perfect`, as they play without parameters."""
    return [name for name in find_bots([BOTS], entry_points=False).bots if name != "perfect"]


def compare(
    rules: Sequence[str],
    bots: Sequence[str],
    games: int,
    *,
    seed: int,
    workers: int,
    isolation: Isolation = TRUST,
    exactly: bool = True,
) -> Iterator[Against]:
    """Play bots against `perfect`.

    Args:
        rules: rulesets; bots: as they are written; games: of each match.
        seed, workers, isolation: as in a tournament.
        exactly: whether to compute the exact shares too.
    """
    matches = [
        planned(bot, "perfect", rules=name, blocks=-(-games // 2), seed=seed)
        for name in rules
        for bot in bots
    ]
    perfect: dict[Ruleset, SolvedTurns] = {}
    for ruleset in dict.fromkeys(match.ruleset for match in matches):
        solve_duel(ruleset)
        write_policy(ruleset)
        perfect[ruleset] = SolvedTurns(ruleset)
    ledger = MemoryLedger()
    for _ in run_matches(
        matches, ledger, engine=default_engine(), workers=workers, isolation=isolation
    ):
        pass
    for match in matches:
        stats = stats_of(ledger, match)
        estimate = estimate_of(stats, 0)
        yield Against(
            rules=match.match.rules,
            bot=match.match.bots[0],
            games=stats.games,
            exact=_exact(match, perfect[match.ruleset]) if exactly else None,
            score=estimate.score.value,
            error=(estimate.score.high - estimate.score.low) / (2 * Z95),
        )


def _exact(match: PlannedMatch, perfect: SolvedTurns) -> float | None:
    """The share that the first bot wins; None where it cannot be computed."""
    spec = match.specs[0]
    if spec.remembers:
        return None
    bot = turns_of(spec, match.ruleset)
    try:
        first = exact_game(match.ruleset, bot, perfect)
        second = exact_game(match.ruleset, perfect, bot)
    except ArenaError:  # it draws random numbers
        return None
    return (first.wins[0] + second.wins[1]) / 2 + (first.draw + second.draw) / 4


def main() -> None:
    """Print a table; the exit code tells whether no bot wins more than it can."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--rules", nargs="*", default=RULES)
    parser.add_argument("--no-exact", action="store_true", help="the games alone")
    given = parser.parse_args()
    beaten = True
    for each in compare(
        given.rules,
        field(),
        given.games,
        seed=given.seed,
        workers=given.workers,
        isolation=choose_isolation(),
        exactly=not given.no_exact,
    ):
        beaten &= each.is_beaten
        print(each, flush=True)
    sys.exit(not beaten)


if __name__ == "__main__":
    main()

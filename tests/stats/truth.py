"""Do the intervals of real matches hold the truth?  `hold` bots, whose exact results are known.

`python -m tests.stats.truth [MATCHES]` plays so many small matches (400 unless said otherwise) of
every ruleset, pair and size in turn, through the real engine and the numbers of `arena match`, and
prints how often the 95 % intervals hold the exact value.  The seeds are fixed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice, product
from pathlib import Path
from typing import Literal

from arena.cli.match_result import estimate_of
from arena.records import MatchStats
from arena.stats import elo_from_score
from arena.tournament import EngineName, default_engine, play_chunk
from tests.tournament.playing import planned, task

VECTORS = Path(__file__).parents[1] / "data" / "exact_games.json"
SIZES = (20, 50, 100, 200)
FIRST_SEED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """Two bots on one ruleset; `score` of the first, seats averaged, is exact."""

    rules: str
    first: str
    second: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Whether the intervals of one match hold the truth, and whether the truth lies below them."""

    rules: str
    blocks: int
    score: bool
    elo: bool
    below: bool


def duels() -> list[Duel]:
    """Every pair of different bots of the file, once."""
    found = []
    for rules, tables in json.loads(VECTORS.read_text()).items():
        chances = {} if rules[0] == "_" else tables["two_player"]
        for names, seat_1 in chances.items():
            first, second = names.split(" vs ")
            if first >= second:
                continue
            seat_2 = chances[f"{second} vs {first}"]
            won = seat_1["first_higher"] + seat_1["tie_first_leads"]
            won += seat_2["second_higher"] + seat_2["tie_second_leads"]
            found.append(Duel(rules=rules, first=first, second=second, score=won / 2.0))
    return found


def stats_of(duel: Duel, *, blocks: int, seed: int, engine: EngineName) -> MatchStats:
    """The results of one match, the first bot at place 0."""
    match = planned(duel.first, duel.second, rules=duel.rules, blocks=blocks, seed=seed)
    return play_chunk(task(match, engine=engine)).stats


def matches(number: int, *, engine: EngineName) -> Iterator[Held]:
    """Play so many matches, one of each duel and size before the next of any."""
    every = islice(cycle(product(SIZES, duels())), number)
    for seed, (blocks, duel) in enumerate(every, start=FIRST_SEED):
        found = estimate_of(stats_of(duel, blocks=blocks, seed=seed, engine=engine), 0)
        elo = float(elo_from_score(duel.score))
        yield Held(
            rules=duel.rules,
            blocks=blocks,
            score=found.score.low <= duel.score <= found.score.high,
            elo=found.elo.low <= elo <= found.elo.high,
            below=duel.score < found.score.low,
        )


def table(held: Sequence[Held]) -> str:
    """Return the shares as a Markdown table, by ruleset, by size and over all."""
    lines = ["| matches | number | score | Elo | truth below |", "|---|---:|---:|---:|---:|"]
    for rules in dict.fromkeys(each.rules for each in held):
        lines.append(_line(rules, [each for each in held if each.rules == rules]))
    for blocks in dict.fromkeys(each.blocks for each in held):
        some = [each for each in held if each.blocks == blocks]
        lines.append(_line(f"of {blocks} blocks", some))
    lines.append(_line("all", held))
    return "\n".join(lines)


def share_of(held: Sequence[Held], what: Literal["score", "elo", "below"]) -> float:
    """Share of the matches of which this is true."""
    return sum(bool(getattr(each, what)) for each in held) / len(held)


def _line(name: str, held: Sequence[Held]) -> str:
    score, elo, below = (share_of(held, what) for what in ("score", "elo", "below"))
    return f"| {name} | {len(held):,} | {score:.1%} | {elo:.1%} | {below:.1%} |"


def main() -> None:
    """Print the table; the exit code tells whether 93 to 97 % of the intervals hold the truth."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    held = list(matches(number, engine=default_engine()))
    print(table(held))
    shares = share_of(held, "score"), share_of(held, "elo")
    sys.exit(not all(0.93 <= share <= 0.97 for share in shares))


if __name__ == "__main__":
    main()

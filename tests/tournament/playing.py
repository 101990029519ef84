"""Small matches to play in tests."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from arena.bots.loader import BotIndex, find_bots, resolve
from arena.records import Chunk, Match, MatchStats, Trial
from arena.rules import load_ruleset
from arena.tournament import (
    ChunkTask,
    EngineName,
    MemoryLedger,
    PlannedMatch,
    Progress,
    run_matches,
)

ROOT = Path(__file__).parents[2]
RULES = [ROOT / "configs" / "rules"]
FAULTY_BOTS = ROOT / "tests" / "data" / "faulty_bots"


@cache
def index() -> BotIndex:
    """The shipped bots and the faulty ones of these tests."""
    return find_bots([ROOT / "bots", FAULTY_BOTS], entry_points=False)


def planned(
    *bots: str,
    rules: str = "zehntausend-2:target=2000",
    blocks: int = 10,
    seed: int = 7,
    fixed_seats: bool = False,
    found: BotIndex | None = None,
) -> PlannedMatch:
    """A match that may be played."""
    known = found or index()
    specs = tuple(resolve(text, known) for text in bots)
    ruleset = load_ruleset(rules, RULES)
    match = Match(
        rules=ruleset.name,
        rules_key=ruleset.key,
        bots=bots,
        bot_keys=tuple(spec.key for spec in specs),
        seed=seed,
        fixed_seats=fixed_seats,
    )
    return PlannedMatch(match=match, ruleset=ruleset, specs=specs, blocks=blocks)


def task(
    match: PlannedMatch,
    first_block: int = 0,
    blocks: int | None = None,
    engine: EngineName = EngineName.REFEREE,
) -> ChunkTask:
    """A chunk of it; by default all of it."""
    size = match.blocks if blocks is None else blocks
    return ChunkTask(
        chunk=Chunk(match=match.match, first_block=first_block, blocks=size),
        ruleset=match.ruleset,
        specs=match.specs,
        engine=engine,
    )


def as_tried(one: ChunkTask) -> ChunkTask:
    """The chunk with bots that were tried and took part, whatever they would have done."""
    places = range(one.match.seats)
    return replace(one, trials=tuple(Trial(id=one.match.alone(place).id) for place in places))


def run(
    *matches: PlannedMatch,
    ledger: MemoryLedger | None = None,
    workers: int = 1,
    chunk_blocks: int = 0,
) -> tuple[MemoryLedger, list[Progress]]:
    """Play matches on processes; where the results are and all that was told meanwhile."""
    kept = ledger or MemoryLedger()
    steps = run_matches(
        matches,
        kept,
        engine=EngineName.REFEREE,
        workers=workers,
        chunk_blocks=chunk_blocks,
    )
    return kept, list(steps)


def stats_of(ledger: MemoryLedger, match: PlannedMatch) -> MatchStats:
    """What was played of a match; fails the test where it is nothing."""
    stats = ledger.stats(match.match.id)
    assert stats is not None
    return stats


def with_blocks(match: PlannedMatch, blocks: int) -> PlannedMatch:
    """The same match, played further."""
    return replace(match, blocks=blocks)

"""Records to fill a store with."""

from __future__ import annotations

import numpy as np

from arena.bots.spec import BotSpec
from arena.records import Chunk, ChunkResult, Fault, FaultKind, Match, MatchStats
from arena.rules import BustPenalty, Combination, Ruleset
from arena.store import RunInfo

RULESET = Ruleset(
    name="small:target=500",
    title="Small",
    dice=2,
    target=500,
    continue_faces=(1, 5),
    instant_win=("11",),
    bust_penalty=BustPenalty(after=3, points=100, floor=0),
    combinations=(Combination(pattern="1", points=100), Combination(pattern="5", points=50)),
)
SPEC = BotSpec(
    name="hold:points=300",
    class_name="Hold",
    path="bots/hold.py",
    parameters=(("points", 300), ("ratio", 0.5), ("bold", True), ("mood", "grim")),
    source_hash="0123456789abcdef",
    summary="Stops early.",
)
MATCH = Match(
    rules=RULESET.name,
    rules_key=RULESET.key,
    bots=("hold:points=300", "greedy"),
    bot_keys=(SPEC.key, "00ff00ff00ff00ff"),
    seed=2**70,
)
RUN = RunInfo(
    config="title = 'x'",
    config_path="configs/x.toml",
    command="arena run configs/x.toml",
    settings=(("seed", "1"), ("workers", "2")),
    version="0.1.0",
    python="3.11.7",
    platform="Linux",
    cpus=2,
    workers=2,
    started="2026-01-02T03:04:05+00:00",
)


def stats(blocks: int, start: int = 0) -> MatchStats:
    """Statistics of so many blocks with numbers that differ in every cell."""
    zero = MatchStats.zero(seats=2, rotations=2)
    arrays = {}
    for name in zero.__slots__:
        value = getattr(zero, name)
        if name != "blocks":
            arrays[name] = start + np.arange(value.size, dtype=np.int64).reshape(value.shape)
    return MatchStats(blocks=blocks, **arrays)


def chunk_result(first_block: int, blocks: int, match: Match = MATCH) -> ChunkResult:
    """A finished chunk with one fault."""
    return ChunkResult(
        chunk=Chunk(match=match, first_block=first_block, blocks=blocks),
        stats=stats(blocks, first_block),
        faults=(
            Fault(bot="greedy", kind=FaultKind.EXCEPTION, message="no", block=first_block + 1),
        ),
        seconds=0.5,
        worker=77,
    )

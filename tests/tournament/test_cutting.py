"""Chunks: every missing block is handed out once, whatever is there already."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.records import ChunkResult, Match, MatchStats
from arena.rules import Combination, Ruleset
from arena.tournament import EngineName, PlannedMatch
from arena.tournament.cutting import Cutter, missing_spans

RULESET = Ruleset(name="small", combinations=(Combination(pattern="1", points=100),))
MATCH = Match(rules="small", rules_key=RULESET.key, bots=("a", "b"), bot_keys=("0", "1"), seed=1)

SPANS = st.lists(st.tuples(st.integers(0, 120), st.integers(1, 30)), max_size=8)


def _planned(number: int, blocks: int) -> PlannedMatch:
    return PlannedMatch(match=replace(MATCH, seed=number), ruleset=RULESET, specs=(), blocks=blocks)


@given(finished=SPANS, blocks=st.integers(0, 150))
def test_missing_spans_are_exactly_what_is_not_finished(
    finished: list[tuple[int, int]], blocks: int
) -> None:
    done = {block for first, count in finished for block in range(first, first + count)}
    missing = [
        block
        for first, count in missing_spans(finished, blocks)
        for block in range(first, first + count)
    ]
    assert missing == sorted(set(range(blocks)) - done)


@settings(max_examples=60)
@given(
    finished=st.lists(SPANS, min_size=1, max_size=3),
    blocks=st.integers(1, 150),
    workers=st.integers(1, 4),
    chunk_blocks=st.sampled_from([0, 0, 1, 7]),
    pace=st.sampled_from([1e-6, 1e-3, 0.3, 5.0]),
)
def test_every_missing_block_is_handed_out_once(
    finished: list[list[tuple[int, int]]], blocks: int, workers: int, chunk_blocks: int, pace: float
) -> None:
    planned = [_planned(number, blocks) for number in range(len(finished))]
    cutter = Cutter(
        planned,
        finished,
        engine=EngineName.REFEREE,
        workers=workers,
        chunk_blocks=chunk_blocks,
    )
    left = cutter.games_left
    handed: list[tuple[int, int]] = []
    while (task := cutter.next_task()) is not None:
        chunk = task.chunk
        assert chunk.blocks <= (chunk_blocks or blocks)
        handed += [
            (chunk.match.seed, block)
            for block in range(chunk.first_block, chunk.first_block + chunk.blocks)
        ]
        empty = MatchStats.zero(seats=2, rotations=2)
        cutter.learn(ChunkResult(chunk=chunk, stats=empty, seconds=pace * chunk.blocks))
    wanted = [
        (number, block)
        for number, spans in enumerate(finished)
        for first, count in missing_spans(spans, blocks)
        for block in range(first, first + count)
    ]
    assert sorted(handed) == wanted
    assert left == 2 * len(wanted)
    assert cutter.games_left == 0


def test_chunks_grow_to_about_a_second() -> None:
    cutter = Cutter(
        [_planned(0, 100_000), _planned(1, 10)],
        [[], []],
        engine=EngineName.REFEREE,
        workers=2,
    )
    sizes = []
    for _ in range(8):
        task = cutter.next_task()
        assert task is not None
        sizes.append(task.chunk.blocks)
        empty = MatchStats.zero(seats=2, rotations=2)
        seconds = task.chunk.blocks / 2_000
        cutter.learn(ChunkResult(chunk=task.chunk, stats=empty, seconds=seconds))
    assert sizes == [8, 64, 512, 2000, 2000, 2000, 2000, 2000]


def test_the_end_of_a_run_is_shared_by_all_workers() -> None:
    cutter = Cutter([_planned(0, 5_000)], [[]], engine=EngineName.REFEREE, workers=2)
    sizes = []
    while (task := cutter.next_task()) is not None:
        sizes.append(task.chunk.blocks)
        empty = MatchStats.zero(seats=2, rotations=2)
        seconds = task.chunk.blocks / 2_000
        cutter.learn(ChunkResult(chunk=task.chunk, stats=empty, seconds=seconds))
    assert max(sizes[-4:]) <= 200


def test_a_dropped_match_is_not_handed_out() -> None:
    cutter = Cutter(
        [_planned(0, 100), _planned(1, 100)], [[], []], engine=EngineName.REFEREE, workers=1
    )
    cutter.drop(_planned(0, 1).match.id)
    seeds = set()
    while (task := cutter.next_task()) is not None:
        seeds.add(task.chunk.match.seed)
    assert seeds == {1}

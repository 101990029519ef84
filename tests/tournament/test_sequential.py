"""A sequential test ends at the same block whatever the order in which chunks come."""

from __future__ import annotations

import itertools

import numpy as np

from arena.records import ChunkResult
from arena.stats import Sprt, Verdict
from arena.tournament import play_chunk
from arena.tournament.sequential import SequentialLedger, block_counts, most_blocks, with_looks
from tests.tournament.playing import planned, task

MATCH = planned("hold", "random", blocks=40)


def chunks(look: int) -> list[ChunkResult]:
    return [play_chunk(task(MATCH, first, look)) for first in range(0, 40, look)]


def test_only_the_first_blocks_count() -> None:
    test = Sprt(elo0=0.0, elo1=200.0, look=4)
    digests, ends = set(), set()
    for order in itertools.islice(itertools.permutations(chunks(4)), 0, 3_000_000, 300_000):
        ledger = SequentialLedger(test, MATCH.match)
        for chunk in order:
            ledger.add_chunk(chunk)
        assert ledger.decided
        assert ledger.played is not None
        assert ledger.state.verdict is Verdict.H1
        digests.add(ledger.played.digest)
        ends.add(ledger.played.blocks)
        assert ledger.finished(MATCH.match.id) == [(0, ledger.played.blocks)]
        assert ledger.stats(MATCH.match.id) is ledger.played
    assert len(digests) == 1
    assert ends < {4, 8, 12, 16, 20, 24, 28, 32, 36}


def test_nothing_is_looked_at_before_its_turn() -> None:
    ledger = SequentialLedger(Sprt(elo0=0.0, elo1=200.0, look=4), MATCH.match)
    first, second, third = chunks(4)[:3]
    ledger.add_chunk(third)
    ledger.add_chunk(second)
    assert ledger.played is None
    assert ledger.finished(MATCH.match.id) == []
    ledger.add_chunk(first)
    assert ledger.played is not None
    assert ledger.played.blocks >= 4


def test_blocks_are_counted_by_points() -> None:
    stats = play_chunk(task(MATCH)).stats
    assert block_counts(stats).sum() == 40
    assert block_counts(stats) @ np.arange(5) == 2 * stats.block_sums[0] / stats.unit
    fixed = play_chunk(task(planned("hold", "random", blocks=10, fixed_seats=True))).stats
    assert block_counts(fixed).tolist() == fixed.results[0, 0].tolist()


def test_looks_follow_the_hypotheses_and_there_is_an_end() -> None:
    close, far = with_looks(Sprt(elo0=0.0, elo1=2.0)), with_looks(Sprt(elo0=0.0, elo1=300.0))
    assert close.look > 100
    assert far.look == 8
    assert most_blocks(close) > 100 * close.look
    assert most_blocks(Sprt(elo0=0.0, elo1=2.0, most=500)) == 500

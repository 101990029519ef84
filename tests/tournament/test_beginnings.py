"""Who is withdrawn from a match: decided by the first blocks of the match, and by nothing else."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from arena.bots.isolation_limits import Limits
from arena.game import zero_counts
from arena.records import FaultKind, MatchStats
from arena.tournament import ChunkTask, EngineName
from arena.tournament.beginnings import NOBODY, Beginning, Withdrawn
from arena.tournament.engines import Forfeits, Most, Played, engine_named
from arena.tournament.withdrawing import WithdrawingPlayer
from tests.tournament.playing import as_tried, planned, task

LIMITS = Limits(max_losses=3, max_faults=20)
BLOCKS = 300


class Pretender:
    """An engine whose games end as was fixed: `lost` and `raised` are games of the first bot."""

    def __init__(self, lost: set[int], raised: set[int]) -> None:
        self.lost = lost
        self.raised = raised
        self.asked = 0

    def begin(self, task: ChunkTask) -> None:
        """Nothing has to be started."""

    def play(
        self, task: ChunkTask, *, withdrawn: Withdrawn = NOBODY, most: Most | None = None
    ) -> Played:
        """Every bot wins the games in which it sits in the first seat, unless it forfeits."""
        chunk = task.chunk
        counts = zero_counts(blocks=chunk.blocks, rotations=2, seats=2)
        forfeits = Forfeits(2, most)
        for block in range(chunk.first_block, chunk.first_block + chunk.blocks):
            for rotation in range(2):
                game = 2 * block + rotation
                lost = game in self.lost and 0 not in withdrawn
                self.asked += 0 not in withdrawn
                if 0 in withdrawn or game in self.lost | self.raised:
                    counts.forfeits[0] += 1
                    counts.winners[block - chunk.first_block, rotation] = 1 << (1 - rotation)
                    forfeits.add(0, block, rotation, lost=lost, message="crashed")
                else:
                    counts.winners[block - chunk.first_block, rotation] = 1
        return Played(counts=counts, questions=counts.turns, faults=(), losses=forfeits.losses)


def _task(first: int = 0, blocks: int = BLOCKS) -> ChunkTask:
    one = task(planned("hold", "greedy", blocks=BLOCKS), first, blocks)
    return as_tried(replace(one, isolation=replace(one.isolation, limits=LIMITS)))


def _whole(lost: set[int], raised: set[int]) -> tuple[MatchStats, Pretender]:
    engine = Pretender(lost, raised)
    return WithdrawingPlayer(engine).play(_task()).stats, engine


def _cases() -> list[tuple[str, set[int], set[int]]]:
    draw = random.Random(4)
    every = set(range(2 * BLOCKS))
    cases = [("never", set[int](), set[int]()), ("always lost", every, set[int]())]
    cases += [("always raised", set[int](), every), ("first 12 raised", set(), set(range(12)))]
    cases += [
        ("first 22 raised", set(), set(range(22))),
        ("lost late", set(range(100, 140)), set()),
    ]
    for n in (8, 12):
        cases.append((f"all but every {n}th raised", set(), every - set(range(0, 999, n))))
    for percent in (1, 3, 6, 12, 30):
        some = {game for game in every if draw.random() < percent / 100}
        cases += [(f"{percent} % lost", some, set()), (f"{percent} % raised", set(), some)]
        cases.append((f"{percent} % both", some, {game for game in every if draw.random() < 0.5}))
    return cases


@pytest.mark.parametrize(("lost", "raised"), [case[1:] for case in _cases()],
                         ids=[case[0] for case in _cases()])  # fmt: skip
def test_the_cut_and_the_order_change_nothing(lost: set[int], raised: set[int]) -> None:
    whole, _ = _whole(lost, raised)
    draw = random.Random(9)
    for _ in range(6):
        ends = sorted({0, BLOCKS, *draw.sample(range(BLOCKS), draw.choice([1, 5, 80]))})
        spans = [(a, b - a) for a, b in pairwise(ends)]
        draw.shuffle(spans)
        players = [WithdrawingPlayer(Pretender(lost, raised)) for _ in range(2)]
        parts = [draw.choice(players).play(_task(*span)).stats for span in spans]
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        assert total.digest == whole.digest


def test_an_honest_bot_is_asked_once_about_every_game() -> None:
    stats, engine = _whole(set(), set())
    assert engine.asked == 2 * BLOCKS == stats.games
    assert stats.forfeits.tolist() == [0, 0]


def test_some_exceptions_withdraw_nobody() -> None:
    every_other = set(range(0, 2 * BLOCKS, 2))
    stats, _ = _whole(set(), every_other)
    assert stats.forfeits.tolist() == [BLOCKS, 0]


def test_a_bot_that_always_takes_its_process_down_is_asked_little() -> None:
    stats, engine = _whole(set(range(2 * BLOCKS)), set())
    assert stats.forfeits.tolist() == [2 * BLOCKS, 0]
    assert engine.asked <= 6


def test_a_bot_that_always_raises_is_withdrawn_after_its_first_games() -> None:
    stats, engine = _whole(set(), set(range(2 * BLOCKS)))
    assert stats.forfeits.tolist() == [2 * BLOCKS, 0]
    assert engine.asked <= 3 * LIMITS.max_faults


def test_a_bot_that_recovers_is_asked_again() -> None:
    stats, _ = _whole(set(), set(range(19)))
    assert stats.forfeits.tolist() == [19, 0]


def test_rare_losses_withdraw_late_or_not_at_all() -> None:
    beginning = Beginning(LIMITS, rotations=2, places=2)
    while not beginning.settled:
        beginning.watch(forfeits=[1, 0], losses=[1, 0], last=["crashed", ""])
    assert beginning.withdrawn.keys() == {0}
    assert "nearly, in 3 of the first 6 games" in beginning.withdrawn[0]
    beginning = Beginning(LIMITS, rotations=2, places=2)
    for lost in (0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0):
        if beginning.settled:
            break
        beginning.watch(forfeits=[lost, 0], losses=[lost, 0], last=["", ""])
    assert not beginning.withdrawn


@pytest.mark.parametrize("engine", list(EngineName))
def test_a_withdrawn_bot_forfeits_as_soon_as_it_is_asked(engine: EngineName) -> None:
    one = task(planned("hold", "greedy", blocks=5), engine=engine)
    played = engine_named(engine).play(one, withdrawn={1: "it was bad"})
    assert played.counts.forfeits.tolist() == [0, 9]  # one game is over before it is asked
    assert {fault.kind for fault in played.faults} == {FaultKind.WITHDRAWN}
    assert {fault.bot for fault in played.faults} == {"greedy"}
    assert "withdrawn from this match: it was bad" in played.faults[0].message
    again = engine_named(engine).play(one)
    assert again.counts.forfeits.tolist() == [0, 0]

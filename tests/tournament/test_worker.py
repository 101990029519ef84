"""A chunk: what is counted, what is forfeited, and that nothing else decides the result."""

from __future__ import annotations

import pickle
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arena.bots.isolation_limits import Limits
from arena.bots.loader import find_bots
from arena.errors import BotError
from arena.records import FaultKind, MatchStats
from arena.tournament import EngineName, play_chunk
from tests.tournament.playing import as_tried, planned, task, with_blocks

ALL_KINDS = (
    ("hold", "greedy"),
    ("hold", "counts"),
    ("rolls", "counts"),
    ("rolls", "rolls"),
    ("hold", "rolls", "counts"),
    ("raises", "word", "hold", "greedy"),
)


ENGINES = pytest.mark.parametrize("engine", list(EngineName))


@ENGINES
@pytest.mark.parametrize("bots", ALL_KINDS, ids=" v ".join)
def test_the_cut_into_chunks_changes_nothing(bots: tuple[str, ...], engine: EngineName) -> None:
    match = planned(*bots, blocks=9)
    whole = play_chunk(task(match)).stats
    cut = ((4, 5), (0, 1), (1, 3))
    parts = [play_chunk(task(match, first, size, engine)).stats for first, size in cut]
    assert (parts[0] + parts[1] + parts[2]).digest == whole.digest


@pytest.mark.parametrize("bot", ["hold", "greedy", "counts", "rolls", "raises", "word"])
@pytest.mark.parametrize("seats", [2, 3])
def test_a_bot_against_itself_scores_its_share_in_every_block(bot: str, seats: int) -> None:
    match = planned(*[bot] * seats, blocks=12)
    for block in range(match.blocks):
        stats = play_chunk(task(match, block, 1)).stats
        share = stats.unit * stats.rotations // seats
        assert stats.block_sums[:seats].tolist() == [share] * seats


def test_counts_fit_together() -> None:
    stats = play_chunk(task(planned("hold", "greedy", "rolls", blocks=8))).stats
    assert stats.games == 24
    assert stats.results.sum(axis=2).tolist() == [[8] * 3] * 3
    assert stats.turn_points.sum(axis=1).tolist() == stats.turns.tolist()
    assert stats.final_scores.sum(axis=1).tolist() == [24] * 3
    assert stats.rounds.sum() == 24
    assert stats.questions.tolist() == stats.decisions.tolist()
    assert (stats.rolls >= stats.decisions).all()
    assert (stats.busts <= stats.turns).all()
    assert int(stats.block_sums[:3].sum()) == stats.unit * stats.games


def test_fixed_seats_have_one_game_a_block() -> None:
    fixed = play_chunk(task(planned("hold", "greedy", blocks=20, fixed_seats=True))).stats
    assert fixed.games == 20
    assert fixed.rotations == 1
    assert fixed.pair_table.sum() == 0


def test_the_pair_table_counts_blocks() -> None:
    stats = play_chunk(task(planned("hold", "random", blocks=20))).stats
    assert stats.pair_table.sum() == 20
    first_bot_in_seat_1, first_bot_in_seat_2 = stats.results[0, 0], stats.results[1, 0]
    assert stats.pair_table.sum(axis=1).tolist() == first_bot_in_seat_1.tolist()
    assert stats.pair_table.sum(axis=0).tolist() == first_bot_in_seat_2.tolist()


def test_another_seed_is_another_match() -> None:
    digests = {
        play_chunk(task(planned("hold", "rolls", seed=seed))).stats.digest for seed in (1, 2)
    }
    assert len(digests) == 2


@pytest.mark.parametrize(
    ("bot", "kind", "message"),
    [
        ("raises", FaultKind.EXCEPTION, "ZeroDivisionError: "),
        ("word", FaultKind.WRONG_TYPE, "answered 'bank'"),
        ("nothing", FaultKind.WRONG_TYPE, "answered None"),
        ("stale", FaultKind.ILLEGAL, "answered bank"),
        ("exits", FaultKind.EXCEPTION, "SystemExit: 3"),
        ("interrupts", FaultKind.EXCEPTION, "KeyboardInterrupt"),
        ("unmakeable", FaultKind.LOAD, "no batteries"),
        ("hungry", FaultKind.MEMORY, "MemoryError"),
    ],
)
@ENGINES
def test_a_fault_forfeits_its_game_only(
    bot: str, kind: FaultKind, message: str, engine: EngineName
) -> None:
    match = planned("hold", bot, blocks=10)
    result = play_chunk(task(match, engine=engine))
    stats = result.stats
    assert stats.games == 20
    assert stats.forfeits[0] == 0
    assert stats.forfeits[1] >= len(result.faults) > 0
    assert int(stats.results[:, 1, 0].sum()) >= stats.forfeits[1]
    fault = result.faults[0]
    assert (fault.bot, fault.kind) == (bot, kind)
    assert message in fault.message
    assert "it could have answered" in fault.position or kind is FaultKind.LOAD
    assert pickle.loads(pickle.dumps(result)).faults == result.faults


@ENGINES
def test_the_traceback_shows_the_authors_lines_and_what_was_printed(engine: EngineName) -> None:
    fault = play_chunk(task(planned("hold", "raises"), engine=engine)).faults[0]
    assert "in compute" in fault.traceback
    assert "faulty.py" in fault.traceback
    assert "referee.py" not in fault.traceback
    assert "seated.py" not in fault.traceback
    assert fault.output.endswith("so far so good\n")


@ENGINES
def test_only_the_first_faults_are_kept_but_all_are_counted(engine: EngineName) -> None:
    # A pair of its own: a process keeps bots, and tells of their first faults only once.
    one = task(planned("hold:points=310", "word", blocks=30), engine=engine)
    patient = replace(one.isolation, limits=Limits(max_faults=22))
    result = play_chunk(as_tried(replace(one, isolation=patient)))
    assert [fault.kind for fault in result.faults[20:]] == [FaultKind.WITHDRAWN]
    assert result.stats.forfeits.tolist() == [0, int(result.stats.forfeits[1])]
    assert result.stats.forfeits[1] > 50
    blocks = [fault.block for fault in result.faults]
    assert blocks == sorted(blocks)


def test_a_forfeit_among_three_is_a_win_shared_by_the_others() -> None:
    stats = play_chunk(task(planned("hold", "unmakeable", "greedy", blocks=6))).stats
    shared = stats.results[:, :, 1].sum(axis=0)
    forfeited = int(stats.forfeits[1])
    assert forfeited > 10
    assert shared.tolist() == [forfeited, 0, forfeited]


@ENGINES
def test_what_bots_print_goes_nowhere(
    capfd: pytest.CaptureFixture[str], engine: EngineName
) -> None:
    streams = sys.stdout, sys.stderr
    play_chunk(task(planned("word", "raises", blocks=2), engine=engine))
    assert (sys.stdout, sys.stderr) == streams
    assert capfd.readouterr() == ("", "")


def test_a_file_that_changes_meanwhile_stops_the_run(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from arena import Bot\n"
        "class Mine(Bot, remembers=True):\n"
        "    'Mine.'\n"
        "    def decide(self, turn):\n"
        "        return turn.holds[0].bank()\n"
    )
    found = find_bots([file], entry_points=False)
    match = planned("mine", "mine", found=found)
    play_chunk(task(match, 0, 1))
    file.write_text(file.read_text() + "\n")
    with pytest.raises(BotError, match="has changed"):
        play_chunk(task(match, 1, 1))


def test_statistics_are_what_is_counted_from_scores() -> None:
    match = with_blocks(planned("hold", "random"), 6)
    total = MatchStats.zero(seats=2, rotations=2)
    vectors = []
    for block in range(6):
        one = play_chunk(task(match, block, 1)).stats
        total = total + replace(one, questions=np.zeros(2, np.int64))
        vectors.append(one.block_sums)
    whole = play_chunk(task(match)).stats
    assert total.digest == whole.digest
    assert whole.block_products.tolist() == sum(np.outer(v, v) for v in vectors).tolist()  # type: ignore[union-attr]  # six arrays, not the start value

"""Processes: equal results however many play, and nothing lost when one of them dies."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.errors import BotError, RunError
from arena.records import ChunkResult
from arena.tournament import (
    EngineName,
    MemoryLedger,
    PlannedMatch,
    Progress,
    play_chunk,
    run_log,
    run_matches,
)
from arena.tournament.executor import LostTask, play_on_processes
from arena.tournament.ledger import Ledger
from tests.tournament.playing import planned, run, stats_of, task, with_blocks


def test_workers_and_chunks_change_nothing() -> None:
    match = planned("hold", "rolls", "counts", blocks=40)
    digest = play_chunk(task(match)).stats.digest
    for workers, chunk_blocks in ((1, 0), (1, 40), (2, 0), (2, 1), (3, 7)):
        ledger, _ = run(match, workers=workers, chunk_blocks=chunk_blocks)
        assert stats_of(ledger, match).digest == digest


def test_progress_counts_up_to_the_end() -> None:
    matches = [planned("hold", "random", blocks=30), planned("greedy", "random", "hold", blocks=10)]
    _, steps = run(*matches, chunk_blocks=5)
    assert steps[0].games == 0
    assert steps[0].leader == ""
    assert [each.games for each in steps] == sorted(each.games for each in steps)
    assert [each.told for each in steps[1:3]] == ["1 of 5 bots tried", "2 of 5 bots tried"]
    assert steps[-1].told == ""
    assert steps[-1].games == steps[-1].games_new == steps[-1].games_total == 90
    assert steps[-1].leader == "hold"


def test_what_is_finished_is_not_played_again() -> None:
    match = planned("hold", "greedy", blocks=20)
    ledger, _ = run(match)
    _, steps = run(match, ledger=ledger)
    assert [each.games_new for each in steps] == [0]
    assert steps[0].games == steps[0].games_total == 40
    _, steps = run(with_blocks(match, 30), ledger=ledger)
    assert steps[-1].games_new == 20
    assert steps[-1].games == steps[-1].games_total == 60
    assert stats_of(ledger, match).digest == play_chunk(task(match, 0, 30)).stats.digest


def test_less_than_is_there_is_already_finished() -> None:
    match = planned("hold", "greedy", blocks=20)
    ledger, _ = run(match)
    _, steps = run(with_blocks(match, 10), ledger=ledger)
    assert [(each.games, each.games_total) for each in steps] == [(40, 40)]


def test_a_stop_keeps_what_is_finished_and_goes_on_later() -> None:
    match = planned("hold", "greedy", blocks=60)
    ledger = MemoryLedger()
    finished: list[int] = []
    steps = run_matches(
        [match],
        ledger,
        engine=EngineName.REFEREE,
        workers=2,
        chunk_blocks=3,
        should_stop=lambda: len(finished) > 4,
    )
    finished.extend(each.games for each in steps)
    assert 0 < finished[-1] < 120
    assert multiprocessing.active_children() == []
    _, rest = run(match, ledger=ledger, workers=2)
    assert rest[0].games == finished[-1]
    assert stats_of(ledger, match).digest == play_chunk(task(match)).stats.digest


def test_a_bot_that_never_answers_does_not_hinder_a_stop() -> None:
    began = time.monotonic()
    steps = run_matches(
        [planned("hold", "loops")],
        MemoryLedger(),
        engine=EngineName.REFEREE,
        workers=2,
        should_stop=lambda: time.monotonic() > began + 0.5,
    )
    assert [each.games for each in steps] == [0]
    assert multiprocessing.active_children() == []


def test_a_thread_that_a_bot_leaves_behind_does_not_hinder_the_end() -> None:
    match = planned("hold", "leaves-thread", blocks=2)
    ledger, _ = run(match)
    assert stats_of(ledger, match).blocks == 2
    assert multiprocessing.active_children() == []


def test_an_abandoned_run_leaves_no_process() -> None:
    steps = run_matches(
        [planned("hold", "greedy", blocks=1000)],
        MemoryLedger(),
        engine=EngineName.REFEREE,
        workers=2,
    )
    next(steps)
    next(steps)
    steps.close()  # type: ignore[attr-defined]  # it is a generator
    assert multiprocessing.active_children() == []


def test_a_killed_process_costs_nothing(tmp_path: Path) -> None:
    match = planned("hold", f"kills-once:mark={tmp_path / 'mark'}", blocks=30)
    ledger, _ = run(match, workers=2, chunk_blocks=2)
    assert sorted(ledger.finished(match.match.id)) == [(block, 2) for block in range(0, 30, 2)]
    assert stats_of(ledger, match).digest == play_chunk(task(match)).stats.digest


def test_a_process_killed_from_outside_costs_nothing() -> None:
    match = planned("hold", "greedy", rules="zehntausend-2", blocks=60)
    ledger = _Killing()
    steps = run_matches([match], ledger, engine=EngineName.REFEREE, workers=2, chunk_blocks=4)
    for _ in steps:
        pass
    assert ledger.killed
    assert stats_of(ledger, match).digest == play_chunk(task(match)).stats.digest


class _Killing(MemoryLedger):
    """Kills a worker when the third chunk comes in."""

    killed = False

    def add_chunk(self, result: ChunkResult) -> bool:
        new = super().add_chunk(result)
        if len(self.finished(result.chunk.match.id)) == 3:
            self.killed = True
            os.kill(result.worker, signal.SIGKILL)
        return new


def test_a_match_that_always_kills_is_given_up_and_the_others_go_on() -> None:
    good, bad = planned("hold", "greedy", blocks=20), planned("hold", "kills-others", blocks=20)
    ledger = MemoryLedger()
    steps = run_matches([bad, good], ledger, engine=EngineName.REFEREE, workers=2, chunk_blocks=5)
    told: list[Progress] = []
    with pytest.raises(RunError, match=r"1 of 2 matches .*\n.*hold v kills-others"):
        told.extend(steps)
    assert stats_of(ledger, good).blocks == 20
    assert ledger.stats(bad.match.id) is None


def test_lost_chunks_are_tried_three_times_alone() -> None:
    tasks = iter([task(planned("hold", "kills"))])
    [outcome] = play_on_processes(lambda: next(tasks, None), workers=1)
    assert isinstance(outcome, LostTask)


def test_a_changed_bot_file_ends_the_run_with_its_message(tmp_path: Path) -> None:
    from arena.bots.loader import find_bots

    file = tmp_path / "mine.py"
    file.write_text(
        "from arena import Bot\n"
        "class Mine(Bot):\n"
        "    'Mine.'\n"
        "    def decide(self, turn):\n"
        "        return turn.holds[0].bank()\n"
    )
    found = find_bots([file], entry_points=False)
    match = planned("mine", "mine", found=found)
    file.write_text(file.read_text() + "# new\n")
    with pytest.raises(BotError, match="has changed"):
        run(match)
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_records_of_all_processes_arrive_in_one_log(tmp_path: Path, method: str) -> None:
    tasks = iter([task(planned("hold", bot, blocks=4)) for bot in ("greedy", "word", "raises")])
    log = tmp_path / "arena.log"
    with run_log(log):
        logging.getLogger("arena.test").info("from the parent")
        context = multiprocessing.get_context(method)
        results = list(play_on_processes(lambda: next(tasks, None), workers=2, context=context))
    assert len(results) == 3
    lines = log.read_text()
    assert "from the parent" in lines
    for result in results:
        assert isinstance(result, ChunkResult)
        assert f" {result.worker} INFO arena.worker: match {result.chunk.match.id}" in lines
        assert result.worker != os.getpid()
    assert "ZeroDivisionError" in lines
    assert logging.getLogger("arena").handlers == []


def test_few_faults_of_a_match_are_kept() -> None:
    match = planned("hold", "raises", blocks=240)  # it plays some games to their end
    ledger, steps = run(match, workers=2, chunk_blocks=10)
    assert len(ledger.faults) == 100
    assert steps[-1].forfeits == int(stats_of(ledger, match).forfeits.sum()) > 150


def test_many_small_matches_do_not_wait_for_each_other() -> None:
    matches: list[PlannedMatch] = [
        planned("hold", "greedy", blocks=2, seed=seed) for seed in range(50)
    ]
    ledger, steps = run(*matches, workers=2)
    assert steps[-1].games == 200
    assert all(stats_of(ledger, match).blocks == 2 for match in matches)


def test_a_ledger_that_fails_ends_the_run() -> None:
    class Full(MemoryLedger):
        def add_chunk(self, result: ChunkResult) -> bool:
            raise OSError("full")

    ledger: Ledger = Full()
    with pytest.raises(OSError, match="full"):
        list(run_matches([planned("hold", "greedy")], ledger, engine=EngineName.REFEREE, workers=1))
    assert multiprocessing.active_children() == []


def test_being_busy_is_told_once() -> None:
    calls: list[int] = []
    busy: Callable[[], None] = lambda: calls.append(threading.active_count())  # noqa: E731 - one line
    list(
        run_matches(
            [planned("hold", "greedy", blocks=20)],
            MemoryLedger(),
            engine=EngineName.REFEREE,
            workers=1,
            chunk_blocks=1,
            when_busy=busy,
        )
    )
    assert len(calls) == 1

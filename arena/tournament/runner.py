"""The runner: from planned matches to finished ones; the only writer of results."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from arena.bots.isolation import TRUST, Isolation
from arena.errors import RunError
from arena.records import ChunkResult, Trial
from arena.tournament.cutting import Cutter
from arena.tournament.executor import LostTask, play_on_processes
from arena.tournament.ledger import Ledger
from arena.tournament.processes import Processes
from arena.tournament.progress import Progress, Tally
from arena.tournament.rounds import Round, Rounds
from arena.tournament.tasks import EngineName, PlannedMatch, Task, TrialTask
from arena.tournament.trials import TOOK_DOWN, Trials

KEPT_FAULTS: Final = 100
"""Faults of one match that a run keeps in full; all of them are counted. Marks, which are few, are
kept whenever they come: ratings depend on them."""

_log = logging.getLogger("arena.runner")


def run_matches(
    planned: Sequence[PlannedMatch],
    ledger: Ledger,
    *,
    engine: EngineName,
    workers: int,
    chunk_blocks: int = 0,
    isolation: Isolation = TRUST,
    should_stop: Callable[[], bool] = lambda: False,
    when_busy: Callable[[], object] = lambda: None,
) -> Iterator[Progress]:
    """Play matches that are all known before; see `run_rounds`.

    Args:
        planned: the matches, in the order in which they shall be played.
        ledger, engine, workers, chunk_blocks, isolation, should_stop, when_busy: see `run_rounds`.

    Raises:
        RunError: see `run_rounds`.
        StoreError: see `run_rounds`.
    """
    return run_rounds(
        iter([Round(planned=tuple(planned))]),
        ledger,
        engine=engine,
        workers=workers,
        chunk_blocks=chunk_blocks,
        isolation=isolation,
        should_stop=should_stop,
        when_busy=when_busy,
    )


def run_rounds(
    rounds: Rounds,
    ledger: Ledger,
    *,
    engine: EngineName,
    workers: int,
    chunk_blocks: int = 0,
    isolation: Isolation = TRUST,
    should_stop: Callable[[], bool] = lambda: False,
    when_busy: Callable[[], object] = lambda: None,
    started: Processes | None = None,
) -> Iterator[Progress]:
    """Play what the ledger does not hold yet, and yield progress after every chunk and trial.

    The first progress is yielded before anything is played. When `should_stop` says so the
    iteration ends early; what is finished is in the ledger, and the same call goes on from there.

    Args:
        rounds: is asked for the next round when the last one is finished; matches of a round are
            played in their order.
        ledger: gets every chunk as it is finished, from this process only.
        engine: which plays; the results do not depend on it.
        workers: processes that play; the results do not depend on it.
        chunk_blocks: size of a chunk, 0 for about a second; the results do not depend on it.
        isolation: how far bots are kept apart; the results of bots without faults do not depend
            on it.
        should_stop: is asked several times a second.
        when_busy: is called once when all workers have something to do.
        started: as many workers, where some were started already.

    Raises:
        RunError: at the end, where matches were given up because they take their process down.
        StoreError: a chunk cannot be kept.
    """
    run = _Run(
        rounds,
        ledger,
        engine=engine,
        workers=workers,
        chunk_blocks=chunk_blocks,
        isolation=isolation,
    )
    yield run.progress()
    for outcome in play_on_processes(
        run.next_task,
        workers=workers,
        should_stop=should_stop,
        when_busy=when_busy,
        started=started,
    ):
        run.take(outcome)
        yield run.progress()
    if run.lost:
        raise RunError(run.what_was_lost())


class _Run:
    """The state of a run."""

    def __init__(
        self,
        rounds: Rounds,
        ledger: Ledger,
        *,
        engine: EngineName,
        workers: int,
        chunk_blocks: int,
        isolation: Isolation,
    ) -> None:
        self.ledger = ledger
        self.tally = Tally()
        self.lost: dict[str, PlannedMatch] = {}
        self._rounds = rounds
        self._told = ""
        self._known: dict[str, PlannedMatch] = {}
        self._missing: Counter[str] = Counter()  # blocks of this round, by match
        self._faults: Counter[str] = Counter()
        self._began = time.monotonic()
        self._games_before = 0
        self._total = 0
        self._trials = Trials(ledger, engine, isolation)
        self.cutter = Cutter(
            [],
            [],
            engine=engine,
            workers=workers,
            chunk_blocks=chunk_blocks,
            isolation=isolation,
        )
        self._begin_rounds()

    def _begin_rounds(self) -> None:
        """Ask for rounds until there is something to play."""
        while not self._missing:
            following = next(self._rounds, None)
            if following is None:
                return
            self._told = following.told
            for each in following.planned:
                self._begin(each)

    def _begin(self, planned: PlannedMatch) -> None:
        match_id = planned.match.id
        if match_id not in self._known:
            self._known[match_id] = planned
            before = self.ledger.stats(match_id)
            if before is not None:
                self.tally.add(planned.match.bots, before)
                self._games_before += before.games
                self._total += before.games
        if match_id not in self.lost:
            missing = self.cutter.add(planned, self.ledger.finished(match_id))
            self._total += missing * planned.match.rotations
            if missing:
                self._missing[match_id] = missing
                self._trials.add(planned)

    def next_task(self) -> Task | None:
        """What is to be done next; None if nothing is, or has to wait for what is being done.

        The bots of several matches are tried first. Those of a single one are tried by whoever
        plays its chunks, so that nobody waits.
        """
        trial = self._trials.next_task() if len(self._missing) > 1 else None
        chunk = None if trial else self.cutter.next_task(self._trials.are_on_their_way)
        return trial or (chunk and replace(chunk, trials=self._trials.of(chunk.match)))

    def take(self, outcome: ChunkResult | Trial | LostTask) -> None:
        """Keep a finished chunk or trial, or note that one cannot be had."""
        if isinstance(outcome, LostTask):
            self._lose(outcome.task)
        elif isinstance(outcome, Trial):
            self._trials.take(outcome)
        else:
            self._keep(outcome)
        self._begin_rounds()

    def _lose(self, task: Task) -> None:
        match = task.match
        _log.error("match %s takes its process down: %s", match.id, " v ".join(match.bots))
        if isinstance(task, TrialTask):
            self._trials.take(Trial(id=match.id, withdrawn=TOOK_DOWN))
            return
        self.cutter.drop(match.id)
        self.lost[match.id] = self._known[match.id]
        self._missing.pop(match.id, None)

    def _keep(self, result: ChunkResult) -> None:
        for trial in result.trials:
            self._trials.take(trial)
        self.cutter.learn(result)
        if self.ledger.add_chunk(self._with_few_faults(result)):
            self.tally.add_chunk(result)
        match_id = result.chunk.match.id
        self._missing[match_id] -= result.chunk.blocks
        if self._missing[match_id] <= 0:
            del self._missing[match_id]

    def _with_few_faults(self, result: ChunkResult) -> ChunkResult:
        match_id = result.chunk.match.id
        kept = KEPT_FAULTS - self._faults[match_id]
        marks = [each for each in result.faults[kept:] if each.is_mark]
        self._faults[match_id] += len(result.faults[:kept])
        return replace(result, faults=(*result.faults[:kept], *marks))

    def progress(self) -> Progress:
        """How far the run is now."""
        return Progress(
            games=self.tally.games,
            games_new=self.tally.games - self._games_before,
            games_total=self._total,
            seconds=time.monotonic() - self._began,
            leader=self.tally.leader,
            forfeits=self.tally.forfeits,
            lost=tuple(self.lost),
            told=self._trials.told or self._told,
        )

    def what_was_lost(self) -> str:
        """The message for matches that could not be finished."""
        lines = [
            f"  {each.match.rules}: {' v '.join(each.match.bots)}" for each in self.lost.values()
        ]
        return "\n".join(
            [
                f"{len(lines)} of {len(self._known)} matches could not be finished, because a "
                "bot takes the playing process down (it exits, crashes or needs all memory); "
                "everything else was played and is kept:",
                *lines,
            ]
        )

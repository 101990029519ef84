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
from arena.records import ChunkResult
from arena.tournament.cutting import Cutter
from arena.tournament.executor import LostChunk, play_on_processes
from arena.tournament.ledger import Ledger
from arena.tournament.progress import Progress, Tally
from arena.tournament.tasks import EngineName, PlannedMatch

KEPT_FAULTS: Final = 100
"""Faults of one match that a run keeps in full; all of them are counted."""

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
    """Play what the ledger does not hold yet, and yield progress after every chunk.

    The first progress is yielded before anything is played. When `should_stop` says so the
    iteration ends early; what is finished is in the ledger, and the same call goes on from there.

    Args:
        planned: the matches, in the order in which they shall be played.
        ledger: gets every chunk as it is finished, from this process only.
        engine: which plays; the results do not depend on it.
        workers: processes that play; the results do not depend on it.
        chunk_blocks: size of a chunk, 0 for about a second; the results do not depend on it.
        isolation: how far bots are kept apart; the results of bots without faults do not depend
            on it.
        should_stop: is asked several times a second.
        when_busy: is called once when all workers have something to do.

    Raises:
        RunError: at the end, where matches were given up because they take their process down.
        StoreError: a chunk cannot be kept.
    """
    run = _Run(
        list(planned),
        ledger,
        engine=engine,
        workers=workers,
        chunk_blocks=chunk_blocks,
        isolation=isolation,
    )
    yield run.progress()
    for outcome in play_on_processes(
        run.cutter.next_task, workers=workers, should_stop=should_stop, when_busy=when_busy
    ):
        run.take(outcome)
        yield run.progress()
    if run.lost:
        raise RunError(run.what_was_lost())


class _Run:
    """The state of a run."""

    def __init__(
        self,
        planned: list[PlannedMatch],
        ledger: Ledger,
        *,
        engine: EngineName,
        workers: int,
        chunk_blocks: int,
        isolation: Isolation,
    ) -> None:
        self.ledger = ledger
        self.tally = Tally(planned)
        self.lost: dict[str, PlannedMatch] = {}
        self._planned = {each.match.id: each for each in planned}
        self._faults: Counter[str] = Counter()
        self._began = time.monotonic()
        for each in planned:
            known = ledger.stats(each.match.id)
            if known is not None:
                self.tally.add(each.match.bots, known)
        self._games_before = self.tally.games
        self.cutter = Cutter(
            planned,
            [ledger.finished(each.match.id) for each in planned],
            engine=engine,
            workers=workers,
            chunk_blocks=chunk_blocks,
            isolation=isolation,
        )
        # Where earlier runs played further than this one wants, the total is what there will be.
        self._total = self._games_before + self.cutter.games_left

    def take(self, outcome: ChunkResult | LostChunk) -> None:
        """Keep a finished chunk, or note that one cannot be had."""
        if isinstance(outcome, LostChunk):
            match = outcome.task.chunk.match
            _log.error("match %s takes its process down: %s", match.id, " v ".join(match.bots))
            self.cutter.drop(match.id)
            self.lost[match.id] = self._planned[match.id]
            return
        self.cutter.learn(outcome)
        if self.ledger.add_chunk(self._with_few_faults(outcome)):
            self.tally.add_chunk(outcome)

    def _with_few_faults(self, result: ChunkResult) -> ChunkResult:
        match_id = result.chunk.match.id
        kept = result.faults[: KEPT_FAULTS - self._faults[match_id]]
        self._faults[match_id] += len(kept)
        return replace(result, faults=kept)

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
        )

    def what_was_lost(self) -> str:
        """The message for matches that could not be finished."""
        lines = [
            f"  {each.match.rules}: {' v '.join(each.match.bots)}" for each in self.lost.values()
        ]
        return "\n".join(
            [
                f"{len(lines)} of {len(self._planned)} matches could not be finished, because a "
                "bot takes the playing process down (it exits, crashes or needs all memory); "
                "everything else was played and is kept:",
                *lines,
            ]
        )

"""Chunks on the processes of this machine, with nothing lost when one of them dies."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from multiprocessing.context import BaseContext
from typing import Final

from arena.records import ChunkResult, Trial
from arena.tournament.processes import Processes
from arena.tournament.tasks import Task

TRIES: Final = 3
"""How often a chunk may take its process down, alone, before it is given up."""

POLL_SECONDS: Final = 0.2
"""How soon a request to stop is noticed."""

_log = logging.getLogger("arena.executor")


class LostTask:
    """A task that took its process down every time it was tried."""

    def __init__(self, task: Task) -> None:
        self.task = task


NextTask = Callable[[], Task | None]
ShouldStop = Callable[[], bool]


def play_on_processes(
    next_task: NextTask,
    *,
    workers: int,
    should_stop: ShouldStop = lambda: False,
    when_busy: Callable[[], object] = lambda: None,
    context: BaseContext | None = None,
    started: Processes | None = None,
) -> Iterator[ChunkResult | Trial | LostTask]:
    """Play all tasks and yield their results as they come.

    A bounded number of tasks is on its way at any time. When a process dies, its pool is started
    anew and the chunks that were in it are played again, one at a time, so that the one that kills
    is told from the others. When `should_stop` says so, what is being played is dropped.
    `when_busy` is called once when all processes have something to do. `next_task` is asked again
    after every result, also when it had no task before: a result may make new ones.

    Args:
        next_task: gives the next one, or None.
        workers: how many processes.
        should_stop, when_busy: see above.
        context: how processes are started; the best of this machine if None.
        started: processes to begin with, as many; whoever started them ends them.

    Raises:
        ArenaError: a worker raised it; so does any exception that is a bug.
    """
    waiting = _Waiting(next_task)
    while not waiting.empty and not should_stop():
        with nullcontext(started) if started else Processes(workers, context) as pool:
            yield from _play_on(pool, waiting, should_stop, when_busy)
        started = None
        when_busy = _nothing


class _Waiting:
    """Tasks to be played: those that were on a process that died first, then new ones."""

    def __init__(self, next_task: NextTask) -> None:
        self._next_task = next_task
        self._again: deque[tuple[Task, int]] = deque()
        self._new: Task | None = None
        self._given_up: set[str] = set()  # ids of matches
        self.lost: deque[LostTask] = deque()

    @property
    def empty(self) -> bool:
        if self._new is None:
            self._new = self._next_task()
        return not self._again and self._new is None and not self.lost

    @property
    def alone(self) -> bool:
        """Whether tasks have to be played one at a time."""
        return bool(self._again)

    def take(self) -> tuple[Task, int] | None:
        """The next task and how often it was tried before."""
        if self._again:
            return self._again.popleft()
        while (task := self._new or self._next_task()) is not None:
            self._new = None
            if task.match.id not in self._given_up:
                return task, 0
        return None

    def killed(self, tasks: list[tuple[Task, int]]) -> None:
        """The process of one of these tasks has died."""
        guilty_for_sure = len(tasks) == 1
        for task, tries in tasks:
            if tries + guilty_for_sure < TRIES:
                self._again.append((task, tries + guilty_for_sure))
            else:
                self._give_up(task)

    def _give_up(self, task: Task) -> None:
        match_id = task.match.id
        self._given_up.add(match_id)
        self._again = deque(each for each in self._again if each[0].match.id != match_id)
        self.lost.append(LostTask(task))


def _nothing() -> None:
    pass


def _play_on(
    pool: Processes,
    waiting: _Waiting,
    should_stop: ShouldStop,
    when_busy: Callable[[], object],
) -> Iterator[ChunkResult | Trial | LostTask]:
    """Play until all is done or a process dies."""
    running: dict[Future[ChunkResult | Trial], tuple[Task, int]] = {}
    # One at a time until every task that may have killed a process has shown what it does.
    suspects = waiting.alone
    while True:
        while waiting.lost:
            yield waiting.lost.popleft()
        suspects = suspects and (waiting.alone or bool(running))
        while len(running) < (1 if suspects else 2 * pool.count):
            taken = waiting.take()
            if taken is None:
                break
            running[pool.submit(taken[0])] = taken
            if suspects:
                break
        if not running:
            return
        when_busy()
        when_busy = _nothing
        done, _ = wait(running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
        if should_stop():
            pool.kill()
            return
        if any(_died(future) for future in done):
            done, _ = wait(running)  # the executor gives up all that was on its way
        for future in done:
            if not _died(future):
                del running[future]
                yield future.result()
        if any(_died(future) for future in running):
            _log.warning("a process of this run has died; what it was playing is played again")
            waiting.killed(list(running.values()))
            pool.kill()
            return


def _died(future: Future[ChunkResult | Trial]) -> bool:
    return future.done() and isinstance(future.exception(), BrokenProcessPool)

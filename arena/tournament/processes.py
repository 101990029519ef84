"""`Processes`: the processes of this machine that play chunks."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from multiprocessing.context import BaseContext
from types import TracebackType
from typing import Final, Self

from arena.errors import RunError
from arena.records import ChunkResult, Trial
from arena.tournament.logs import LogQueue, gathered_logs, log_to
from arena.tournament.tasks import EngineName, Task
from arena.tournament.worker import carry_out, prepare

GRACE_SECONDS: Final = 2.0
"""How long processes may take to end by themselves when all is played."""


def start_context() -> BaseContext:
    """Fork where the platform has it (nothing is imported twice), else spawn."""
    has_fork = "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"
    return multiprocessing.get_context("fork" if has_fork else "spawn")


class Processes:
    """A pool of processes that play chunks, to be used as a context; none of them stays behind.

    What they log goes to the handlers that the `arena` logger has when the context is entered.

    Args:
        count: how many.
        context: how they are started; `start_context` if None.
    """

    def __init__(self, count: int, context: BaseContext | None = None) -> None:
        self.count = count
        self._context = context or start_context()
        self._stack = ExitStack()
        self._older = set(multiprocessing.active_children())

    def __enter__(self) -> Self:
        queue = self._stack.enter_context(gathered_logs(self._context))
        self._executor = ProcessPoolExecutor(
            self.count, mp_context=self._context, initializer=_begin, initargs=(queue,)
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is not None:
            self.kill()
        # A bot may have left a thread that never ends; so wait, but not for ever.
        end = threading.Thread(target=self._executor.shutdown, kwargs={"cancel_futures": True})
        end.start()
        end.join(GRACE_SECONDS)
        while end.is_alive():
            self.kill()
            end.join(GRACE_SECONDS)
        self._stack.close()

    def prepare(self, engine: EngineName) -> None:
        """Begin to load an engine, which takes a while, before there is anything to play.

        Raises:
            RunError: the system starts no process.
        """
        with _starting():
            for _ in range(self.count):
                self._executor.submit(prepare, engine)

    def submit(self, task: Task) -> Future[ChunkResult | Trial]:
        """Send something to do to a process.

        Raises:
            RunError: the system starts no process.
        """
        with _starting():
            return self._executor.submit(carry_out, task)

    def kill(self) -> None:
        """End all processes at once; the executor notices."""
        # The executor does not say which processes are its own before Python 3.14.
        for process in set(multiprocessing.active_children()) - self._older:
            process.kill()


@contextmanager
def _starting() -> Iterator[None]:
    """While processes may be started.

    Python warns of a fork while threads run; ours (log, progress bar) hold no lock for long.
    """
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*multi-threaded.*fork", DeprecationWarning)
            yield
    except OSError as error:
        raise RunError(
            f"no process can be started: {error.strerror or error}; "
            "what was finished is kept; try fewer --workers"
        ) from error


def _begin(queue: LogQueue | None) -> None:
    """What a new process does before it plays."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)  # standard output belongs to the result of the command
    os.close(nowhere)
    log_to(queue)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    logging.getLogger("arena.worker").info("process %d begins", os.getpid())


def _end_with_parent() -> None:
    """However the parent ends, no process stays behind."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)

"""One log for a run: records of all processes arrive in the handlers of the `arena` logger."""

from __future__ import annotations

import logging
import logging.handlers
import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import Any

from arena.errors import StoreError

LOGGER = logging.getLogger("arena")

LogQueue = Any
"""A multiprocessing queue of records; its type has no public name."""


@contextmanager
def run_log(path: Path) -> Iterator[None]:
    """Append what is logged meanwhile to a file.

    Raises:
        StoreError: the file cannot be written.
    """
    try:
        handler = _LogFile(path, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{path}: the log cannot be written: {error.strerror}") from error
    handler.setFormatter(
        logging.Formatter("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s")
    )
    before = LOGGER.level, LOGGER.propagate
    LOGGER.addHandler(handler)
    LOGGER.setLevel(logging.INFO)
    LOGGER.propagate = False
    try:
        yield
    finally:
        LOGGER.removeHandler(handler)
        handler.close()
        LOGGER.setLevel(before[0])
        LOGGER.propagate = before[1]


class _LogFile(logging.FileHandler):
    """A log that cannot be written must not flood the terminal; the result file says why."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        """Leave the record out."""


@contextmanager
def gathered_logs(context: BaseContext) -> Iterator[LogQueue | None]:
    """Make records of processes arrive here that are started meanwhile.

    Forked processes inherit the wrapped handlers of multiprocessing-logging; other start methods
    get the queue that is yielded and give it to `log_to`.
    """
    handlers = list(LOGGER.handlers)
    if not handlers:
        with _silence():
            yield None
    elif context.get_start_method() == multiprocessing.get_start_method() == "fork":
        with _wrapped():
            yield None
    else:
        queue = context.Queue()
        listener = logging.handlers.QueueListener(queue, *handlers)
        listener.start()
        try:
            yield queue
        finally:
            listener.stop()
            queue.close()
            queue.cancel_join_thread()


def log_to(queue: LogQueue | None) -> None:
    """In a new process: send what is logged to the queue; with None all stays as inherited."""
    if queue is not None:
        LOGGER.addHandler(logging.handlers.QueueHandler(queue))
        LOGGER.setLevel(logging.INFO)
        LOGGER.propagate = False


@contextmanager
def _silence() -> Iterator[None]:
    """Without a handler of ours Python would print warnings on standard error."""
    nowhere = logging.NullHandler()
    LOGGER.addHandler(nowhere)
    try:
        yield
    finally:
        LOGGER.removeHandler(nowhere)


@contextmanager
def _wrapped() -> Iterator[None]:
    from multiprocessing_logging import (
        MultiProcessingHandler,
        install_mp_handler,
        uninstall_mp_handler,
    )

    install_mp_handler(LOGGER)
    wrappers = [each for each in LOGGER.handlers if isinstance(each, MultiProcessingHandler)]
    try:
        yield
    finally:
        uninstall_mp_handler(LOGGER)
        for wrapper in wrappers:
            # A process that was killed while it wrote may have taken the queue's lock with it;
            # then nothing arrives any more, and the end of this process must not wait for it.
            wrapper.queue.cancel_join_thread()
            wrapper.close()  # waits for what is still on its way; the file reopens when needed

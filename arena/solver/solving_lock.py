"""One process at a time solves a ruleset; others wait for it and take what it found.

Nothing depends on it being kept: files are replaced whole, so that two that solve the same at once
only do the work twice. The operating system gives the lock back however a process ends.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from arena.rules import Ruleset
from arena.solver.cache import SOLVER_VERSION, solved_folder

try:
    import fcntl
except ImportError:  # a platform without flock; there the work may be done twice
    fcntl = None  # type: ignore[assignment]


@contextmanager
def solving_alone(rules: Ruleset, waits: Callable[[str], None]) -> Iterator[None]:
    """Solve a ruleset while no other process does.

    Args:
        rules: the ruleset.
        waits: is told who solves it, before it is waited for.
    """
    file = _open(rules)
    try:
        if file >= 0:
            _take(file, waits)
        yield
    finally:
        if file >= 0:
            os.close(file)


def _open(rules: Ruleset) -> int:
    """The lock file of a ruleset; -1 where there can be none."""
    if fcntl is None:
        return -1
    path = solved_folder() / f"{rules.key}-{SOLVER_VERSION}.lock"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError:  # nothing can be kept there; saving will say so
        return -1


def _take(file: int, waits: Callable[[str], None]) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        number = os.pread(file, 100, 0).decode(errors="replace").strip()
        waits(f"process {number}" if number else "another process")
        fcntl.flock(file, fcntl.LOCK_EX)
    except OSError:  # a file system without locks
        return
    os.ftruncate(file, 0)
    os.pwrite(file, str(os.getpid()).encode(), 0)

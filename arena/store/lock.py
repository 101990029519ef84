"""One writer at a time: a lock file beside the database that names who holds it.

The operating system gives the lock back when the process ends, however it ends, so that nothing
stale is left to be removed by hand. Readers take no lock; SQLite keeps them consistent.
"""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

from arena.errors import StoreError

try:
    import fcntl
except ImportError:  # a platform without flock; SQLite's own locks still keep chunks whole
    fcntl = None  # type: ignore[assignment]


class WriterLock:
    """Held from its making until `release`.

    Raises:
        StoreError: another process holds it; names the process.
    """

    def __init__(self, database: Path) -> None:
        self.path = database.with_name(database.name + ".lock")
        self._file = -1
        if fcntl is not None:
            self._acquire(database)

    def _acquire(self, database: Path) -> None:
        while True:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.pread(file, 1000, 0).decode(errors="replace").strip()
                os.close(file)
                raise StoreError(
                    f"{database}: another run is writing to it ({holder or 'just starting'}); "
                    "wait until it has ended, or give this run a folder of its own with --out"
                ) from None
            except OSError:  # a file system without locks: go on as on a platform without them
                os.close(file)
                return
            if _is_still(file, self.path):
                break
            os.close(file)  # the holder before us has just removed it; take the new file
        self._file = file
        who = f"process {os.getpid()} on {socket.gethostname()}: {' '.join(sys.argv)[:500]}"
        os.ftruncate(file, 0)
        os.pwrite(file, who.encode(errors="replace"), 0)

    def release(self) -> None:
        """Let others write; harmless when called twice."""
        if self._file >= 0:
            self.path.unlink(missing_ok=True)
            fcntl.flock(self._file, fcntl.LOCK_UN)
            os.close(self._file)
            self._file = -1


def _is_still(file: int, path: Path) -> bool:
    try:
        there = path.stat()
    except FileNotFoundError:
        return False
    here = os.fstat(file)
    return (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino)

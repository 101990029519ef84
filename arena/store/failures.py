"""SQLite's failures as sentences."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from arena.errors import StoreError

_SENTENCES: Final = {
    "SQLITE_FULL": "the disk is full; make room and run the same command again, "
    "everything that was finished is kept",
    "SQLITE_NOTADB": "is not a result file of arena; give another path, or move the file away",
    "SQLITE_CORRUPT": "is damaged; move it away and run again, or recover it with "
    "`sqlite3 FILE .recover`",
    "SQLITE_CANTOPEN": "cannot be opened; check that the folder exists and can be written",
    "SQLITE_READONLY": "cannot be written; check the rights of the file and its folder",
    "SQLITE_PERM": "cannot be opened; check the rights of the file",
    "SQLITE_BUSY": "is locked by another program; close it and run the same command again",
    "SQLITE_LOCKED": "is locked by another program; close it and run the same command again",
    "SQLITE_IOERR": "the disk reports an error while it is read or written; everything that was "
    "finished before is kept",
}


@contextmanager
def told_plainly(path: Path) -> Iterator[None]:
    """Turn failures of SQLite and of the file system into a `StoreError` that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "") or ""
        known = next((text for key, text in _SENTENCES.items() if name.startswith(key)), None)
        if known is None:
            if isinstance(error, (sqlite3.OperationalError, sqlite3.DatabaseError)) and not (
                isinstance(error, (sqlite3.ProgrammingError, sqlite3.IntegrityError))
            ):
                raise StoreError(f"{path}: {error}") from error
            raise
        raise StoreError(f"{path}: {known} ({error})") from error
    except OSError as error:
        if isinstance(error, StoreError):
            raise
        raise StoreError(f"{path}: {error.strerror or error}; check the folder's rights") from error

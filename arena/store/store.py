"""`Store`: all that a result file can do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from arena.bots.spec import BotSpec
from arena.errors import NoResultsError, StoreError
from arena.records import ChunkResult, Fault, Match, MatchStats, Trial
from arena.rules import Ruleset
from arena.store import rows
from arena.store.failures import told_plainly
from arena.store.lock import WriterLock
from arena.store.records import Course, RunInfo, StoredBot, StoredMatch, StoredRun
from arena.store.schema import APPLICATION_ID, MIGRATIONS

_MAGIC = b"SQLite format 3\0"
BUSY_SECONDS = 30.0
"""How long to wait while another program (a report, a backup) holds the file."""


class Store:
    """A result file, open for reading or for writing.

    Made by `Store.write` or `Store.read`; a context manager that closes the file. Results are
    keyed by `Match.id`, that is by content: ruleset, bots with source and parameters, seed, engine
    version. The journal is SQLite's rollback journal, not WAL, so that the file may lie on a
    network disk and is always one file. Every method raises `StoreError` where the file or the
    disk fails.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: WriterLock | None) -> None:
        self.path = path
        self._db = connection
        self._lock = lock

    @classmethod
    def write(cls, path: Path) -> Store:
        """Open for writing; make the file and its folders where they are missing.

        Raises:
            StoreError: it cannot be written, is something else, is of a newer arena, or another
                process is writing to it.
        """
        with told_plainly(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = WriterLock(path)
            try:
                connection = _connect(path, "rwc")
                store = cls(path, connection, lock)
            except BaseException:
                lock.release()
                raise
            try:
                _check_kind(path, connection)
                _migrate(connection)
            except BaseException:
                store.close()
                raise
        return store

    @classmethod
    def read(cls, path: Path) -> Store:
        """Open for reading, also while a run is writing.

        Raises:
            StoreError: there is no such file, or it is something else or of a newer arena.
        """
        if not path.is_file():
            raise NoResultsError(f"{path}: there is no such file; `arena run` makes result files")
        with told_plainly(path):
            store = cls(path, _connect(path, "ro"), None)
            try:
                version = _check_kind(path, store._db)
                if not version:
                    raise NoResultsError(f"{path}: is empty; `arena run` makes result files")
            except BaseException:
                store.close()
                raise
        if version < len(MIGRATIONS):
            store.close()
            cls.write(path).close()
            return cls.read(path)
        return store

    def close(self) -> None:
        """Close the file; harmless when called twice."""
        self._db.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing."""
        with told_plainly(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def _rows(self, query: str, *values: object) -> list[tuple[str, ...]]:
        with told_plainly(self.path):
            return self._db.execute(query, values).fetchall()

    def begin_run(self, info: RunInfo) -> int:
        """Note that a run begins; its number."""
        with self._transaction() as db:
            return int(
                db.execute("INSERT INTO runs (info) VALUES (?)", [rows.to_json(info)]).lastrowid
                or 0
            )

    def finish_run(self, run: int, when: str, courses: Sequence[Course] = ()) -> None:
        """Note that a run has played all it wanted; `when` is ISO 8601 with time zone."""
        with self._transaction() as db:
            db.execute(
                "UPDATE runs SET finished = ?, courses = ? WHERE id = ?",
                [when, rows.courses_to_json(courses), run],
            )

    def add_bot(self, spec: BotSpec, source: str) -> None:
        """Keep a bot and its source text; what is known under the same key is renewed."""
        with self._transaction() as db:
            db.execute(
                "INSERT INTO bots VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE "
                "SET spec = excluded.spec, source = excluded.source",
                [spec.key, rows.to_json(spec), source],
            )

    def add_matches(self, run: int, matches: list[tuple[Match, Ruleset]]) -> None:
        """Note what a run is going to play, in the order of its schedule, after what it noted."""
        with self._transaction() as db:
            [known] = db.execute(
                "SELECT coalesce(max(place), -1) FROM run_matches WHERE run = ?", [run]
            ).fetchone()
            for place, (match, ruleset) in enumerate(matches, start=int(known) + 1):
                db.execute(
                    "INSERT INTO rulesets VALUES (?, ?) ON CONFLICT (key) DO UPDATE "
                    "SET ruleset = excluded.ruleset",
                    [match.rules_key, rows.to_json(ruleset)],
                )
                db.execute(
                    "INSERT INTO matches VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE "
                    "SET match = excluded.match",
                    [match.id, match.rules_key, rows.to_json(match)],
                )
                db.execute(
                    "INSERT OR IGNORE INTO run_matches VALUES (?, ?, ?)", [run, place, match.id]
                )

    def add_chunk(self, result: ChunkResult) -> bool:
        """Keep a finished chunk in one transaction.

        Returns:
            Whether it was new; a chunk with a block that is already there is left out, so that no
            block ever counts twice.
        """
        chunk, match_id = result.chunk, result.chunk.match.id
        with self._transaction() as db:
            known = db.execute(
                "SELECT 1 FROM chunks WHERE match = ? AND first_block < ? "
                "AND first_block + blocks > ? LIMIT 1",
                [match_id, chunk.first_block + chunk.blocks, chunk.first_block],
            ).fetchone()
            if known:
                return False
            text = rows.stats_to_json(result.stats)
            row = (
                match_id, chunk.first_block, chunk.blocks, text, result.seconds, result.worker,
            )  # fmt: skip
            db.execute("INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?)", row)
            db.executemany(
                "INSERT INTO faults VALUES (?, ?, ?, ?)",
                [
                    (match_id, chunk.first_block, place, rows.to_json(fault))
                    for place, fault in enumerate(result.faults)
                ],
            )
        return True

    def finished(self, match_id: str) -> list[tuple[int, int]]:
        """First block and number of blocks of every finished chunk, in order."""
        query = "SELECT first_block, blocks FROM chunks WHERE match = ? ORDER BY first_block"
        return [(int(first), int(blocks)) for first, blocks in self._rows(query, match_id)]

    def stats(self, match_id: str) -> MatchStats | None:
        """The sum over all finished chunks of a match; None where there is none."""
        query = "SELECT stats FROM chunks WHERE match = ? ORDER BY first_block"
        total: MatchStats | None = None
        for (text,) in self._rows(query, match_id):
            chunk = rows.stats_from(text)
            total = chunk if total is None else total + chunk
        return total

    def prefix(self, match_id: str, blocks: int) -> MatchStats | None:
        """The sum of as few finished chunks from the first one on as have so many blocks.

        All that there are without a gap where they have fewer; None where the first is missing.
        """
        query = "SELECT first_block, stats FROM chunks WHERE match = ? ORDER BY first_block"
        total: MatchStats | None = None
        for first, text in self._rows(query, match_id):
            at = 0 if total is None else total.blocks
            if at >= blocks or int(first) != at:
                break
            chunk = rows.stats_from(text)
            total = chunk if total is None else total + chunk
        return total

    def trial(self, trial_id: str) -> Trial | None:
        """What came of trying a bot; None if it was not tried."""
        found = self._rows("SELECT trial FROM trials WHERE id = ?", trial_id)
        return rows.trial_from(found[0][0]) if found else None

    def add_trial(self, trial: Trial) -> None:
        """Keep what came of trying a bot; what is known already stays."""
        with self._transaction() as db:
            row = (trial.id, rows.to_json(trial))
            db.execute("INSERT OR IGNORE INTO trials VALUES (?, ?)", row)

    def faults(self, match_id: str | None = None) -> tuple[Fault, ...]:
        """The faults of one match, or of all, in the order of blocks."""
        query = (
            "SELECT fault FROM faults WHERE ? IS NULL OR match = ? "
            "ORDER BY match, first_block, place"
        )
        return tuple(rows.fault_from(text) for (text,) in self._rows(query, match_id, match_id))

    def matches(self, run: int | None = None) -> Iterator[StoredMatch]:
        """All matches of which something was played, or those that one run asked for.

        In the order in which they were scheduled; read one by one, so that a large file does not
        fill the memory.
        """
        query = (
            "SELECT matches.id, matches.match, ruleset FROM matches "
            "JOIN rulesets ON rulesets.key = matches.rules_key "
            "JOIN (SELECT match, min(run) AS run, min(place) AS place FROM run_matches "
            "WHERE ? IS NULL OR run = ? GROUP BY match) AS asked ON asked.match = matches.id "
            "ORDER BY asked.run, asked.place"
        )
        for match_id, match, ruleset in self._rows(query, run, run):
            stats = self.stats(match_id)
            if stats is not None:
                [(seconds,)] = self._rows(
                    "SELECT sum(seconds) FROM chunks WHERE match = ?", match_id
                )
                yield StoredMatch(
                    match=rows.match_from(match),
                    ruleset=rows.ruleset_from(ruleset),
                    stats=stats,
                    faults=self.faults(match_id),
                    seconds=float(seconds),
                )

    def bots(self) -> dict[str, StoredBot]:
        """All bots by `BotSpec.key`."""
        return {
            key: StoredBot(spec=rows.spec_from(spec), source=source)
            for key, spec, source in self._rows("SELECT key, spec, source FROM bots ORDER BY key")
        }

    def runs(self) -> tuple[StoredRun, ...]:
        """All runs, oldest first."""
        found = []
        query = "SELECT id, info, finished, courses FROM runs ORDER BY id"
        for run, info, finished, courses in self._rows(query):
            asked = self._rows("SELECT match FROM run_matches WHERE run = ? ORDER BY place", run)
            found.append(
                StoredRun(
                    id=int(run),
                    info=rows.run_from(info),
                    finished=finished,
                    matches=tuple(match_id for (match_id,) in asked),
                    courses=rows.courses_from(courses),
                )
            )
        return tuple(found)


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"file:{quote(str(path.absolute()))}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _check_kind(path: Path, connection: sqlite3.Connection) -> int:
    """The version of the schema, after a look at whether the file is ours; 0 is an empty file."""
    with path.open("rb") as file:
        begin = file.read(len(_MAGIC))
    if begin and begin != _MAGIC:
        raise StoreError(f"{path}: is not a result file of arena; give another path")
    [application] = connection.execute("PRAGMA application_id").fetchone()
    [version] = connection.execute("PRAGMA user_version").fetchone()
    [tables] = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION_ID and tables:
        raise StoreError(
            f"{path}: is a database, but not a result file of arena; give another path"
        )
    if version > len(MIGRATIONS):
        raise StoreError(
            f"{path}: was written by a newer arena (schema {version}, this one knows "
            f"{len(MIGRATIONS)}); install the newer version, or give another path"
        )
    return int(version)


def _migrate(connection: sqlite3.Connection) -> None:
    [version] = connection.execute("PRAGMA user_version").fetchone()
    for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
        connection.executescript(
            f"BEGIN IMMEDIATE; PRAGMA application_id = {APPLICATION_ID}; {script}"
            f"PRAGMA user_version = {number}; COMMIT;"
        )

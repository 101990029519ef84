"""The result file gives back what went in, and keeps it through everything that goes wrong."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import StoreError
from arena.store import Course, Store, StoredBot, rows
from arena.store.schema import APPLICATION_ID, MIGRATIONS
from tests.store.making import MATCH, RULESET, RUN, SPEC, chunk_result, stats


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "reports" / "x y%20?" / "results.sqlite"


COURSE = Course(title="Knockout, small", lines=("final: hold beat greedy", "winner: hold"))


def test_everything_comes_back(path: Path) -> None:
    with Store.write(path) as store:
        run = store.begin_run(RUN)
        store.add_bot(SPEC, "source\n")
        store.add_matches(run, [(MATCH, RULESET)])
        assert store.add_chunk(chunk_result(10, 5))
        assert store.add_chunk(chunk_result(0, 10))
        store.finish_run(run, "2026-01-02T04:00:00+00:00", [COURSE])
    with Store.read(path) as store:
        assert store.bots() == {SPEC.key: StoredBot(spec=SPEC, source="source\n")}
        [stored_run] = store.runs()
        assert stored_run.info == RUN
        assert stored_run.finished == "2026-01-02T04:00:00+00:00"
        assert stored_run.matches == (MATCH.id,)
        assert stored_run.courses == (COURSE,)
        assert store.finished(MATCH.id) == [(0, 10), (10, 5)]
        [stored] = store.matches()
        assert stored.match == MATCH
        assert stored.ruleset == RULESET
        assert stored.ruleset.key == RULESET.key
        assert stored.stats.digest == (stats(10) + stats(5, 10)).digest
        assert stored.seconds == 1.0
        assert [fault.block for fault in stored.faults] == [1, 11]
        assert stored.faults[0] == chunk_result(0, 1).faults[0]


def test_no_block_counts_twice(path: Path) -> None:
    with Store.write(path) as store:
        store.add_matches(store.begin_run(RUN), [(MATCH, RULESET)])
        assert store.add_chunk(chunk_result(10, 10))
        for first, blocks in ((10, 10), (5, 6), (19, 1), (0, 100)):
            assert not store.add_chunk(chunk_result(first, blocks))
        assert store.add_chunk(chunk_result(5, 5))
        assert store.finished(MATCH.id) == [(5, 5), (10, 10)]


def test_matches_of_one_run_and_of_all(path: Path) -> None:
    other = replace(MATCH, seed=5)
    with Store.write(path) as store:
        store.add_matches(store.begin_run(RUN), [(MATCH, RULESET)])
        second = store.begin_run(RUN)
        store.add_matches(second, [(other, RULESET)])
        store.add_chunk(chunk_result(0, 1))
        store.add_chunk(chunk_result(0, 1, other))
        assert [stored.match for stored in store.matches()] == [MATCH, other]
        assert [stored.match for stored in store.matches(second)] == [other]
        assert store.stats("0" * 16) is None


def test_matches_are_noted_in_the_order_of_rounds(path: Path) -> None:
    later = replace(MATCH, seed=5)
    with Store.write(path) as store:
        run = store.begin_run(RUN)
        store.add_matches(run, [(MATCH, RULESET)])
        store.add_matches(run, [(later, RULESET), (MATCH, RULESET)])
        assert store.runs()[0].matches == (MATCH.id, later.id)


def test_a_match_as_it_stood_after_some_blocks(path: Path) -> None:
    with Store.write(path) as store:
        store.add_matches(store.begin_run(RUN), [(MATCH, RULESET)])
        for first, blocks in ((20, 5), (0, 10), (10, 4)):
            store.add_chunk(chunk_result(first, blocks))

        def blocks_of(wanted: int) -> int:
            found = store.prefix(MATCH.id, wanted)
            assert found is not None
            return found.blocks

        assert [blocks_of(wanted) for wanted in (1, 10, 11, 14, 40)] == [10, 10, 14, 14, 14]
        assert store.prefix("0" * 16, 1) is None
        with_gap = replace(MATCH, seed=6)
        store.add_matches(store.begin_run(RUN), [(with_gap, RULESET)])
        store.add_chunk(chunk_result(3, 4, with_gap))
        assert store.prefix(with_gap.id, 5) is None


def test_a_file_of_the_first_schema_is_brought_up_to_date(path: Path) -> None:
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as db:
        db.executescript(
            f"PRAGMA application_id = {APPLICATION_ID}; {MIGRATIONS[0]} PRAGMA user_version = 1;"
        )
        db.execute("INSERT INTO runs (info) VALUES (?)", [rows.to_json(RUN)])
        db.commit()
    with Store.read(path) as store:
        [run] = store.runs()
        assert (run.info, run.courses) == (RUN, ())


def test_a_renamed_match_keeps_its_results(path: Path) -> None:
    renamed = replace(MATCH, bots=("hold", "greedy"))
    with Store.write(path) as store:
        store.add_matches(store.begin_run(RUN), [(MATCH, RULESET)])
        store.add_chunk(chunk_result(0, 1))
        store.add_matches(store.begin_run(RUN), [(renamed, RULESET)])
        [stored] = store.matches()
        assert stored.match == renamed


def test_a_second_writer_is_told_who_the_first_is(path: Path) -> None:
    with Store.write(path):
        with pytest.raises(StoreError, match=f"process {os.getpid()} on"):
            Store.write(path)
        with Store.read(path) as store:
            assert store.runs() == ()
    Store.write(path).close()
    assert not path.with_name(path.name + ".lock").exists()


def test_the_lock_of_a_killed_process_does_not_stay(path: Path) -> None:
    program = (
        "import os, sys; from pathlib import Path; from arena.store import Store\n"
        "store = Store.write(Path(sys.argv[1])); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    assert done.returncode == -9
    Store.write(path).close()


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"no database at all, but long enough" * 40, "not a result file"), (b"x", "not a result")],
)
def test_a_file_that_is_no_database(path: Path, content: bytes, message: str) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    for way in (Store.write, Store.read):
        with pytest.raises(StoreError, match=message):
            way(path)
    assert path.read_bytes() == content


def test_a_database_of_somebody_else_stays_as_it_is(path: Path) -> None:
    path.parent.mkdir(parents=True)
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE notes (text)")
    db.close()
    before = path.read_bytes()
    for way in (Store.write, Store.read):
        with pytest.raises(StoreError, match="not a result file of arena"):
            way(path)
    assert path.read_bytes() == before


def test_a_file_of_a_newer_arena(path: Path) -> None:
    Store.write(path).close()
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    db.close()
    for way in (Store.write, Store.read):
        with pytest.raises(StoreError, match="newer arena"):
            way(path)


def test_reading_what_is_not_there(path: Path) -> None:
    with pytest.raises(StoreError, match="no such file"):
        Store.read(path)
    assert not path.parent.exists()


def test_reading_an_empty_file(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.touch()
    with pytest.raises(StoreError, match="is empty"):
        Store.read(path)


def test_the_folder_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "reports").write_text("")
    with pytest.raises(StoreError, match="reports"):
        Store.write(tmp_path / "reports" / "results.sqlite")


def test_a_full_disk_loses_only_the_chunk(path: Path) -> None:
    with Store.write(path) as store:
        store.add_matches(store.begin_run(RUN), [(MATCH, RULESET)])
        store.add_chunk(chunk_result(0, 1))
        pages = store._db.execute("PRAGMA page_count").fetchone()[0]
        store._db.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match="the disk is full"):  # noqa: PT012 - the n-th fails
            for block in range(1, 1000):
                store.add_chunk(chunk_result(block, 1))
        kept = len(store.finished(MATCH.id))
        store._db.execute("PRAGMA max_page_count = 100000")
        assert store.add_chunk(chunk_result(kept, 1))
        assert len(store.finished(MATCH.id)) == kept + 1


def test_the_mark_of_the_file(path: Path) -> None:
    Store.write(path).close()
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    db.close()

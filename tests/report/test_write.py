"""Files of a report: from a result file, whole or not at all."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from arena.errors import ReportError
from arena.records import Chunk, ChunkResult
from arena.report import ReportData, Stored, read_store, report_data, write_data, write_report
from arena.store import Store
from tests.report.simulated import stored

BOTS = {"a": 300, "b": 800, "c": 500}


@pytest.fixture(scope="module")
def played() -> Stored:
    return stored(["zehntausend-1:target=2000"], BOTS, blocks=4)


def fill(path: Path, played: Stored) -> None:
    with Store.write(path) as store:
        run = store.begin_run(played.runs[0].info)
        for bot in played.bots.values():
            store.add_bot(bot.spec, bot.source)
        store.add_matches(run, [(each.match, each.ruleset) for each in played.matches])
        for each in played.matches:
            chunk = Chunk(match=each.match, first_block=0, blocks=each.stats.blocks)
            store.add_chunk(ChunkResult(chunk=chunk, stats=each.stats, seconds=each.seconds))
        store.finish_run(run, played.runs[0].finished)


def test_the_database_alone_is_enough(tmp_path: Path, played: Stored) -> None:
    first = tmp_path / "results.sqlite"
    fill(first, played)
    moved = tmp_path / "elsewhere" / "results.sqlite"
    moved.parent.mkdir()
    shutil.move(first, moved)
    with Store.read(moved) as store:
        page = write_report(store, tmp_path / "deep" / "report")
        again = report_data(read_store(store))
    assert page == tmp_path / "deep" / "report" / "index.html"
    document = json.loads((page.parent / "report.json").read_text(encoding="utf-8"))
    by_hand = report_data(played)
    assert again.sections == by_hand.sections
    assert document["sections"][0]["verdict"] == by_hand.sections[0].verdict
    assert again.runs == by_hand.runs


def test_an_empty_store_is_a_clear_error(tmp_path: Path) -> None:
    Store.write(tmp_path / "empty.sqlite").close()
    with (
        Store.read(tmp_path / "empty.sqlite") as store,
        pytest.raises(ReportError, match=r"empty\.sqlite: there are no finished games"),
    ):
        write_report(store, tmp_path / "report")
    assert not (tmp_path / "report").exists()


def test_an_older_report_is_replaced(tmp_path: Path, hostile: ReportData, four: ReportData) -> None:
    write_data(hostile, tmp_path)
    before = (tmp_path / "index.html").read_text(encoding="utf-8")
    write_data(four, tmp_path)
    assert (tmp_path / "index.html").read_text(encoding="utf-8") != before
    assert not list(tmp_path.glob(".*"))


def test_a_folder_that_cannot_be_written_is_a_clear_error(tmp_path: Path, four: ReportData) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ReportError, match="cannot be written there"):
        write_data(four, tmp_path / "file")
    with pytest.raises(ReportError, match="cannot be written there"):
        write_data(four, tmp_path / "file" / "below")
    assert (tmp_path / "file").read_text() == "mine"


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path: Path, four: ReportData) -> None:
    (tmp_path / "index.html").mkdir()
    with pytest.raises(ReportError):
        write_data(four, tmp_path)
    assert not list(tmp_path.glob(".*"))

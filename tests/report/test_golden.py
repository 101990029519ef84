"""A report written by hand, file by file as it was when somebody last looked at it.

After a change that is meant: `ARENA_UPDATE_GOLDEN=1 pytest tests/report`, then look at the
difference, and at the page in a browser.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.report import write_data
from tests.report import by_hand
from tests.report.pages import read_page

GOLDEN = Path(__file__).parent / "golden"
NAMES = ("index.html", "standings.csv", "matches.csv", "report.json")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("golden") / "report"
    return write_data(by_hand.report(), folder).parent


@pytest.mark.parametrize("name", NAMES)
def test_golden(name: str, written: Path) -> None:
    text = (written / name).read_text(encoding="utf-8")
    if os.environ.get("ARENA_UPDATE_GOLDEN"):
        GOLDEN.mkdir(exist_ok=True)
        (GOLDEN / name).write_text(text, encoding="utf-8")
    assert text == (GOLDEN / name).read_text(encoding="utf-8")


def test_nothing_else_is_written(written: Path) -> None:
    assert sorted(path.name for path in written.iterdir()) == sorted(NAMES)


def test_golden_page_is_well_formed() -> None:
    read_page((GOLDEN / "index.html").read_text(encoding="utf-8"))

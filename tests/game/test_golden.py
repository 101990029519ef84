"""Golden transcripts: the worked examples of both documents, event by event."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.game import event_line
from tests.game.players import told_file
from tests.rules.loading import tables

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden(path: Path) -> None:
    transcript, events = told_file(path)
    assert [event_line(event) for event in events] == list(transcript.lines)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_files_are_written_as_the_project_writes_them(path: Path) -> None:
    transcript, _ = told_file(path)
    text = path.read_text(encoding="utf-8")
    own = "".join(line for line in text.splitlines(True) if not line.startswith("#"))
    assert transcript.text() == own


def test_the_five_choices_are_all_there_are() -> None:
    path = next(path for path in GOLDEN if path.stem == "zehntausend-1-five-choices")
    transcript, _ = told_file(path)
    kept = [line.partition(" = ")[0] for line in transcript.lines if "keep" in line]
    roll = tables("zehntausend-1").roll([1, 1, 2, 4, 5])
    holds = [f"  keep {' '.join(map(str, hold.dice))}" for hold in roll.holds]
    assert sorted(kept) == sorted(holds)


def test_there_is_a_game_for_every_document_ruleset() -> None:
    names = {path.stem for path in GOLDEN}
    for ruleset in ("tienduizend", "zehntausend-1", "zehntausend-2"):
        assert sum(name.startswith(ruleset) for name in names) >= 2

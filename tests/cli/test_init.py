"""`arena init`: a folder to work in, and nothing of the user's overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import ROOT, Arena


@pytest.fixture
def arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Arena:
    monkeypatch.chdir(tmp_path)
    return Arena(monkeypatch, capsys)


def _files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_folder_has_all_that_comes_with_arena(arena: Arena, tmp_path: Path) -> None:
    ran = arena("init", "work")
    assert ran.code == 0
    assert "Next: cd work && arena run configs/quick.toml" in ran.out
    files = _files(tmp_path / "work")
    for path in [*(ROOT / "bots").glob("*.py"), *(ROOT / "configs").rglob("*.toml")]:
        assert files[str(path.relative_to(ROOT))] == path.read_bytes()
    assert (tmp_path / "work" / "reports").is_dir()


def test_the_folder_can_be_worked_in(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena("init", "work")
    monkeypatch.chdir(tmp_path / "work")
    ran = arena("run", "configs/quick.toml", "--blocks", 1)
    assert ran.code == 0
    assert Path("reports/quick/index.html").exists()


def test_nothing_is_overwritten(arena: Arena, tmp_path: Path) -> None:
    own = tmp_path / "work" / "bots" / "hold.py"
    own.parent.mkdir(parents=True)
    own.write_text("mine")
    ran = arena("init", "work")
    assert own.read_text() == "mine"
    assert ran.err == "kept as it is: work/bots/hold.py\n"
    before = _files(tmp_path / "work")
    assert "0 files written" in arena("init", "work").out
    assert _files(tmp_path / "work") == before


def test_a_folder_that_cannot_be_made(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in ("file", "file/inner"):
        ran = arena("init", folder)
        assert ran.code == 2
        assert "file" in ran.err
        assert "Traceback" not in ran.err

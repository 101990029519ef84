"""`arena report --blunders`: pages beside the report, linked from its ratings."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Arena

SMALL = "greed:target=400"
CONFIG = f'bots = ["hold", "notebook"]\nrulesets = ["{SMALL}"]\nblocks = 4\nworkers = 1\n'


def test_pages_are_computed_once_and_linked(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cup.toml").write_text(CONFIG)
    assert arena("run", "cup.toml", "--trust", "--quiet").code == 0
    folder = tmp_path / "reports" / "cup"
    again = ("report", "reports/cup", "--blunders", "--trust", "--quiet")

    ran = arena(*again)
    assert ran.code == 0
    assert f"no blunders in {SMALL}: it is not solved yet; run: arena solve '{SMALL}'" in ran.err
    assert not (folder / "blunders").exists()

    assert arena("solve", SMALL, "--quiet").code == 0
    ran = arena(*again)
    assert ran.code == 0
    assert f"no blunders of notebook in {SMALL}: notebook cannot be computed" in ran.err
    [page] = (folder / "blunders").iterdir()
    assert '<a href="../index.html">Report</a>' in page.read_text()
    link = f'<a href="blunders/{page.name}" aria-label="Blunders of hold">'
    assert link in (folder / "index.html").read_text()

    before = page.stat().st_mtime_ns
    assert arena(*again).code == 0
    assert page.stat().st_mtime_ns == before
    assert arena("run", "cup.toml", "--trust", "--quiet").code == 0
    assert link in (folder / "index.html").read_text()

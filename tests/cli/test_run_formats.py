"""`arena run` with formats that look at results, and with rules that end it."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.store import Store
from tests.cli.running import Arena


def config(folder: Path, text: str) -> Path:
    file = folder / "cup.toml"
    bots = '"hold", "greedy", "hold:points=600", "hold:points=800", "hold:points=450"'
    file.write_text(f'bots = [{bots}]\nrulesets = ["zehntausend-2:target=2000"]\nseed = 3\n{text}')
    return file


def results(folder: Path) -> dict[str, str]:
    with Store.read(folder / "cup" / "results.sqlite") as store:
        return {each.match.id: each.stats.digest for each in store.matches()}


@pytest.mark.parametrize("form", ["swiss", "knockout", "ladder", "groups"])
def test_a_course_is_told_and_taken_again(arena: Arena, tmp_path: Path, form: str) -> None:
    file = config(tmp_path, f'format = "{form}"\nblocks = 10\n')
    ran = arena("run", file, "--workers", 1)
    assert ran.code == 0
    assert f"\n{form.capitalize()}, zehntausend-2:target=2000\n" in ran.out
    page = (tmp_path / "reports" / "cup" / "index.html").read_text()
    assert "<h2>How it went</h2>" in page
    again = arena("run", file, "--workers", 2)
    assert "games were there already" in again.err
    assert again.out == ran.out


def test_more_blocks_play_only_the_rest(arena: Arena, tmp_path: Path) -> None:
    file = config(tmp_path, 'format = "knockout"\n')
    arena("run", file, "--blocks", 5, "--workers", 1)
    ran = arena("run", file, "--blocks", 10, "--workers", 1)
    assert ran.code == 0
    assert "winner: " in ran.out


def test_a_rule_ends_a_tournament_at_the_same_block(arena: Arena, tmp_path: Path) -> None:
    file = config(tmp_path, "blocks = 300\n[stopping]\nhalf_width = 30\n")
    one = arena("run", file, "--workers", 1, "--out", tmp_path / "one")
    two = arena("run", file, "--workers", 2, "--out", tmp_path / "two")
    assert one.code == two.code == 0
    assert "stopped after " in one.out
    assert "every rating is known to ±" in one.out
    assert results(tmp_path / "one") == results(tmp_path / "two")
    again = arena("run", file, "--workers", 2, "--out", tmp_path / "two")
    assert "games were there already" in again.err
    assert results(tmp_path / "two") == results(tmp_path / "one")


def test_a_rule_may_be_tightened(arena: Arena, tmp_path: Path) -> None:
    file = config(tmp_path, "blocks = 300\n[stopping]\nhalf_width = 60\n")
    wide = arena("run", file, "--workers", 1)
    config(tmp_path, "blocks = 300\n[stopping]\nhalf_width = 30\n")
    narrow = arena("run", file, "--workers", 1)
    assert wide.code == narrow.code == 0
    fresh = arena("run", file, "--workers", 1, "--out", tmp_path / "fresh")
    assert fresh.code == 0
    assert results(tmp_path / "reports") == results(tmp_path / "fresh")

"""Before the first game: `perfect` is solved, or asked about, or refused with what to do."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from tests.cli.running import Arena

SMALL = "greed:target=400"
MATCH = ("match", "perfect", "hold", "--rules", SMALL, "--games", 20, "--workers", 1, "--trust")


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_what_is_not_solved_is_refused_before_any_game(arena: Arena) -> None:
    ran = arena(*MATCH)
    assert ran.code == 2
    assert ran.out == ""
    assert "perfect needs perfect play to be computed first (greed:target=400: " in ran.err
    assert "run: arena solve 'greed:target=400'; or give --solve" in ran.err


def test_solve_does_so_at_once(arena: Arena) -> None:
    ran = arena(*MATCH, "--solve", "--json")
    assert ran.code == 0
    bots = ran.document["bots"]
    assert [bot["forfeits"] for bot in bots] == [0, 0]
    assert arena(*MATCH, "--json").document == ran.document  # now it is known


@pytest.mark.parametrize("answer", [True, False])
def test_a_person_is_asked(arena: Arena, monkeypatch: pytest.MonkeyPatch, *, answer: bool) -> None:
    asked: list[str] = []

    def confirm(text: str, **_: object) -> bool:
        asked.append(text)
        return answer

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr(click, "confirm", confirm)
    ran = arena(*MATCH)
    assert asked == ["Compute it now?"]
    assert "perfect needs perfect play" in ran.err
    assert ran.code == (0 if answer else 2)


def test_quiet_asks_nothing(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert arena(*MATCH, "--quiet").code == 2


def test_more_than_two_are_refused(arena: Arena) -> None:
    ran = arena("match", "perfect", "hold", "greedy", "--rules", SMALL, "--trust")
    assert ran.code == 2
    assert "perfect plays games of 2 only, and this is one of 3; leave it out" in ran.err


def test_what_cannot_be_solved_says_why(arena: Arena) -> None:
    ran = arena("match", "perfect", "hold", "--rules", "zilch", "--trust")
    assert ran.code == 2
    assert "give them a floor" in ran.err


@pytest.mark.parametrize("command", ["sprt", "plan"])
def test_other_commands_look_too(arena: Arena, command: str) -> None:
    ran = arena(command, "perfect", "hold", "--rules", SMALL, "--trust")
    assert ran.code == 2
    assert "perfect needs perfect play" in ran.err


def test_a_tournament(arena: Arena, tmp_path: Path) -> None:
    config = tmp_path / "small.toml"
    config.write_text(f'bots = ["perfect", "hold"]\nrulesets = ["{SMALL}"]\nblocks = 5\n')
    out = tmp_path / "reports"
    refused = arena("run", config, "--out", out, "--trust", "--workers", 1)
    assert refused.code == 2
    assert "perfect needs perfect play" in refused.err
    assert not out.exists()
    ran = arena("run", config, "--out", out, "--trust", "--workers", 1, "--solve")
    assert ran.code == 0


DUEL = """from arena import Bot

class Duel(Bot):
    seats = (2, 4)

    def decide(self, turn):
        return turn.holds[0].bank()
"""


def test_a_tournament_of_all_leaves_out_who_does_not_play_with_so_many(
    arena: Arena, tmp_path: Path
) -> None:
    folder = tmp_path / "players"
    folder.mkdir()
    for name in ("Duel", "One", "Two", "Three"):
        text = DUEL.replace("Duel", name)
        path = folder / f"{name.lower()}.py"
        path.write_text(text if name == "Duel" else text.replace("    seats = (2, 4)\n\n", ""))
    config = tmp_path / "three.toml"
    lines = ["players = 3", "blocks = 1", f'rulesets = ["{SMALL}"]', 'bot_sources = ["players"]']
    config.write_text("\n".join(['bots = "all"', *lines]))
    how = ("--out", tmp_path / "out", "--trust", "--workers", 1, "--json")
    assert {row["name"] for row in arena("run", config, *how).document["bots"]} == {
        "one", "three", "two",
    }  # fmt: skip
    config.write_text("\n".join(['bots = ["one", "two", "duel"]', *lines]))
    ran = arena("run", config, *how)
    assert ran.code == 2
    assert "duel plays games of 2 and 4 only, and this is one of 3; leave it out" in ran.err
    ran = arena("submit", folder / "duel.py", "--league", config, "--trust", "--dry-run")
    assert ran.code == 2
    assert "duel plays games of 2 and 4 only" in ran.err

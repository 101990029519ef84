"""`arena bots` and `arena new-bot`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.bots.loader import find_bots, instantiate, resolve
from arena.bots.template import new_bot
from arena.cli import main as main_module
from arena.errors import UsageError
from arena.game import AddressedDice, play_game
from arena.rules import load_ruleset, rule_tables
from arena.rules.places import rules_folders


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a command printed and its exit code."""

    code: int
    out: str
    err: str


Arena = Callable[..., Ran]


@pytest.fixture
def arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Arena:
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Ran:
        monkeypatch.setattr("sys.argv", ["arena", *arguments])
        code = 0
        try:
            main_module.main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        shown = capsys.readouterr()
        return Ran(code=code, out=shown.out, err=shown.err)

    return run


def test_bots_lists_the_shipped_bots(arena: Arena) -> None:
    ran = arena("bots")
    assert ran.code == 0
    assert ran.err == ""
    rows = ran.out.splitlines()
    assert rows[0].split() == ["bot", "parameters", "file", "idea"]
    hold = next(row for row in rows if row.startswith("hold "))
    assert "points=300,dice=0" in hold
    assert "hold.py" in hold
    assert hold.endswith("Takes all that scores and stops at a fixed number of points.")


def test_bots_as_json_with_problems(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("print('hello')\n1 / 0\n", encoding="utf-8")
    arena("new-bot", "mine", "--folder", str(tmp_path))
    ran = arena("bots", str(tmp_path), "--json")
    assert ran.code == 0
    assert ran.err == ""
    document = json.loads(ran.out)
    assert [bot["bot"] for bot in document["bots"]] == ["mine"]
    assert document["bots"][0]["parameters"] == {"points": 350}
    assert document["problems"][0]["file"] == str(tmp_path / "bad.py")
    assert document["problems"][0]["output"] == "hello\n"


def test_problems_go_to_standard_error(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("print('hello')\n1 / 0\n", encoding="utf-8")
    arena("new-bot", "mine", "--folder", str(tmp_path))
    ran = arena("bots", str(tmp_path))
    assert ran.code == 0
    assert "bad.py" not in ran.out
    assert "1 problem:" in ran.err
    assert "bad.py: cannot be imported: ZeroDivisionError: division by zero (line 2" in ran.err
    assert "hello" in ran.err


@pytest.mark.parametrize(
    ("text", "words"), [(None, "no bot file (*.py)"), ("x = (", "is not Python: line 1")]
)
def test_nothing_found_is_an_error(
    arena: Arena, tmp_path: Path, text: str | None, words: str
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    if text is not None:
        (folder / "bad.py").write_text(text, encoding="utf-8")
    ran = arena("bots", str(folder))
    assert ran.code == 2
    assert ran.out == ""
    assert words in ran.err
    assert f"arena: no bot was found in {folder}" in ran.err


def test_a_new_bot_plays(arena: Arena) -> None:
    ran = arena("new-bot", "my-first")
    assert ran.code == 0
    assert "bots/my_first.py is written" in ran.out
    assert "arena match my-first hold" in ran.out
    index = find_bots()
    assert not index.problems
    bots = [instantiate(resolve(text, index)) for text in ("my-first:points=400", "hold")]
    for rules in ("tienduizend", "zehntausend-1", "zehntausend-2"):
        tables = rule_tables(load_ruleset(rules, rules_folders()))
        for block in range(3):
            assert play_game(tables, bots, AddressedDice(5, block)).forfeit is None


def test_a_new_bot_never_overwrites(arena: Arena, tmp_path: Path) -> None:
    arena("new-bot", "mine")
    path = tmp_path / "bots" / "mine.py"
    path.write_text("x = 1\n", encoding="utf-8")
    ran = arena("new-bot", "Mine")
    assert ran.code == 2
    assert "bots/mine.py is there already and is not overwritten" in ran.err
    assert path.read_text(encoding="utf-8") == "x = 1\n"


def test_a_new_bot_does_not_take_the_name_of_another(arena: Arena) -> None:
    ran = arena("new-bot", "hold")
    assert ran.code == 2
    assert "hold.py defines the bot 'hold'; choose another name" in ran.err


def test_a_folder_that_cannot_be_made(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    ran = arena("new-bot", "mine", "--folder", str(tmp_path / "file" / "inner"))
    assert ran.code == 2
    assert "cannot be written: Not a directory" in ran.err


@pytest.mark.parametrize(
    ("wanted", "class_name", "name", "file_name"),
    [
        ("my-bot", "MyBot", "my-bot", "my_bot.py"),
        ("my_bot", "MyBot", "my-bot", "my_bot.py"),
        ("MyBot", "MyBot", "my-bot", "my_bot.py"),
        ("zilch2000", "Zilch2000", "zilch2000", "zilch2000.py"),
        ("class", "Class", "class", "class.py"),
    ],
)
def test_names_of_new_bots(wanted: str, class_name: str, name: str, file_name: str) -> None:
    bot = new_bot(wanted)
    assert (bot.class_name, bot.name, bot.file_name) == (class_name, name, file_name)


@pytest.mark.parametrize("wanted", ["", "2fast", "a b", "../x", "a--b", "-x", "x.py", "ü", "a:b"])
def test_bad_names_of_new_bots(wanted: str) -> None:
    with pytest.raises(UsageError, match="is no name for a bot: begin with a letter"):
        new_bot(wanted)


@pytest.mark.parametrize("wanted", ["bot", "turn", "Decision", "none", "true"])
def test_names_that_mean_something_else(wanted: str) -> None:
    with pytest.raises(UsageError, match="means something else"):
        new_bot(wanted)

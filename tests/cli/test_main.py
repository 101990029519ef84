"""The group of commands: help, what is imported, errors, a closed pipe."""

from __future__ import annotations

import importlib
import importlib.util
import subprocess
import sys

import click
import pytest

from arena.cli.main import COMMANDS, cli
from tests.cli.running import Arena

HEAVY = ["numpy", "scipy", "numba", "jinja2", "tqdm", "sqlite3", "multiprocessing"]


def there(name: str) -> bool:
    return importlib.util.find_spec(COMMANDS[name][0]) is not None


def test_help_lists_the_commands_that_are_there(arena: Arena) -> None:
    ran = arena("--help")
    assert (ran.code, ran.err) == (0, "")
    for name, (_, line) in COMMANDS.items():
        assert (line in ran.out) == there(name)


@pytest.mark.parametrize("name", [name for name in COMMANDS if there(name)])
def test_every_command_has_help(arena: Arena, name: str) -> None:
    ran = arena(name, "--help")
    assert (ran.code, ran.err) == (0, "")
    command = importlib.import_module(COMMANDS[name][0]).command
    assert isinstance(command, click.Command)
    assert all(option.help for option in command.params if isinstance(option, click.Option))


def test_a_command_that_is_not_there(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, "later", ("arena.cli.not_yet", "Not yet."))
    assert "later" not in arena("--help").out
    ran = arena("later")
    assert ran.code == 2
    assert ran.err.startswith("arena: there is no command 'later'; ")
    assert "later" not in cli.list_commands(click.Context(cli))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("matsch", "arena: there is no command 'matsch'; did you mean match? known: run, match,"),
        ("--bogus", "arena: no such option --bogus; `arena --help` explains it"),
        ("match", "arena match: missing argument 'BOT BOT [BOT...]'; `arena match --help`"),
        ("sprt hold", "arena sprt: missing argument 'B'; `arena sprt --help` explains it"),
        ("match a b --rulez x", "no such option --rulez; did you mean --rules?;"),
        ("match a b --rules", "option --rules needs a value"),
        ("match a b --rules x --games 1.5", "--games: '1.5' is not a whole number;"),
        ("match a b --rules x --games 0", "--games: 0 is not 1 or more;"),
        ("match a b --rules x --engine e", "--engine: 'e' is not one of 'referee', 'kernel';"),
        ("sprt a b --rules x --elo0 z", "--elo0: 'z' is not a number;"),
        ("run a b", "arena run: got unexpected extra argument (b);"),
    ],
)
def test_a_mistyped_command_is_told_in_one_line(arena: Arena, words: str, message: str) -> None:
    ran = arena(*words.split())
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.startswith("arena")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("name", [name for name in COMMANDS if there(name)])
def test_every_command_tells_of_an_unknown_option_in_one_line(arena: Arena, name: str) -> None:
    ran = arena(name, "--no-such-option")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"arena {name}: no such option --no-such-option")
    assert ran.err.count("\n") == 1


def test_version(arena: Arena) -> None:
    assert arena("--version").out.startswith("arena, version ")


def test_without_arguments(arena: Arena) -> None:
    ran = arena()
    assert ran.code == 2
    assert "Usage: arena" in ran.out + ran.err


def test_help_imports_nothing_heavy() -> None:
    code = "import sys, arena.cli.main; print(*[name for name in sys.modules if '.' not in name])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert not set(HEAVY) & set(done.stdout.split())


def test_a_closed_pipe_is_silent() -> None:
    arena = [sys.executable, "-c", "from arena.cli.main import main; main()"]
    first = subprocess.Popen(
        [*arena, "rules", "tienduizend"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert first.stdout is not None
    assert first.stderr is not None
    first.stdout.close()
    assert first.stderr.read() == b""
    first.stderr.close()
    assert first.wait(timeout=60) in (0, 1)

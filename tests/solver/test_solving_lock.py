"""Two processes that solve the same ruleset at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

import pytest

from arena.solver.cache import load_solved
from arena.solver.solving import solve_duel
from arena.solver.solving_lock import solving_alone
from tests.rules.loading import tables

RULES = "greed:target=600"
SOLVE = [sys.executable, "-m", "arena", "solve", RULES, "--json"]


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "arena" / "solved"


def test_the_second_waits_until_the_first_has_ended() -> None:
    rules = tables(RULES).ruleset
    waiting, done = Event(), Event()
    told: list[str] = []

    def waits(who: str) -> None:
        told.append(who)
        waiting.set()

    def second() -> None:
        with solving_alone(rules, waits):
            done.set()

    with solving_alone(rules, told.append):
        assert told == []
        thread = Thread(target=second)
        thread.start()
        assert waiting.wait(60)
        assert not done.is_set()
    thread.join(60)
    assert done.is_set()
    assert told == [f"process {os.getpid()}"]


def test_other_rulesets_do_not_wait() -> None:
    told: list[str] = []
    with (
        solving_alone(tables(RULES).ruleset, told.append),
        solving_alone(tables("greed:target=650").ruleset, told.append),
    ):
        assert told == []


def test_two_at_once_find_the_same(cache_folder: Path) -> None:
    runs = [subprocess.Popen(SOLVE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in "ab"]
    outs = [run.communicate(timeout=120)[0] for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert outs[0] == outs[1]
    rules = tables(RULES).ruleset
    assert load_solved(rules) is not None
    assert solve_duel(rules).known
    assert [path for path in cache_folder.iterdir() if path.suffix == ".tmp"] == []

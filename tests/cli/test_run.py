"""`arena run`: from a tournament file to a report, through stops, additions and mistakes."""

from __future__ import annotations

import json
import os
import re
import signal
import time
from pathlib import Path

import pytest

from arena.store import Store
from tests.cli.running import ROOT, Arena, processes_of, start

FAULTY = ROOT / "tests" / "data" / "faulty_bots" / "faulty.py"


@pytest.fixture
def arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Arena:
    monkeypatch.chdir(tmp_path)
    return Arena(monkeypatch, capsys)


def _write(folder: Path, bots: list[str], *, blocks: int = 5, more: str = "") -> Path:
    path = folder / "cup.toml"
    names = ", ".join(f'"{bot}"' for bot in bots)
    path.write_text(
        f'title = "The cup"\nbots = [{names}]\nblocks = {blocks}\nseed = 3\n'
        f'rulesets = ["tienduizend:target=3000", "zehntausend-2:target=2000"]\n{more}\n'
    )
    return path


def _digests(folder: Path) -> dict[str, str]:
    with Store.read(folder / "reports" / "cup" / "results.sqlite") as store:
        return {each.match.id: each.stats.digest for each in store.matches()}


def test_a_tournament_leaves_a_report(arena: Arena, tmp_path: Path) -> None:
    ran = arena("run", _write(tmp_path, ["hold", "greedy", "random"]))
    assert ran.code == 0
    assert "zehntausend-2:target=2000: 30 games" in ran.out
    assert "Report: reports/cup/index.html" in ran.out
    folder = tmp_path / "reports" / "cup"
    assert {path.name for path in folder.iterdir()} == {
        *("index.html", "report.json", "standings.csv", "matches.csv"),
        *("results.sqlite", "arena.log"),
    }
    assert "The cup" in (folder / "index.html").read_text()
    log = (folder / "arena.log").read_text()
    assert "arena.worker: match " in log
    assert "arena.run: finished: 60 of 60 games, 60 of them now" in log
    with Store.read(folder / "results.sqlite") as store:
        [run] = store.runs()
        assert run.info.command == f"arena run {tmp_path / 'cup.toml'}"
        assert run.finished
        assert dict(run.info.settings)["seed"] == "3"
        assert {stored.spec.name for stored in store.bots().values()} == {
            *("hold", "greedy", "random"),
        }
        assert all("class " in stored.source for stored in store.bots().values())


def test_json_is_the_report(arena: Arena, tmp_path: Path) -> None:
    ran = arena("run", _write(tmp_path, ["hold", "greedy"]), "--json")
    assert ran.document == json.loads((tmp_path / "reports/cup/report.json").read_text())


def test_the_same_command_plays_nothing_twice(arena: Arena, tmp_path: Path) -> None:
    path = _write(tmp_path, ["hold", "greedy"])
    arena("run", path)
    before = _digests(tmp_path)
    ran = arena("run", path)
    assert "All 20 games were there already." in ran.err
    assert _digests(tmp_path) == before


def test_a_new_bot_plays_only_its_matches(arena: Arena, tmp_path: Path) -> None:
    arena("run", _write(tmp_path, ["hold", "greedy"]))
    before = _digests(tmp_path)
    ran = arena("run", _write(tmp_path, ["random", "hold", "greedy"]))
    assert ran.err.startswith("40 games in ")
    after = _digests(tmp_path)
    assert len(after) == 6
    assert before.items() < after.items()


def test_more_blocks_play_only_the_rest(arena: Arena, tmp_path: Path) -> None:
    path = _write(tmp_path, ["hold", "greedy"])
    arena("run", path)
    ran = arena("run", path, "--blocks", 8)
    assert ran.err.startswith("12 games in ")
    stepwise = _digests(tmp_path)
    arena("run", path, "--blocks", 8, "--out", tmp_path / "other", "--workers", 1)
    with Store.read(tmp_path / "other" / "cup" / "results.sqlite") as store:
        assert {each.match.id: each.stats.digest for each in store.matches()} == stepwise
        assert f"--out {tmp_path}/other --blocks 8" in store.runs()[-1].info.command


def test_older_games_that_count_too_are_told(arena: Arena, tmp_path: Path) -> None:
    path = _write(tmp_path, ["hold", "greedy"])
    assert "games were asked for" not in arena("run", path, "--workers", 1).err
    ran = arena("run", path, "--blocks", 3, "--workers", 1)
    told = re.search(r"([0-9]+) games were asked for; .*results.sqlite holds ([0-9]+),", ran.err)
    assert told is not None
    assert int(told[2]) * 3 == int(told[1]) * 5
    assert f"All {told[1]} games were there already." in ran.err


def test_a_ruleset_is_recognised(arena: Arena) -> None:
    ran = arena("run", ROOT / "configs" / "rules" / "patch.toml")
    assert ran.code == 3
    assert ran.err.count("\n") == 2
    assert "patch.toml: this is a ruleset, not a tournament file" in ran.err


def test_faulty_bots_are_in_the_report_and_the_log(arena: Arena, tmp_path: Path) -> None:
    ran = arena("run", _write(tmp_path, ["hold", f"{FAULTY}:Raises", f"{FAULTY}:Word"], blocks=3))
    assert ran.code == 0
    assert "games were forfeited by faults of bots" in ran.out
    folder = tmp_path / "reports" / "cup"
    page = (folder / "index.html").read_text()
    assert "ZeroDivisionError" in page
    assert "in compute" in page
    assert "ZeroDivisionError" in (folder / "arena.log").read_text()


def test_a_bot_that_kills_costs_only_its_own_matches(arena: Arena, tmp_path: Path) -> None:
    path = _write(tmp_path, ["hold", "greedy", f"{FAULTY}:Kills"], blocks=3)
    ran = arena("run", path, "--trust")  # without a process of its own to take down
    assert ran.code == 0
    assert len(_digests(tmp_path)) == 6
    page = (tmp_path / "reports" / "cup" / "index.html").read_text()
    assert "withdrawn from this match: it takes down the process that plays it" in page


def test_a_bot_that_kills_late_costs_only_its_own_matches(arena: Arena, tmp_path: Path) -> None:
    path = _write(tmp_path, ["hold", "greedy", f"{FAULTY}:KillsOthers"], blocks=3)
    ran = arena("run", path, "--trust")
    assert ran.code == 5
    assert "4 of 6 matches could not be finished" in ran.err
    assert len(_digests(tmp_path)) == 2
    assert (tmp_path / "reports" / "cup" / "index.html").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_goes_on(arena: Arena, tmp_path: Path, number: signal.Signals) -> None:
    path = _write(tmp_path, ["hold", "greedy", "random"], blocks=150)
    process = start(tmp_path, "run", path, "--engine", "referee", "--trust")
    _until_something_is_finished(tmp_path)
    os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert f"Go on:             arena run {path}" in err
    assert "Traceback" not in err
    assert processes_of(process.pid) == []
    kept = len(_digests(tmp_path))
    assert kept > 0
    ran = arena("run", path, "--engine", "referee", "--trust")
    assert ran.code == 0
    stepwise = _digests(tmp_path)
    assert len(stepwise) == 6
    arena("run", path, "--out", "whole", "--trust")
    with Store.read(tmp_path / "whole" / "cup" / "results.sqlite") as store:
        assert {each.match.id: each.stats.digest for each in store.matches()} == stepwise


def test_a_run_that_is_killed_loses_nothing_and_leaves_no_process(
    arena: Arena, tmp_path: Path
) -> None:
    path = _write(tmp_path, ["hold", "greedy"], blocks=2000)
    process = start(tmp_path, "run", path, "--engine", "referee", "--trust")
    _until_something_is_finished(tmp_path)
    process.kill()
    process.communicate()
    deadline = time.monotonic() + 30
    while processes_of(process.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert processes_of(process.pid) == []
    with Store.write(tmp_path / "reports" / "cup" / "results.sqlite") as store:
        assert sum(each.stats.blocks for each in store.matches()) > 0


def test_a_second_run_is_told_to_wait(arena: Arena, tmp_path: Path) -> None:
    path = _write(tmp_path, ["hold", "greedy"])
    with Store.write(tmp_path / "reports" / "cup" / "results.sqlite"):
        ran = arena("run", path)
    assert ran.code == 5
    assert f"another run is writing to it (process {os.getpid()}" in ran.err
    assert arena("run", path).code == 0


def test_the_report_can_be_written_again(arena: Arena, tmp_path: Path) -> None:
    arena("run", _write(tmp_path, ["hold", "greedy"]))
    page = tmp_path / "reports" / "cup" / "index.html"
    before = page.read_text()
    page.unlink()
    for path in ("reports/cup", "reports/cup/results.sqlite"):
        assert arena("report", path, "--title", "The cup").out == "Report: reports/cup/index.html\n"
        assert page.read_text() == before
    arena("report", "reports/cup", "--out", "elsewhere")
    assert (tmp_path / "elsewhere" / "index.html").exists()
    assert arena("report", "reports/none").code == 3


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            'bots = ["hodl", "greedy"]\nrulesets = ["tienduizen"]\nblocs = 4\n',
            ["3 configuration mistakes", "mean hold?", "mean tienduizend?", "mean blocks?"],
        ),
        ("bots = [", ["is not TOML"]),
    ],
)
def test_mistakes_of_the_file(arena: Arena, tmp_path: Path, text: str, parts: list[str]) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(text)
    ran = arena("run", path)
    assert ran.code == 3
    for part in parts:
        assert part in ran.err
    assert not (tmp_path / "reports").exists()


def test_no_file_of_that_name(arena: Arena) -> None:
    ran = arena("run", "none.toml")
    assert ran.code == 3
    assert ran.err == (
        "arena: 1 configuration mistake:\n  none.toml: cannot be read: No such file or directory\n"
    )


def test_an_output_folder_that_cannot_be_written(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "reports").write_text("a file")
    ran = arena("run", _write(tmp_path, ["hold", "greedy"]))
    assert ran.code == 5
    assert "reports" in ran.err
    assert "Traceback" not in ran.err


def test_a_bot_file_that_is_not_python_does_not_hide_the_others(
    arena: Arena, tmp_path: Path
) -> None:
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "broken.py").write_text("def\n")
    path = tmp_path / "cup.toml"
    path.write_text(
        'bots = ["hold", "greedy"]\nrulesets = ["tienduizend:target=2000"]\nblocks = 2\n'
    )
    ran = arena("run", path)
    assert ran.code == 0
    assert "left out: bots/broken.py: is not Python: line 1" in ran.err


def _until_something_is_finished(folder: Path) -> None:
    """Wait until the log tells of a few chunks."""
    log = folder / "reports" / "cup" / "arena.log"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if log.exists() and log.read_text().count("blocks") > 4:
            return
        time.sleep(0.05)
    raise AssertionError("nothing is played")


def test_names_that_look_alike_are_told(arena: Arena, tmp_path: Path) -> None:
    folder = tmp_path / "bots"
    folder.mkdir(exist_ok=True)
    for number, name in enumerate(("grim", "gr\u0456m")):
        (folder / f"bot{number}.py").write_text(
            "from arena import Bot\n\n\nclass Grim(Bot):\n"
            f"    name = {name!r}\n\n    def decide(self, turn):\n"
            "        return turn.holds[0].bank()\n"
        )
    ran = arena("run", _write(tmp_path, ["grim", "gr\u0456m"], blocks=1))
    assert ran.code == 0
    assert "grim and gr\u0456m look alike" in ran.err

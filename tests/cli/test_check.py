"""`arena check` as an author meets it."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from arena.bots.check_findings import StepName
from arena.cli.check_live import CLEAR, LiveStep, step_text
from tests.cli.running import ROOT, Arena

BEGINNER = """from arena import Bot, Decision, Turn
import random

class Beginner(Bot):
    \"\"\"My first bot.\"\"\"

    def decide(self, turn: Turn) -> Decision:
        hold = turn.holds[0]
        if turn.points + hold.points > 300:
            return hold.bank
        return hold.roll()
"""


@pytest.fixture
def beginner(tmp_path: Path) -> Path:
    path = tmp_path / "beginner.py"
    path.write_text(BEGINNER)
    return path


def test_a_beginner_is_told_what_and_where(arena: Arena, beginner: Path) -> None:
    ran = arena("check", beginner, "--isolation", "limits")
    assert ran.code == 4
    assert "  ok    syntax" in ran.out
    assert "  FAIL  first decisions" in ran.out
    assert "wrong type: decide() answered <bound method Hold.bank" in ran.out
    assert "It was asked:\n    rules: tienduizend\n" in ran.out
    assert "    turn.holds[0].bank() or .roll()  keeps " in ran.out
    assert "What to do: " in ran.out
    assert "is not fit to play: first decisions" in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("spent_s", "most_s", "text"),
    [
        (0, 7, "first decisions       at most 7 s more"),
        (3.4, 7, "first decisions       3 s, at most 4 s more"),
        (9, 7, "first decisions       9 s, any moment now"),
        (9, math.inf, "first decisions       9 s, no limit in this process; stop it with Ctrl-C"),
    ],
)
def test_the_running_step(spent_s: float, most_s: float, text: str) -> None:
    assert step_text(StepName.FIRST, spent_s, most_s) == text


@pytest.mark.parametrize("terminal", [True, False])
def test_a_step_that_takes_long_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *, terminal: bool
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal, raising=False)
    monkeypatch.setattr("arena.cli.check_live.TICK_S", 0.001)
    monkeypatch.setattr("arena.cli.check_live.QUIET_S", 0.001)
    with LiveStep() as live:
        live.begin(StepName.IMPORT, 10.0)
        said = ""
        while "import" not in said:
            said += capsys.readouterr().err
    said += capsys.readouterr().err
    if terminal:
        assert said.endswith(CLEAR)
    else:
        assert said == "  ...   import                at most 10 s more\n"


def test_a_corrected_bot_is_fit(arena: Arena, beginner: Path) -> None:
    beginner.write_text(BEGINNER.replace("hold.bank\n", "hold.bank()\n"))
    ran = arena("check", beginner, "--isolation", "limits")
    assert ran.code == 0
    assert ran.out.endswith("beginner.py is fit to play.\n")
    assert "FAIL" not in ran.out


def test_warnings_name_the_line(arena: Arena, beginner: Path) -> None:
    text = BEGINNER.replace("hold.bank\n", "hold.bank()\n")
    beginner.write_text(text.replace("> 300", "> 300 + 0 * int(turn.score)"))
    ran = arena("check", beginner, "--trust")
    assert ran.code == 0
    assert "1 warning:\n  line 9: int() of a number of `turn` needs its exact value" in ran.err


def test_the_document(arena: Arena, beginner: Path) -> None:
    document = arena("check", beginner, "--isolation", "limits", "--json").document
    assert document["fit"] is False
    assert document["steps"][-1] == {"step": "first decisions", "passed": False, "told": ""}
    assert document["finding"]["what"].startswith("wrong type: ")
    assert document["finding"]["legal"]


def test_bots_are_checked_by_name_and_with_parameters(arena: Arena, tmp_path: Path) -> None:
    ran = arena("check", "hold:points=500", "--isolation", "limits")
    assert ran.code == 0
    assert "points=500, dice=0" in ran.out
    file = ROOT / "bots" / "hold.py"
    ran = arena("check", f"{file}:goal=3", "--isolation", "limits")
    assert ran.code == 4
    assert "there is no parameter goal" in ran.out


@pytest.mark.parametrize(
    ("bot", "words"),
    [("no_such.py", "there is no such file"), ("no-such-bot", "there is no bot 'no-such-bot'")],
)
def test_what_is_not_there(arena: Arena, bot: str, words: str) -> None:
    ran = arena("check", bot, "--isolation", "limits")
    assert ran.code == 2
    assert words in ran.err


def test_trust_and_isolation_contradict(arena: Arena, beginner: Path) -> None:
    ran = arena("check", beginner, "--trust", "--isolation", "strict")
    assert ran.code == 2
    assert "--trust means --isolation none" in ran.err


def test_strict_where_it_cannot_be_had(
    arena: Arena, beginner: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from arena.bots import isolation
    from arena.bots.isolation_bwrap import INSTALL, Sandbox

    def find() -> Sandbox:
        return Sandbox(missing="bubblewrap is not installed", remedy=INSTALL)

    monkeypatch.setattr(isolation, "find_sandbox", find)
    ran = arena("check", beginner, "--isolation", "strict")
    assert ran.code == 2
    assert "bubblewrap is not installed; install bubblewrap" in ran.err
    ran = arena("check", beginner)
    assert ran.code == 4
    [note] = [line for line in ran.err.splitlines() if "bubblewrap" in line]
    assert note.startswith("Bots run with limits, but see files and the network")
    assert "apt-get install bubblewrap" in note


def test_a_bot_that_fails_over_its_notes_is_found_in_whole_games(
    arena: Arena, tmp_path: Path
) -> None:
    (tmp_path / "ida.py").write_text(
        "from arena import Bot\n\n\nclass Ida(Bot, remembers=True):\n"
        '    """Keeps the first hold."""\n\n    first = None\n\n'
        "    def decide(self, turn):\n"
        "        self.first = self.first or turn.holds[0]\n"
        "        return self.first.bank()\n"
    )
    ran = arena("check", "ida.py")
    assert ran.code == 4
    assert "FAIL  whole games" in ran.out
    assert "no decision of this roll (of an earlier one?)" in ran.out
    assert re.search(r"round [2-9], seat [12]", ran.out)
    assert "arena replay ida ida --rules tienduizend" in ran.out

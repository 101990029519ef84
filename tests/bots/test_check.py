"""Which step a bot fails at, and what its author is told."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from arena.bots.check import check_bot
from arena.bots.check_findings import Checked, StepName
from arena.bots.check_habits import find_habits
from arena.bots.check_positions import (
    awkward_positions,
    played_positions,
)
from arena.bots.isolation import Isolation, Level
from arena.bots.isolation_process import HostLost, HostProcess, LossKind
from arena.game import legal_decisions, position_text
from arena.rules import Ruleset, load_ruleset, rule_tables, ruleset_files
from tests.bots.bad_bots import isolation

ROOT = Path(__file__).parents[2]
RULES = [ROOT / "configs" / "rules"]
BANK = "        return turn.holds[0].bank()\n"
BANK_IF_WRITTEN = (
    "        hold = turn.holds[0]\n"
    "        return hold.bank() if turn.can_bank(hold) else hold.roll()"
)


def rulesets(*names: str) -> list[Ruleset]:
    return [load_ruleset(name, RULES) for name in names]


def check(folder: Path, text: str, apart: Isolation | None = None, **options: str) -> Checked:
    path = folder / "mine.py"
    path.write_text(text, encoding="utf-8")
    return check_bot(
        path,
        rulesets("tienduizend", "zehntausend-1"),
        apart or isolation(Level.LIMITS),
        chosen=options.get("chosen", ""),
    )


def bot(decide: str, head: str = "", inside: str = "") -> str:
    return (
        f"from arena import Bot, Decision, Turn\n{head}\n\nclass Mine(Bot):\n{inside}"
        f"    def decide(self, turn: Turn) -> Decision:\n{decide}"
    )


@pytest.mark.parametrize(
    ("text", "step", "words"),
    [
        ("def broken(:\n", StepName.SYNTAX, ["line 1 is not Python"]),
        ("x = '\0'", StepName.SYNTAX, ["null byte"]),
        ("import nothing_of_this_name\n", StepName.IMPORT, ["ModuleNotFoundError"]),
        ("open('/etc/passwd')\n", StepName.IMPORT, ["a bot may not read files: /etc/passwd"]),
        ("import os\nos._exit(3)\n", StepName.IMPORT, ["ended its process (exit code 3)"]),
        ("return 5\n", StepName.IMPORT, ["'return' outside function"]),
        ("x = 1\n", StepName.CLASS, ["has no bot"]),
        ("class Mine:\n    def decide(self, turn): ...\n", StepName.CLASS, ["derive from Bot"]),
        (bot(BANK).replace("decide", "decid"), StepName.CLASS, ["did you mean decide?"]),
        (
            bot(BANK, inside="    def __init__(self, goal): ...\n"),
            StepName.PARAMETERS,
            ["parameter goal has no default"],
        ),
        (
            bot(BANK, inside="    def __init__(self): self.goal = 1 / 0\n"),
            StepName.PARAMETERS,
            ["ZeroDivisionError"],
        ),
        (bot("        turn.holds[0].bank()\n"), StepName.FIRST, ["wrong type", "answered None"]),
        (bot("        while True: pass\n"), StepName.FIRST, ["time-out", "gave no answer"]),
        (bot("        return turn.reroll()\n"), StepName.FIRST, ["turn.reroll() is not possible"]),
        (
            bot("        return turn.holds[turn.seat > 5 and 10].bank()\n"),
            StepName.GAMES,
            ["IndexError"],
        ),
        (
            bot(f"        assert turn.rolls < 900\n{BANK}"),
            StepName.AWKWARD,
            ["AssertionError", "the very last roll"],
        ),
        (
            bot(
                "        hold = turn.holds[0]\n"
                "        return hold.bank() if 'a' in sorted({'a', 'b', 'c'}, key=hash)[:1]"
                " else hold.roll()\n"
            ),
            StepName.REPEATS,
            ["asked twice, it decided"],
        ),
        (
            bot(
                "        hold = turn.holds[0]\n"
                "        return hold.bank() if random.random() < 0.5 else hold.roll()\n",
                "import random",
            ),
            StepName.FIRST,
            ["unrepeatable"],
        ),
    ],
)
def test_a_bad_bot_fails_at_its_step(
    tmp_path: Path, text: str, step: StepName, words: list[str]
) -> None:
    checked = check(tmp_path, text)
    assert not checked.passed
    assert checked.steps[-1].name == step
    assert [each.name for each in checked.steps] == list(StepName)[: len(checked.steps)]
    finding = checked.steps[-1].finding
    assert finding is not None
    told = "\n".join([finding.what, finding.position, finding.traceback])
    for word in words:
        assert word in told
    assert finding.fix
    if step in (StepName.GAMES, StepName.AWKWARD, StepName.REPEATS):
        assert "rules: " in finding.position
        assert finding.legal


def test_banks_that_are_worth_nothing_are_warned_of(tmp_path: Path) -> None:
    checked = check(tmp_path, bot(BANK))
    assert checked.passed
    [habit] = checked.habits
    assert "banks were worth nothing" in str(habit)
    assert "can_bank" in str(habit)


@pytest.mark.parametrize("level", [Level.LIMITS, Level.NONE])
def test_a_good_bot_passes(tmp_path: Path, level: Level) -> None:
    checked = check(tmp_path, bot(BANK_IF_WRITTEN), isolation(level))
    assert checked.passed
    assert [step.name for step in checked.steps] == list(StepName)
    assert checked.habits == ()
    assert checked.bot is not None
    assert checked.bot.class_name == "Mine"


def test_a_bot_is_asked_about_what_it_says_it_plays(tmp_path: Path) -> None:
    picky = (
        "        if len(turn.opponents) != 2 or turn.rules.name != 'greed':\n"
        "            raise ValueError('not mine')\n" + BANK
    )
    says = "    seats = (3,)\n    solved_only = True\n"
    path = tmp_path / "mine.py"
    path.write_text(bot(picky, inside=says))
    both, apart = rulesets("tienduizend", "greed"), isolation(Level.LIMITS)
    checked = check_bot(path, both, apart, solved=lambda rules: rules.name == "greed")
    assert checked.passed, checked.steps[-1]
    told = {step.name: step.told for step in checked.steps}
    assert told[StepName.GAMES].endswith(" on 1 ruleset, 3 players")
    finding = check_bot(path, both, apart).steps[-1].finding
    assert finding is not None
    assert "none is solved yet" in finding.what
    path.write_text(bot(picky, inside="    seats = (2, 9)\n"))
    finding = check_bot(path, both, apart).steps[-1].finding
    assert finding is not None
    assert "seats = (2, 9) are no numbers of players" in finding.what


@pytest.mark.parametrize("when", ["True", "turn.score > 2000"])
def test_the_first_time_out_ends_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    hung: list[str] = []
    lose = HostProcess._lost

    def lost(process: HostProcess, kind: LossKind, message: str, *, trace: bool) -> HostLost:
        hung.append(kind)
        return lose(process, kind, message, trace=trace)

    monkeypatch.setattr(HostProcess, "_lost", lost)
    checked = check(tmp_path, bot(f"        while {when}:\n            pass\n{BANK}"))
    finding = checked.steps[-1].finding
    assert finding is not None
    assert finding.what.startswith("time-out: ")
    assert hung == ["time-out"]


def test_steps_are_told_before_they_begin(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(bot(BANK))
    begun: list[tuple[StepName, float]] = []
    apart = isolation(Level.LIMITS)
    check_bot(
        path, rulesets("greed"), apart, begun=lambda step, most_s: begun.append((step, most_s))
    )
    assert [step for step, _ in begun] == list(StepName)
    most_s = dict(begun)
    assert most_s[StepName.SYNTAX] == 0
    assert most_s[StepName.IMPORT] == apart.limits.load_cpu_s
    limits = apart.limits
    assert most_s[StepName.FIRST] == pytest.approx(limits.stall_s + 20 * limits.question_cpu_s)


@pytest.mark.parametrize("name", ["moody", "notebook", "reroller"])
def test_bots_with_moods_and_notes_pass(name: str) -> None:
    path = ROOT / "bots" / f"{name}.py"
    checked = check_bot(path, rulesets("tienduizend"), isolation(Level.LIMITS))
    assert checked.passed, checked.steps[-1]


def test_one_of_several_bots_has_to_be_named(tmp_path: Path) -> None:
    two = bot(BANK) + "\nclass Other(Mine):\n    pass\n"
    checked = check(tmp_path, two)
    finding = checked.steps[-1].finding
    assert finding is not None
    assert f"{tmp_path}/mine.py:Mine or {tmp_path}/mine.py:Other" in finding.fix
    checked = check(tmp_path, two, chosen="Other")
    assert checked.passed
    assert checked.bot is not None
    assert checked.bot.name == "other"


@pytest.mark.parametrize("name", sorted(ruleset_files(RULES)))
def test_awkward_positions_are_positions(name: str) -> None:
    tables = rule_tables(load_ruleset(name, RULES))
    found = list(awkward_positions(tables))
    assert len(found) >= 5
    assert len({situation.why for situation in found}) == len(found)
    for situation in found:
        turn = situation.turn
        assert turn.to_beat == max(turn.opponents)
        assert turn.points == 0 or turn.rolls > 1
        assert turn.last_round <= (turn.to_beat >= tables.ruleset.target)
        assert not tables.ruleset.max_rolls or turn.limited_rolls <= tables.ruleset.max_rolls
        assert legal_decisions(turn)
        assert position_text(turn).startswith(f"rules: {name}\n")


def test_played_positions_repeat_and_spread() -> None:
    tables = rule_tables(load_ruleset("tienduizend", RULES))
    first = played_positions(tables, 3, 50, random.Random(9))
    again = played_positions(tables, 3, 50, random.Random(9))
    assert [repr(one.turn) for one in first] == [repr(one.turn) for one in again]
    assert len({one.turn.round for one in first}) > 10
    assert {one.turn.seat for one in first} == {1, 2, 3}


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("if random.random() < 0.5: pass", "use turn.rng"),
        ("now = time.time()", "a clock"),
        ("x = int(turn.points)", "exact value"),
        ("x = f'{turn.score}'", "exact value"),
        ("x = table[turn.points]", "exact value"),
        ("x = turn.score % 100", "exact value"),
        ("x = max(turn.opponents) / 2", ""),
        ("self.count = 1", "remembers=True"),
        ("self.count += 1", "remembers=True"),
        ("global count", "global variable"),
        ("print('hello')", "printing costs time"),
        ("import math", "top of the file"),
        ("turn.score = 5", "cannot be changed"),
        ("open('x')", "files are not there"),
        ("input()", "nobody is there"),
        ("x = id(turn)", "id() differs"),
        ("x = turn.points + 5 >= 300", ""),
        ("x = turn.rng.random()", ""),
    ],
)
def test_a_habit_is_noticed(line: str, advice: str) -> None:
    habits = find_habits(bot(f"        {line}\n{BANK}").encode(), remembers=False)
    told = [habit for habit in habits if habit.source.startswith(line[:6])]
    if not advice:
        assert not told
    else:
        assert any(advice in habit.advice for habit in told)
        assert {habit.line for habit in told} == {6}


def test_notes_are_no_habit_of_a_bot_that_keeps_some() -> None:
    text = bot(f"        self.count = 1\n{BANK}").encode()
    assert find_habits(text, remembers=False)
    assert not find_habits(text, remembers=True)


def test_catching_everything_is_noticed() -> None:
    caught = f"        try:\n            pass\n        except Exception:\n            pass\n{BANK}"
    [habit] = find_habits(bot(caught).encode(), remembers=False)
    assert "hides mistakes" in habit.advice

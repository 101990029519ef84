"""What `arena check` tells the author of a first bot: the line, what was answered, what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

import arena
from arena.bots.check import check_bot
from arena.bots.check_advice import EXPORTED, return_lines
from arena.bots.check_findings import StepName
from arena.bots.isolation import Level
from arena.rules import load_ruleset
from tests.bots.bad_bots import isolation

RULES = [load_ruleset("tienduizend", [Path(__file__).parents[2] / "configs" / "rules"])]
HEAD = "from arena import Bot\n\n\nclass Mine(Bot):\n"
DECIDE = HEAD + "    def decide(self, turn):\n"
BANK = "        return turn.holds[0].bank()\n"


@pytest.mark.parametrize(
    ("text", "step", "what", "where", "fix"),
    [
        (
            DECIDE + "        hold = turn.holds[0]\n        if turn.points > 300:\n"
            "            return hold.bank()\n        hold.roll()\n",
            StepName.FIRST,
            "decide() answered None",
            "line 9: hold.roll()    <- no `return` in front of it",
            "ends without `return`",
        ),
        (
            DECIDE + "        return turn.turn_points\n",
            StepName.FIRST,
            "'Turn' object has no attribute 'turn_points'",
            "line 6, in decide",
            "did you mean turn.points?",
        ),
        (
            DECIDE + "        return turn.holds[0].score\n",
            StepName.FIRST,
            "'Hold' object has no attribute 'score'",
            "line 6, in decide",
            "a hold has dice, points, dice_left, hot, bank(), roll()",
        ),
        (
            DECIDE + "        return turn.points < 400\n",
            StepName.FIRST,
            "answered True (bool)",
            "line 6: return turn.points < 400",
            "not with True or False",
        ),
        (
            DECIDE + "        return turn.holds[0]\n",
            StepName.FIRST,
            "(Hold)",
            "line 6: return turn.holds[0]",
            "say what to do with the hold",
        ),
        (
            DECIDE + "        return turn.holds[0].bank\n",
            StepName.FIRST,
            "(method)",
            "line 6: return turn.holds[0].bank",
            "write the brackets",
        ),
        (
            HEAD + "    best = None\n\n    def decide(self, turn):\n"
            "        self.best = self.best or turn.holds[0]\n        return self.best.bank()\n",
            StepName.FIRST,
            "which is no decision of this roll",
            "line 9: return self.best.bank()",
            "of a hold of this turn's turn.holds",
        ),
        (
            "class Mine(Bot):\n    pass\n",
            StepName.IMPORT,
            "name 'Bot' is not defined (line 1",
            "line 1, in <module>",
            "write `from arena import Bot` at the top",
        ),
        (
            HEAD + "    def decide(self, turn)\n" + BANK,
            StepName.SYNTAX,
            "line 5 is not Python: expected ':'",
            "^",
            "correct the line",
        ),
        (
            HEAD + "    def decision(self, turn):\n" + BANK,
            StepName.CLASS,
            "it has decision, did you mean decide?",
            "line 4: class Mine(Bot):",
            "arena new-bot NAME",
        ),
        (
            HEAD + "    def decide(self):\n" + BANK,
            StepName.CLASS,
            "write decide(self, turn)",
            "line 5: def decide(self):",
            "correct the class",
        ),
        (
            HEAD + "    def __init__(self, points):\n        pass\n\n"
            "    def decide(self, turn):\n" + BANK,
            StepName.PARAMETERS,
            "parameter points has no default",
            "line 5: def __init__(self, points):",
            "def __init__(self, points=300):",
        ),
        (
            DECIDE + "        return turn.holds[1].bank()\n",
            StepName.FIRST,
            "IndexError",
            "line 6, in decide",
            "there may be a single hold",
        ),
        (
            DECIDE + "        while turn.points < 9000:\n            hold = turn.holds[0]\n"
            "        return hold.bank()\n",
            StepName.FIRST,
            "time-out: ",
            "in decide",
            "see that every loop ends",
        ),
        (
            "import random\n" + DECIDE + "        if random.random() < 0.5:\n    " + BANK
            + "        return turn.holds[0].roll()\n",
            StepName.FIRST,
            "instead of turn.holds[0].",
            "line 7: if random.random() < 0.5:",
            "turn.rng instead of random",
        ),
        (
            "asked = 0\n" + DECIDE + "        global asked\n        asked += 1\n"
            "        return turn.holds[-(asked % 2)].bank()\n",
            StepName.FIRST,
            "asked the same again",
            "line 7: global asked",
            "no notes between decisions",
        ),
    ],
)  # fmt: skip
def test_a_beginners_mistake(
    tmp_path: Path, text: str, step: StepName, what: str, where: str, fix: str
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text)
    checked = check_bot(path, RULES, isolation(Level.LIMITS))
    finding = checked.steps[-1].finding
    assert finding is not None
    assert checked.steps[-1].name is step, finding
    assert what in finding.what
    assert where in finding.traceback
    assert fix in finding.fix
    if step is StepName.FIRST:
        assert "roll " in finding.position
        assert finding.legal or "it could have answered" in finding.position


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("return turn.holds[0].bank()", []),
        ("return", ["line 3: return"]),
        ("return None", ["line 3: return None"]),
        ("turn.holds[0].bank()", ["line 3: turn.holds[0].bank()    <- no", "line 3, after which"]),
        ("while True:\n    pass", []),
        ("while True:\n    break", ["line 4, after which"]),
        ("if turn.points:\n    return 1\nelse:\n    raise ValueError", []),
        ("if turn.points:\n    return 1", ["line 4, after which"]),
        ("def inner():\n    return None\nreturn inner()", []),
    ],
)
def test_lines_that_answer_nothing(body: str, lines: list[str]) -> None:
    indented = "".join(f"        {line}\n" for line in body.splitlines())
    source = f"class Mine(Bot):\n    def decide(self, turn):\n{indented}"
    found = return_lines(source.encode(), "Mine", nothing=True).splitlines()
    assert len(found) == len(lines)
    assert all(line.startswith(wanted) for line, wanted in zip(found, lines, strict=True))


def test_lines_that_answer_are_those_of_the_class_that_it_derives_from() -> None:
    source = b"class Base(Bot):\n    def decide(self, turn):\n        return 1\nclass Mine(Base):\n"
    source += b"    pass\n"
    assert return_lines(source, "Mine", nothing=False) == "line 3: return 1"


def test_a_forgotten_import_is_known_for_whatever_arena_offers() -> None:
    assert set(arena.__all__) == EXPORTED

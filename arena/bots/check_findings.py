"""What a check finds: steps, and why one failed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from arena.bots.asking_faults import AskFault, AskFaultKind
from arena.bots.check_advice import special_advice
from arena.bots.check_habits import Habit
from arena.bots.check_positions import Situation
from arena.bots.spec import BotSpec
from arena.game import Turn, decision_text, legal_decisions, position_text


class StepName(StrEnum):
    """What is looked at, in this order."""

    SYNTAX = "syntax"
    IMPORT = "import"
    CLASS = "class"
    PARAMETERS = "parameters"
    FIRST = "first decisions"
    GAMES = "positions of games"
    AWKWARD = "awkward positions"
    REPEATS = "repeatability"
    SPEED = "speed"
    MEMORY = "memory"
    WHOLE = "whole games"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Why a step failed.

    Attributes:
        what: what the bot did, one line.
        fix: what to do about it, one line.
        position: what it was asked, as lines of text; may be empty.
        legal: the decisions that it could have taken, one line each; may be empty.
        traceback: of the author's own lines, or the lines that are meant; may be empty.
        output: the last that the bot printed; may be empty.
    """

    what: str
    fix: str
    position: str = ""
    legal: tuple[str, ...] = ()
    traceback: str = ""
    output: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step that was taken.

    Attributes:
        name: which one.
        told: what was found, a few words.
        finding: why it failed; None if it went well.
    """

    name: StepName
    told: str = ""
    finding: Finding | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The result of a check.

    Attributes:
        path: the file.
        bot: the bot that was asked; None if it did not come to that.
        steps: those that were taken.
        habits: warnings about the source.
    """

    path: str
    bot: BotSpec | None
    steps: tuple[Step, ...]
    habits: tuple[Habit, ...]

    @property
    def passed(self) -> bool:
        """Whether the bot is fit to play."""
        return self.steps[-1].finding is None and len(self.steps) == len(StepName)


class StepFailed(Exception):  # noqa: N818 - it is caught and told, never shown as an error
    """Ends a step.

    Attributes:
        finding: why.
    """

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.what)
        self.finding = finding


FIX_IMPORT: Final = (
    "the file is run once from top to bottom when it is imported; it may use Python's library and "
    "installed packages, but no files, no network and no other programs"
)
FIX_CLASS: Final = (
    "correct the class; `arena new-bot NAME` writes a bot to compare it with, or to start from"
)
FIX_PARAMETERS: Final = (
    "every parameter of __init__ needs a default, as in `def __init__(self, points=300):`; allowed "
    "are whole numbers, numbers, True or False, and texts"
)
_LOOK_UP: Final = "look at the last line of the traceback: that is where it happened"

FIXES: Final[dict[AskFaultKind, str]] = {
    "load error": "making the bot with its defaults, as in `Name()`, must work",
    "exception": f"{_LOOK_UP}; a decision has to come at every legal position",
    "illegal decision": "return hold.bank() or hold.roll() of a hold of this turn's turn.holds",
    "wrong type": "every way through decide() has to end with `return` and a decision",
    "time-out": "see that every loop ends, and compute less for each decision",
    "memory": "keep less: the memory of a bot's process is limited",
    "crash": f"{_LOOK_UP}; deep recursion and compiled extensions can do that",
    "silent death": "take out what ends the process (os._exit, sys.exit in a callback)",
    "flood of output": "take out print(), or print less",
    "unrepeatable": (
        "decide from `turn` alone: turn.rng instead of random, no clock, no notes between "
        "decisions unless declared with remembers=True"
    ),
    "withdrawn": "correct the faults that came before",
}


def finding_of(fault: AskFault, situation: Situation | None, *, where: str = "") -> Finding:
    """A fault as a finding, with the position where one was asked about.

    Args:
        fault: what the bot did.
        situation: what it was asked; None if that is not known, or stands in the fault.
        where: lines of the source, for a fault without a traceback.
    """
    position = fault.position
    legal: tuple[str, ...] = ()
    if situation is not None:
        why = f"{situation.why}\n" if situation.why else ""
        position, legal = why + position_text(situation.turn), legal_decisions(situation.turn)
    return Finding(
        what=f"{fault.kind}: {fault.message}",
        fix=special_advice(fault.message, fault.traceback) or FIXES[fault.kind],
        position=position,
        legal=legal,
        traceback=fault.traceback or where,
        output=fault.output,
    )


def unrepeatable(turn: Turn, once: int, again: int, *, where: str = "") -> Finding:
    """The finding that a bot decided otherwise when it was asked again.

    Args:
        turn: the position.
        once, again: codes of the two decisions.
        where: lines of the source that may be the reason.
    """
    return Finding(
        what=f"asked twice, it decided {decision_text(turn, once)}, then "
        f"{decision_text(turn, again)}",
        fix=FIXES["unrepeatable"],
        position=position_text(turn),
        legal=legal_decisions(turn),
        traceback=where,
    )


def syntax_finding(error: Exception) -> Finding:
    """The finding that a source is not Python."""
    if not isinstance(error, SyntaxError) or error.lineno is None:
        return Finding(what=f"is not Python: {error or type(error).__name__}", fix=_FIX_SYNTAX)
    source = (error.text or "").rstrip("\n")
    mark = " " * max((error.offset or 1) - 1, 0) + "^"
    return Finding(
        what=f"line {error.lineno} is not Python: {error.msg}",
        fix=_FIX_SYNTAX,
        traceback=f"{source}\n{mark}" if source else "",
    )


_FIX_SYNTAX: Final = "correct the line; the mistake may also be in the line before"

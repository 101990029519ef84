"""What a bot did wrong when it was asked, with all that its author needs."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from arena.bots.bot import Bot
from arena.bots.discovery_import import OutputFlood, own_traceback, shown
from arena.rules import REROLL, Decision, Hold

AskFaultKind = Literal[
    "load error",
    "exception",
    "illegal decision",
    "wrong type",
    "time-out",
    "memory",
    "crash",
    "silent death",
    "flood of output",
    "unrepeatable",
    "withdrawn",
]
"""Words of `arena.records.FaultKind`, which this room does not know."""

COSTLY: Final[frozenset[AskFaultKind]] = frozenset(["memory", "flood of output"])
"""Faults that cost much even where the process survives them."""

SHOWN = 200
"""Characters of a wrong answer that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskFault:
    """One fault of a bot while it was asked.

    Attributes:
        batch: which call of `answer`, from 0.
        question: index of the question in its batch; -1 where no question is at fault.
        kind: what kind of fault; all but the last two mean that there is no decision.
        message: one line that the author understands.
        traceback: cut to the author's own lines; may be empty.
        output: the last that the bot printed in this batch; may be empty.
        position: what it was asked, as text.
        lost: whether its process was lost by it.
    """

    batch: int
    question: int
    kind: AskFaultKind
    message: str
    traceback: str = ""
    output: str = ""
    position: str = ""
    lost: bool = False

    @property
    def costly(self) -> bool:
        """Whether it cost much more than an exception: a process, or time for memory and output."""
        return self.lost or self.kind in COSTLY


class NoDecision(Exception):  # noqa: N818 - it is caught and told, never shown as an error
    """A bot gave no legal decision.

    Attributes:
        kind, message, traceback: see `AskFault`.
    """

    def __init__(self, kind: AskFaultKind, message: str, trace: str = "") -> None:
        super().__init__(message)
        self.kind: AskFaultKind = kind
        self.message = message
        self.traceback = trace


def raised(error: BaseException, path: Path) -> NoDecision:
    """The fault of a bot that raised; `path` is the author's file."""
    kind: AskFaultKind = "exception"
    if isinstance(error, MemoryError):
        kind = "memory"
    elif isinstance(error, OutputFlood):
        kind = "flood of output"
    told = (shown(error), own_traceback(error, path))
    # A hold that tells when its faces are looked at is a hold to its author.
    message, trace = (text.replace("WatchedHold", "Hold") for text in told)
    return NoDecision(kind, message, trace)


def wrong_answer(answer: object) -> NoDecision:
    """The fault of a bot that answered with something else than a legal decision."""
    if answer is REROLL:
        return NoDecision(
            "illegal decision",
            "decide() answered turn.reroll() where no free re-roll is possible; "
            "ask turn.can_reroll first",
        )
    if type(answer) is Decision:
        return NoDecision(
            "illegal decision",
            f"decide() answered {_short(answer)}, which is no decision of this roll "
            "(of an earlier one?); take a hold of turn.holds, every time anew, and return "
            "hold.bank() or hold.roll()",
        )
    kind = "Hold" if isinstance(answer, Hold) else type(answer).__name__
    return NoDecision(
        "wrong type",
        f"decide() answered {_short(answer)} ({kind}); it has to return "
        "hold.bank() or hold.roll() of a hold of turn.holds, or turn.reroll()",
    )


def author_file(bot: Bot) -> Path:
    """The file that defines a bot's class."""
    try:
        return Path(inspect.getfile(type(bot)))
    except (TypeError, OSError):  # a class that was not made by importing a file
        code = getattr(inspect.unwrap(type(bot).decide), "__code__", None)
        return Path(code.co_filename if code else "unknown")


def _short(value: object) -> str:
    try:
        text = repr(value)
    except Exception:  # an answer may be anything, its repr may raise
        text = "an object that cannot be shown"
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."

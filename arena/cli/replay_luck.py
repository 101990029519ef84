"""What the dice and the decisions of a replayed game did to the probability to win."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arena.cli.output import percent
from arena.errors import UsageError
from arena.game import Event, Transcript
from arena.rules import load_ruleset
from arena.rules.places import rules_folders

if TYPE_CHECKING:
    from arena.solver.luck import Step

SMALLEST = 0.00005
"""A decision that gives less away than this share is as good as the best one."""


def luck_of(transcript: Transcript, events: Sequence[Event]) -> tuple[Step, ...]:
    """What every event did.

    Raises:
        UsageError: it is no game of two, or its ruleset has not been solved.
    """
    if len(transcript.players) != 2:
        raise UsageError(f"--luck: for games of two, not of {len(transcript.players)}")
    from arena.solver.luck import game_steps  # takes long to import
    from arena.solver.solved import solved

    return tuple(game_steps(solved(load_ruleset(transcript.rules, rules_folders())), events))


def luck_remarks(transcript: Transcript, steps: Sequence[Step]) -> tuple[str, ...]:
    """A remark for every line that needs one; the end of a game gets the sums of both seats."""
    remarks = []
    dice, given, mover = [0.0, 0.0], [0.0, 0.0], 0
    for line, step in zip(transcript.lines, steps, strict=True):
        if line.startswith("round "):
            mover = int(line.rpartition(" ")[2]) - 1
        dice[mover] += step.luck
        given[mover] -= step.play
        if line.startswith("end: "):
            each = zip(dice, given, strict=True)
            told = (f"seat {s}: dice {_points(d)}, gave away {_points(g, 2)[1:]}"
                    for s, (d, g) in enumerate(each, start=1))  # fmt: skip
            remarks.append("; ".join(told))
        else:
            remarks.append(_remark(line, step))
    return tuple(remarks)


def _remark(line: str, step: Step) -> str:
    if line.startswith("  roll "):
        return f"{_share(step.value)}  dice {_points(step.luck)}"
    if line.startswith(("  keep ", "  re-roll ")):
        given = f"  gives away {_points(-step.play, 2)[1:]}" if step.play < -SMALLEST else ""
        return f"{_share(step.value)}{given}"
    if line.startswith("round "):
        return f"{_share(step.value)}  seat 1 wins"
    return ""


def _points(value: float, digits: int = 1) -> str:
    """Percentage points with a sign; never minus zero."""
    return f"{round(100 * value, digits) + 0.0:+.{digits}f}"


def _share(value: float) -> str:
    return f"{percent(value):>7}"


def luck_document(steps: Sequence[Step]) -> dict[str, Any]:
    """What `--json` tells of it; one entry for each line."""
    return {
        "win_probability": [step.value for step in steps],
        "luck": [step.luck for step in steps],
        "play": [step.play for step in steps],
    }

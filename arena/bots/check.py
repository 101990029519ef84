"""`arena check`: whether a bot is fit to play, one named step after the other.

Every step needs the ones before it; the first that fails ends the check. The bot is looked at and
asked in the same way as in a tournament, under the same isolation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from arena.bots.check_findings import Checked, Finding, Step, StepFailed, StepName
from arena.bots.check_steps import Check
from arena.bots.isolation import Isolation
from arena.bots.isolation_text import clean_line
from arena.bots.spec import BotSpec
from arena.rules import Ruleset

MAX_PATH: Final = 4_000


def check_bot(
    path: Path,
    rulesets: Sequence[Ruleset],
    isolation: Isolation,
    *,
    chosen: str = "",
    resolve: Callable[[], BotSpec] | None = None,
    solved: Callable[[Ruleset], bool] = lambda ruleset: False,
    played: Callable[[BotSpec, Sequence[Ruleset], int], Finding | None] = lambda *_: None,
    begun: Callable[[StepName, float], object] = lambda step, most_s: None,
    told: Callable[[Step], object] = lambda step: None,
) -> Checked:
    """Check a bot file.

    Args:
        path: the file.
        rulesets: on which the bot is asked; at least one.
        isolation: under which it runs.
        chosen: name or class of the bot that is meant, for a file with several.
        resolve: makes the bot with other parameters than its defaults.
        solved: whether a ruleset is solved, for a bot that plays no others.
        played: plays whole games of the bot with itself, on these rulesets for so many players;
            what was wrong with them.
        begun: is called before every step, with the seconds that it may take at the most.
        told: is called after every step.

    Raises:
        RunError: no process can be started.
    """
    check = Check(path, rulesets, isolation, chosen, resolve, solved, played)
    steps: list[Step] = []
    try:
        for name, take in check.steps():
            begun(name, check.most_s(name))
            try:
                step = Step(name=name, told=take())
            except StepFailed as failed:
                step = Step(name=name, finding=failed.finding)
            steps.append(step)
            told(step)
            if step.finding is not None:
                break
    finally:
        check.close()
    return Checked(
        path=clean_line(str(path), MAX_PATH),
        bot=check.spec,
        steps=tuple(steps),
        habits=tuple(check.habits),
    )

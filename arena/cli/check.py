"""`arena check`: find out whether a bot file is fit to play."""

from __future__ import annotations

import textwrap
from functools import partial
from pathlib import Path
from typing import Any

import click

from arena.bots.check_findings import Checked, Finding, Step
from arena.bots.discovery_spec import parse_bot
from arena.bots.isolation import Isolation
from arena.bots.loader import BotIndex, find_bots, resolve
from arena.cli.check_games import games_with_itself
from arena.cli.check_live import LiveStep
from arena.cli.options import IsolationChoice, isolation_options, json_option
from arena.cli.output import note, print_json
from arena.errors import BotError, CheckError
from arena.rules import Ruleset, load_ruleset, ruleset_files
from arena.rules.places import rules_folders

OUTPUT_LINES = 10
"""Lines of a bot's output that are shown, the last ones."""


@click.command()
@click.argument("bot", metavar="FILE[:CLASS][:PARAMETERS]")
@isolation_options()
@json_option()
def command(bot: str, isolation: IsolationChoice, as_json: bool) -> None:
    """Find out whether a bot file is fit to play.

    \b
    arena check bots/mine.py
    arena check bots/mine.py:points=500
    arena check bots/several.py:Cautious

    It takes the steps of a tournament one after the other, stops at the first that fails, and
    shows what was asked, what was answered and what to do. Habits that make a bot slow or
    unrepeatable are warned of.
    """
    checked = check_shown(bot, isolation.chosen(), quiet=as_json)
    if as_json:
        print_json(_document(checked))
    if not checked.passed:
        raise CheckError(f"{checked.path} is not fit to play: {checked.steps[-1].name}")


def check_shown(bot: str, isolation: Isolation, *, quiet: bool = False) -> Checked:
    """Check a bot and print every step as it is taken, unless `quiet`.

    Raises:
        BotError: there is no bot of that name.
    """
    from arena.bots.check import check_bot
    from arena.solver.solved import is_solved

    written = parse_bot(bot)
    index = BotIndex(bots={}, isolation=isolation)
    if not written.file:
        index = find_bots(isolation=isolation)
    spec = None if written.file else resolve(bot, index)
    path = Path(written.file or (spec.path if spec else ""))
    if not path.exists():
        raise BotError(f"{path}: there is no such file; `arena new-bot NAME` writes one")
    with LiveStep() as live:

        def told(step: Step) -> None:
            live.end()
            if not quiet:
                _print_step(step)

        checked = check_bot(
            path,
            all_rulesets(),
            isolation,
            chosen=written.name if written.file else (spec.class_name if spec else ""),
            resolve=(lambda: resolve(bot, index)) if written.values else None,
            solved=is_solved,
            played=partial(games_with_itself, isolation),
            begun=live.begin,
            told=told,
        )
    if not quiet:
        _print_rest(checked)
    return checked


def all_rulesets() -> list[Ruleset]:
    """Every ruleset that is found, the one that comes first in examples in front."""
    names = sorted(ruleset_files(rules_folders()), key=lambda name: (name != "tienduizend", name))
    return [load_ruleset(name, rules_folders()) for name in names]


def _print_step(step: Step) -> None:
    mark = "ok  " if step.finding is None else "FAIL"
    click.echo(f"  {mark}  {step.name:<20}  {step.told}".rstrip())


def _print_rest(checked: Checked) -> None:
    """Why it failed, and the warnings."""
    finding = checked.steps[-1].finding
    if finding is not None:
        click.echo("\n" + finding_text(finding))
    if checked.habits:
        number = len(checked.habits)
        note(f"\n{number} warning{'' if number == 1 else 's'}:")
        for habit in checked.habits:
            note(textwrap.indent(str(habit), "  "))
    if checked.passed and checked.bot is not None:
        click.echo(f"\n{checked.path} is fit to play.")


def finding_text(finding: Finding) -> str:
    """Why a step failed, for the author of the bot."""
    parts = [finding.what]
    for head, lines in (
        ("It was asked:", finding.position),
        ("It could have answered:", "\n".join(finding.legal)),
        ("Where:", finding.traceback),
        ("The last that it printed:", "\n".join(finding.output.splitlines()[-OUTPUT_LINES:])),
    ):
        if lines.strip():
            parts.append(f"{head}\n{textwrap.indent(lines.rstrip(), '    ')}")
    parts.append(f"What to do: {finding.fix}.")
    return "\n\n".join(parts)


def _document(checked: Checked) -> dict[str, Any]:
    finding = checked.steps[-1].finding
    return {
        "file": checked.path,
        "bot": checked.bot.name if checked.bot else None,
        "fit": checked.passed,
        "steps": [
            {"step": step.name, "passed": step.finding is None, "told": step.told}
            for step in checked.steps
        ],
        "finding": None
        if finding is None
        else {
            "what": finding.what,
            "fix": finding.fix,
            "position": finding.position,
            "legal": list(finding.legal),
            "traceback": finding.traceback,
            "output": finding.output,
        },
        "warnings": [
            {"line": habit.line, "source": habit.source, "advice": habit.advice}
            for habit in checked.habits
        ],
    }

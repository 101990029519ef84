"""`arena bots`: which bots are found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arena.bots.discovery_spec import parameter_text
from arena.bots.loader import BotIndex, BotProblem, find_bots
from arena.bots.spec import BotSpec
from arena.cli.options import IsolationChoice, isolation_options, json_option
from arena.cli.output import note, print_json, text_table
from arena.errors import BotError


@click.command()
@click.argument("sources", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE|FOLDER]...")
@isolation_options()
@json_option()
def command(sources: tuple[Path, ...], isolation: IsolationChoice, as_json: bool) -> None:
    """List the bots of files and folders, and of installed packages.

    Without an argument these are ./bots and the bots that come with arena. What keeps a bot from
    being found is told on standard error, and hides no other bot.
    """
    index = find_bots(sources, isolation=isolation.chosen())
    if as_json:
        print_json(_document(index))
    elif index.bots:
        click.echo(text_table(["bot", "parameters", "file", "idea"], _rows(index)))
    if index.problems and not as_json:
        count = len(index.problems)
        note(f"\n{count} problem{'' if count == 1 else 's'}:")
        for problem in index.problems:
            note(_problem_text(problem))
    if not index.bots:
        where = ", ".join(map(str, sources)) or "./bots"
        raise BotError(f"no bot was found in {where}")


def _rows(index: BotIndex) -> list[list[str]]:
    return [[spec.name, _parameters(spec), spec.path, spec.summary] for spec in _sorted(index)]


def _parameters(spec: BotSpec) -> str:
    return ",".join(f"{name}={parameter_text(value)}" for name, value in spec.parameters)


def _sorted(index: BotIndex) -> list[BotSpec]:
    return [index.bots[name] for name in sorted(index.bots)]


def _problem_text(problem: BotProblem) -> str:
    lines = [str(problem), *problem.traceback.splitlines()[1:-1]]
    if problem.output:
        lines += ["it printed:", *(f"  {line}" for line in problem.output.splitlines()[-10:])]
    return "\n    ".join(lines)


def _document(index: BotIndex) -> dict[str, Any]:
    return {
        "bots": [
            {
                "bot": spec.name,
                "class": spec.class_name,
                "file": spec.path,
                "parameters": dict(spec.parameters),
                "remembers": spec.remembers,
                "summary": spec.summary,
                "source_hash": spec.source_hash,
            }
            for spec in _sorted(index)
        ],
        "problems": [
            {
                "file": problem.path,
                "message": problem.message,
                "traceback": problem.traceback,
                "output": problem.output,
            }
            for problem in index.problems
        ],
    }

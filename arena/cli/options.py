"""Options that several commands share, and what they mean."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from arena.bots.isolation import Isolation, Level, choose_isolation
from arena.cli.output import note
from arena.errors import UsageError
from arena.tournament import EngineName, default_engine

Command = TypeVar("Command", bound=Callable[..., Any])

DEFAULT_SEED = 1


def workers_option(default: int | None = 0) -> Callable[[Command], Command]:
    """`--workers N`."""
    return click.option(
        "--workers",
        type=click.IntRange(min=0),
        default=default,
        metavar="N",
        help="Processes that play; 0 for one on each core.",
    )


def engine_option() -> Callable[[Command], Command]:
    """`--engine NAME`."""
    return click.option(
        "--engine",
        type=click.Choice([each.value for each in EngineName]),
        default=None,
        help="Which of the two equal engines plays; the fastest by default.",
    )


def json_option() -> Callable[[Command], Command]:
    """`--json`."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Print one JSON document and nothing else."
    )


def bots_option() -> Callable[[Command], Command]:
    """`--bots SOURCE`, repeatable."""
    return click.option(
        "--bots",
        "sources",
        type=click.Path(path_type=Path),
        multiple=True,
        metavar="SOURCE",
        help="A bot file or a folder of bot files, instead of ./bots; may be given again.",
    )


def quiet_option() -> Callable[[Command], Command]:
    """`--quiet`."""
    return click.option("--quiet", is_flag=True, help="Show no progress.")


def isolation_options() -> Callable[[Command], Command]:
    """`--isolation LEVEL` and `--trust`."""

    def both(command: Command) -> Command:
        trust = click.option(
            "--trust",
            is_flag=True,
            help="Run bots in this process, for debugging your own; the same as --isolation none.",
        )
        level = click.option(
            "--isolation",
            type=click.Choice([each.value for each in Level]),
            default=None,
            help="How far bots are kept apart from this machine; strict if bubblewrap is there, "
            "else limits.",
        )
        return level(trust(command))

    return both


def isolation_of(level: str | None, trust: bool) -> Isolation:
    """What `--isolation` and `--trust` mean; says so where less than strict is to be had.

    Raises:
        UsageError: both are given, or the level cannot be had.
    """
    if trust and level not in (None, Level.NONE):
        raise UsageError(f"--trust means --isolation none, not --isolation {level}; give one")
    wanted = Level.NONE if trust else None if level is None else Level(level)
    isolation = choose_isolation(wanted)
    if isolation.note:
        note(isolation.note)
    return isolation


def worker_count(workers: int) -> int:
    """The number of processes that `--workers` means."""
    if workers:
        return workers
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def engine_of(name: str | None) -> EngineName:
    """The engine that `--engine` means.

    Raises:
        UsageError: there is no such engine.
    """
    if name is None:
        return default_engine()
    try:
        return EngineName(name)
    except ValueError:
        known = ", ".join(each.value for each in EngineName)
        raise UsageError(f"there is no engine {name!r}; known: {known}") from None

"""Options that several commands share, and what they mean."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from arena.bots.isolation import Isolation, Level, choose_isolation
from arena.bots.isolation_limits import LimitChange, Limits, limit_change, with_changes
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


def out_option(meaning: str) -> Callable[[Command], Command]:
    """`--out FOLDER`, where results and reports are kept."""
    return click.option(
        "--out",
        type=click.Path(path_type=Path),
        default=Path("reports"),
        show_default=True,
        metavar="FOLDER",
        help=meaning,
    )


def quiet_option() -> Callable[[Command], Command]:
    """`--quiet`."""
    return click.option("--quiet", is_flag=True, help="Show no progress.")


def solve_option() -> Callable[[Command], Command]:
    """`--solve`."""
    return click.option(
        "--solve", is_flag=True, help="Compute perfect play first where the bot perfect needs it."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class IsolationChoice:
    """What a user said about how bots are run.

    Attributes:
        level: None for the best that is to be had.
        changes: limits that shall not be the usual ones.
    """

    level: Level | None = None
    changes: tuple[LimitChange, ...] = ()

    def chosen(self) -> Isolation:
        """The isolation; says so where less than strict is to be had.

        Raises:
            UsageError: the level cannot be had.
        """
        isolation = choose_isolation(self.level, with_changes(Limits(), self.changes))
        if isolation.note:
            note(isolation.note)
        return isolation

    @property
    def words(self) -> list[str]:
        """The words of a command line that say the same."""
        level = [] if self.level is None else ["--isolation", self.level.value]
        limits = [["--limit", f"{name}={value:g}"] for name, value in self.changes]
        return [*level, *(word for pair in limits for word in pair)]


def isolation_options() -> Callable[[Command], Command]:
    """`--isolation LEVEL`, `--trust` and `--limit NAME=VALUE`, as one `isolation: IsolationChoice`.

    Raises:
        UsageError: they contradict each other, or a limit is not allowed.
    """

    def all_three(command: Command) -> Command:
        @wraps(command)
        def with_choice(
            *args: Any, isolation: str | None, trust: bool, limits: tuple[str, ...], **rest: Any
        ) -> Any:
            return command(*args, isolation=_choice(isolation, trust, limits), **rest)

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
        limit = click.option(
            "--limit",
            "limits",
            multiple=True,
            metavar="NAME=VALUE",
            help="What a bot's process may use, as in [limits] of a tournament file (see `arena "
            "run --keys`), for example memory_mib=512; may be given again.",
        )
        return level(trust(limit(with_choice)))  # type: ignore[return-value]  # a click command is called by its options only

    return all_three


def _choice(level: str | None, trust: bool, limits: tuple[str, ...]) -> IsolationChoice:
    if trust and level not in (None, Level.NONE):
        raise UsageError(f"--trust means --isolation none, not --isolation {level}; give one")
    wanted = Level.NONE if trust else None if level is None else Level(level)
    if limits and wanted is Level.NONE:
        raise UsageError("--limit does not go with --trust: bots of this process have no limits")
    return IsolationChoice(level=wanted, changes=tuple(map(limit_change, limits)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputingChoice:
    """What a user said about bots that are asked, and about what is shown meanwhile.

    Attributes:
        sources: bot files and folders of them; empty for the usual ones.
    """

    sources: tuple[Path, ...]
    isolation: IsolationChoice
    quiet: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayingChoice(ComputingChoice):
    """What a user said about how games are played.

    Attributes:
        workers: 0 for one on each core.
        engine: None for the fastest.
        solve: whether to compute perfect play first where a bot needs it.
    """

    workers: int
    engine: str | None
    solve: bool

    @property
    def worker_count(self) -> int:
        """Processes that play."""
        return worker_count(self.workers)

    @property
    def engine_name(self) -> EngineName:
        """The engine that plays."""
        return engine_of(self.engine)


def rules_option(*, required: bool = True) -> Callable[[Command], Command]:
    """`--rules R`, which must be given; where it is not `required`, the command says so itself."""
    return click.option(
        "--rules", required=required, metavar="R", help="Ruleset, as NAME:key=value,..."
    )


def computing_options() -> Callable[[Command], Command]:
    """`--bots`, those of isolation and `--quiet`, as one `how: ComputingChoice`."""
    return _as_one(ComputingChoice, bots_option(), isolation_options(), quiet_option())


def playing_options() -> Callable[[Command], Command]:
    """`--workers`, `--bots`, `--engine`, those of isolation, `--solve` and `--quiet`, as a
    PlayingChoice."""
    return _as_one(
        PlayingChoice,
        workers_option(),
        bots_option(),
        engine_option(),
        isolation_options(),
        solve_option(),
        quiet_option(),
    )


def _as_one(
    kind: type[ComputingChoice], *options: Callable[[Any], Any]
) -> Callable[[Command], Command]:
    """Options whose values reach the command as one value `how`."""
    names = [field.name for field in fields(kind)]

    def together(command: Command) -> Command:
        @wraps(command)
        def with_all(**given: Any) -> Any:
            how = kind(**{name: given.pop(name) for name in names})
            return command(how=how, **given)

        found: Any = with_all
        for option in reversed(options):
            found = option(found)
        return cast(Command, found)  # click calls commands by the names of their options only

    return together


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

"""`arena run`: a tournament from a TOML file to its report."""

from __future__ import annotations

import logging
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.bots.discovery_source import source_of
from arena.bots.isolation import Isolation
from arena.bots.spec import BotSpec
from arena.cli.alike import pairs_alike
from arena.cli.options import (
    IsolationChoice,
    engine_of,
    engine_option,
    isolation_options,
    json_option,
    out_option,
    quiet_option,
    solve_option,
    worker_count,
    workers_option,
)
from arena.cli.output import count, note
from arena.cli.playing import play_shown
from arena.cli.preflight import prepare_bots
from arena.cli.standings import print_standings
from arena.errors import BotError, RunError
from arena.store import RunInfo, Store
from arena.tournament import Tournament, TournamentConfig, explained_keys, read_config, run_log

if TYPE_CHECKING:
    from arena.report import ReportData
    from arena.tournament import Progress, Rounds

RESULTS = "results.sqlite"
LOG = "arena.log"
PAGE = "index.html"

_log = logging.getLogger("arena.run")


def _show_keys(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(explained_keys())
        context.exit()


@click.command()
@click.option(
    "--keys",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_keys,
    help="List the keys of a tournament file.",
)
@click.argument("config", type=click.Path(path_type=Path))
@out_option("Results and report go to a folder in it that is named like CONFIG.")
@workers_option(default=None)
@click.option("--seed", type=int, default=None, help="Instead of the file's.")
@click.option(
    "--blocks", type=click.IntRange(min=1), default=None, help="Of each match, not the file's."
)
@engine_option()
@isolation_options()
@solve_option()
@quiet_option()
@json_option()
def command(
    config: Path,
    out: Path,
    workers: int | None,
    seed: int | None,
    blocks: int | None,
    engine: str | None,
    isolation: IsolationChoice,
    solve: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Run a tournament from a TOML file and write its report.

    What was finished before is kept and not played again: the same command goes on after a stop,
    a new bot plays only its own matches, more blocks play only the rest.
    """
    apart = isolation.chosen()
    tournament = read_config(config, apart, isolation.changes)
    apart = replace(apart, limits=tournament.limits)
    changes = {"workers": workers, "seed": seed, "blocks": blocks}
    tournament = replace(tournament, **{k: v for k, v in changes.items() if v is not None})  # type: ignore[arg-type]  # each has the type of its field
    if engine is not None:
        tournament = replace(tournament, engine=engine_of(engine))
    for problem in tournament.problems:
        note(f"left out: {problem}")
    for one, other in pairs_alike(spec.name for spec in tournament.bots):
        note(f"{one} and {other} look alike, but are different names")
    prepare_bots(
        tournament.bots,
        tournament.rulesets,
        seats=tournament.players,
        workers=tournament.workers,
        quiet=quiet,
        solve=solve,
    )
    folder = out / config.stem
    with Store.write(folder / RESULTS) as store, run_log(folder / LOG):
        words = {"--seed": seed, "--blocks": blocks}
        again = shlex.join([*_words(config, out, words), *isolation.words])
        played = play_tournament(tournament, store, again, apart, quiet=quiet)
        if played.stopped:
            note(f"Go on:             {again}")
            note(f"Report as it is:   arena report {shlex.quote(str(folder))}")
            raise click.exceptions.Exit(130)
        if played.lost is not None and not any(each.stats.blocks for each in store.matches()):
            raise played.lost
        _write_report(tournament, store, folder, asked=played.games_asked, as_json=as_json)
    if played.lost is not None:
        raise played.lost


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """How the playing of a tournament ended.

    Attributes:
        stopped: whether the user stopped it.
        lost: what could not be finished.
        games_asked: of all its matches, those that were there before included.
    """

    stopped: bool
    lost: RunError | None
    games_asked: int


def play_tournament(
    tournament: TournamentConfig,
    store: Store,
    again: str,
    isolation: Isolation,
    *,
    quiet: bool,
    order: Callable[[Rounds], Rounds] = iter,
) -> Played:
    """Play what is missing.

    Args:
        tournament: what is to be played.
        store: gets the results.
        again: the command that plays the same, or goes on.
        isolation: under which bots run.
        quiet: show no progress.
        order: may change the order of matches within a round.
    """
    course = Tournament(tournament, store)
    info = _run_info(tournament, again, isolation)
    run = store.begin_run(info)
    for spec in tournament.bots:
        store.add_bot(spec, _source(spec))
    _log.info("run %d: %s: %d workers", run, again, info.workers)
    lost, stopped = None, False
    asked: dict[str, int] = {}
    try:
        progress = play_shown(
            _noted(order(course.rounds()), store, run, asked),
            store,
            engine=tournament.engine or engine_of(None),
            workers=info.workers,
            chunk_blocks=tournament.chunk_blocks,
            isolation=isolation,
            quiet=quiet,
            meanwhile=_import_report,
        )
    except RunError as error:
        lost = error
        _log.error("%s", error)
    else:
        _tell_end(progress, sum(asked.values()))
        stopped = progress.games < progress.games_total
        if not stopped:
            store.finish_run(run, _now(), course.courses)
    return Played(stopped=stopped, lost=lost, games_asked=sum(asked.values()))


def _noted(rounds: Rounds, store: Store, run: int, asked: dict[str, int]) -> Rounds:
    """The rounds, each written down before it is played; `asked` gets the games of each match."""
    for each in rounds:
        for one in each.planned:
            games = one.blocks * one.match.rotations
            asked[one.match.id] = max(asked.get(one.match.id, 0), games)
        store.add_matches(run, [(planned.match, planned.ruleset) for planned in each.planned])
        _log.info("run %d: %d matches, %s", run, len(each.planned), each.told or "all at once")
        yield each


def _tell_end(progress: Progress, asked: int) -> None:
    """What was played; of matches that have more games than `asked`, those are told apart."""
    done = f"{count(progress.games)} of {count(progress.games_total)} games"
    if progress.games < progress.games_total:
        _log.info("stopped after %s", done)
        note(f"Stopped after {done}; they are kept.")
        return
    _log.info("finished: %s, %d of them now", done, progress.games_new)
    if not progress.games_new:
        note(f"All {count(asked)} games were there already.")
    else:
        speed = progress.games_new / max(progress.seconds, 1e-9)
        note(
            f"{count(progress.games_new)} games in {progress.seconds:.1f} s, "
            f"{speed:,.0f} games a second"
        )


def _write_report(
    tournament: TournamentConfig, store: Store, folder: Path, *, asked: int, as_json: bool
) -> None:
    from arena.report.tables import report_json

    report = stored_report(tournament, store, folder)
    if report.games > asked:
        note(
            f"{count(asked)} games were asked for; {folder / RESULTS} holds {count(report.games)}, "
            "those of earlier runs included, and all of them count."
        )
    if as_json:
        click.echo(report_json(report))
    else:
        print_standings(report)
        click.echo(f"\nReport: {folder / PAGE}")


def stored_report(tournament: TournamentConfig, store: Store, folder: Path) -> ReportData:
    """Write the report of all that is stored; its numbers."""
    from arena.report import read_store, report_data, write_data

    report = report_data(read_store(store), title=tournament.title)
    write_data(report, folder)
    return report


def _import_report() -> None:
    import arena.report  # noqa: F401 - takes long to import; better now than afterwards


def _source(spec: BotSpec) -> str:
    """The source text of a bot, and of the modules beside it that it imports.

    Raises:
        BotError: the file has changed since it was found.
    """
    path = Path(spec.path)
    try:
        source = source_of(path)
    except OSError as error:
        raise BotError(f"{path}: cannot be read: {error.strerror or error}") from None
    if source.hash != spec.source_hash:
        raise BotError(f"{path}: has changed since it was found; start again")
    texts = [source.content.decode(errors="replace")]
    for helper in source.files[1:]:
        texts.append(f"\n# ---- {helper.name} ----\n{helper.read_text(errors='replace')}")
    return "".join(texts)


def _words(config: Path, out: Path, options: Mapping[str, int | None]) -> list[str]:
    """The words of the command line that plays the same, or goes on."""
    words: list[str] = ["arena", "run", str(config)]
    if out != Path("reports"):
        words += ["--out", str(out)]
    for option, value in options.items():
        if value is not None:
            words += [option, str(value)]
    return words


def _run_info(tournament: TournamentConfig, again: str, isolation: Isolation) -> RunInfo:
    import os
    import platform
    from importlib.metadata import version

    return RunInfo(
        config=tournament.text,
        config_path=tournament.path,
        command=again,
        settings=(*tournament.settings, *_isolation_settings(isolation)),
        version=version("arena-10000"),
        python=f"{platform.python_implementation()} {platform.python_version()}",
        platform=platform.platform(),
        cpus=os.cpu_count() or 1,
        workers=worker_count(tournament.workers),
        started=_now(),
    )


def _isolation_settings(isolation: Isolation) -> Iterator[tuple[str, str]]:
    yield "isolation", isolation.level.value
    if isolation.limits_text:
        yield "limits", isolation.limits_text


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

"""`arena submit`: check a bot file and place it in a league."""

from __future__ import annotations

import shlex
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from arena.bots.isolation import Isolation
from arena.bots.loader import find_bots
from arena.bots.spec import BotSpec
from arena.cli.check import check_shown
from arena.cli.league import LeagueFolder, Placing
from arena.cli.options import (
    IsolationChoice,
    isolation_options,
    json_option,
    out_option,
    quiet_option,
    workers_option,
)
from arena.cli.output import count, note, print_json
from arena.cli.place import place_document, place_text
from arena.cli.preflight import prepare_bots, refuse_seats
from arena.cli.run import LOG, RESULTS, play_tournament, stored_report
from arena.errors import CheckError, UsageError
from arena.store import Store
from arena.tournament import TournamentConfig, read_config, run_log, schedule
from arena.tournament.formats import ALL_AT_ONCE

if TYPE_CHECKING:
    from arena.report import ReportData
    from arena.tournament import Rounds

LEAGUE: Final = Path("configs") / "league.toml"
"""The usual league."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--league",
    "config",
    type=click.Path(path_type=Path),
    default=LEAGUE,
    show_default=True,
    metavar="CONFIG",
    help="Tournament file of the league.",
)
@click.option("--author", default=None, metavar="NAME", help="Whose bot it is; you by default.")
@click.option("--dry-run", is_flag=True, help="Check, and say what would be done; change nothing.")
@out_option("Where the results and the report of the league are.")
@workers_option(default=None)
@isolation_options()
@quiet_option()
@json_option()
def command(
    file: Path,
    config: Path,
    author: str | None,
    dry_run: bool,
    out: Path,
    workers: int | None,
    isolation: IsolationChoice,
    quiet: bool,
    as_json: bool,
) -> None:
    """Check a bot file and place it in a league.

    \b
    arena submit bots/mine.py --dry-run
    arena submit ~/mine.py --league configs/league.toml

    The file is copied into the league's bots under its name and the hash of its content, plays the
    matches that are missing, and its place is shown. A file that lies there already is entered
    under your name where it is. A new version takes the place of the one that you submitted before,
    whose results stay in the report. Nobody's bot is ever overwritten.
    """
    apart = isolation.chosen()
    league = read_config(config, apart, isolation.changes)
    apart = replace(apart, limits=league.limits)
    checked = check_shown(str(file), apart, quiet=as_json)
    if not checked.passed or checked.bot is None:
        raise CheckError(f"{file} is not fit to play, so it was not submitted")
    spec = checked.bot
    refuse_seats([spec], league.players)
    named = () if config == LEAGUE else ("--league", str(config))
    folder = LeagueFolder(_folder(league, config), named)
    index = find_bots([config.parent / each for each in league.bot_sources], isolation=apart)
    placing = folder.placing(spec, author, index, _now())
    if dry_run:
        _tell_plan(_with_submitted(league, spec, folder.submitted(index)), spec, placing)
        _tell_others(league, folder, spec)
        return
    folder.place(spec, placing)
    note(_where(placing, now=True))
    league = _with(read_config(config, apart, isolation.changes), spec, placing, config)
    league = _with_submitted(league, spec, folder.submitted(index))
    _tell_others(league, folder, spec)
    if workers is not None:
        league = replace(league, workers=workers)
    again = _again(file, config, out, isolation)
    report = _play(league, spec, out / config.stem, again, apart, quiet=quiet)
    place = place_document(report, spec, out / config.stem)
    if as_json:
        print_json(place)
    else:
        click.echo(place_text(report.title, place))


def _folder(league: TournamentConfig, config: Path) -> Path:
    """Where the league's bots lie.

    Raises:
        UsageError: the league looks at single files only.
    """
    if not league.bot_sources:
        return Path("bots")
    for source in league.bot_sources:
        if not source.endswith(".py"):
            return config.parent / source
    raise UsageError(
        f"{config}: bot_sources names files only; a league needs a folder that bots are copied to"
    )


def _with_submitted(
    league: TournamentConfig, spec: BotSpec, submitted: Sequence[BotSpec]
) -> TournamentConfig:
    """The league with the bots that were submitted before, where it does not list them."""
    known = {each.key for each in league.bots}
    more = [each for each in submitted if each.key not in known and each.name != spec.name]
    return replace(league, bots=(*league.bots, *more))


def _with(
    league: TournamentConfig, spec: BotSpec, placing: Placing, config: Path
) -> TournamentConfig:
    """The league with the new bot in it."""
    if spec.key in {each.key for each in league.bots}:
        return league
    note(
        f"{config} does not list {spec.name!r} among its bots; it plays now, also against those "
        'that were submitted, but `arena run` will not know it unless bots = "all" or it is added '
        "there"
    )
    return replace(league, bots=(*league.bots, replace(spec, path=str(placing.path))))


def _tell_plan(league: TournamentConfig, spec: BotSpec, placing: Placing) -> None:
    """What a submission would do."""
    others = tuple(each for each in league.bots if each.name != spec.name)
    planned = schedule(replace(league, bots=(*others, spec)))
    mine = [each for each in planned if spec.key in each.match.bot_keys]
    games = sum(each.blocks * each.match.rotations for each in mine)
    click.echo(
        f"\n{_where(placing, now=False)}\n"
        f"It would play up to {count(len(mine))} matches ({count(games)} games) against "
        f"{count(len(others))} bots. Nothing was changed."
    )


def _where(placing: Placing, *, now: bool) -> str:
    """Where a submitted bot lies, and under whose name."""
    by = f" under the name {placing.entry.author}" if placing.entry and placing.entered else ""
    if placing.copied:
        text = f"It {'was' if now else 'would be'} copied to {placing.path}{by}"
    else:
        text = f"It lies in the league's folder already, and plays from there: {placing.path}"
        if by:
            text += f"; it {'is' if now else 'would be'} entered{by}"
    if placing.replaces is not None:
        before = placing.replaces.source_hash[:8]
        text += f", in the place of your version {before}, whose results stay"
    return text + "."


def _tell_others(league: TournamentConfig, folder: LeagueFolder, spec: BotSpec) -> None:
    """Which bots play that nobody meant to, maybe; only where all that are found do."""
    for problem in league.problems:
        note(f"left out: {problem}")
    if tomllib.loads(league.text).get("bots") != "all":
        return
    found = [each for each in folder.never_submitted(league.bots) if each.name != spec.name]
    if not found:
        return
    names = ", ".join(f"{each.name} ({Path(each.path).name})" for each in found)
    one = len(found) == 1
    note(
        f"{len(found)} bot{' plays that was' if one else 's play that were'} never submitted, "
        f"because {'it lies' if one else 'they lie'} in {folder.folder}: {names}. Submit "
        f"{'it' if one else 'them'}; or, to leave a draft out, move it elsewhere or put _ in front "
        "of its file's name."
    )


def _play(
    league: TournamentConfig,
    spec: BotSpec,
    folder: Path,
    again: str,
    isolation: Isolation,
    *,
    quiet: bool,
) -> ReportData:
    """Play what is missing, the matches of the new bot first."""

    def first(rounds: Rounds) -> Rounds:
        return _new_first(rounds, spec)

    prepare_bots(
        league.bots,
        league.rulesets,
        seats=league.players,
        workers=league.workers,
        quiet=quiet,
        solve=False,
    )
    with Store.write(folder / RESULTS) as store, run_log(folder / LOG):
        _tell_amount(league, spec, store)
        played = play_tournament(league, store, again, isolation, quiet=quiet, order=first)
        if played.stopped:
            note(f"Go on:             {again}")
            raise click.exceptions.Exit(130)
        report = stored_report(league, store, folder)
    if played.lost is not None:
        raise played.lost
    return report


def _tell_amount(league: TournamentConfig, spec: BotSpec, store: Store) -> None:
    """How much will be played, where that is known beforehand."""
    if league.stopping is not None or league.format not in ALL_AT_ONCE:
        return
    mine, others, planned_others = Counter[str](), Counter[str](), 0
    for each in schedule(league):
        own = spec.key in each.match.bot_keys
        planned_others += not own
        there = sum(blocks for _, blocks in store.finished(each.match.id))
        if there < each.blocks:
            (mine if own else others).update(
                matches=1, games=(each.blocks - there) * each.match.rotations
            )
    if not mine and not others:
        return
    yours = f"{_matches(mine)} of yours ({count(mine['games'])} games)"
    if not others:
        note(f"To be played: {yours}.")
        return
    new = "This league has not been played yet" if others["matches"] == planned_others else ""
    note(
        f"{new or 'To be played'}: {_matches(others)} of others "
        f"({count(others['games'])} games), {yours}; yours are played first."
    )


def _matches(amount: Counter[str]) -> str:
    return f"{count(amount['matches'])} match{'' if amount['matches'] == 1 else 'es'}"


def _new_first(rounds: Rounds, spec: BotSpec) -> Rounds:
    for each in rounds:
        mine = [one for one in each.planned if spec.key in one.match.bot_keys]
        rest = [one for one in each.planned if spec.key not in one.match.bot_keys]
        yield replace(each, planned=(*mine, *rest))


def _again(file: Path, config: Path, out: Path, isolation: IsolationChoice) -> str:
    words = ["arena", "submit", str(file), "--league", str(config)]
    if out != Path("reports"):
        words += ["--out", str(out)]
    return shlex.join([*words, *isolation.words])


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

"""`arena rate`: ratings from a table of results that somebody else played."""

from __future__ import annotations

import math
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from arena.cli.options import json_option
from arena.cli.output import count, elo_text, note, print_json, rank_text, text_table
from arena.cli.results_table import COLUMNS, ResultsTable, read_results_table
from arena.errors import Mistake, ResultsError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arena.stats import DrawModel, SeatTerm, Standings

MOST_ELO: Final = 1e6


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--anchor",
    "anchors",
    multiple=True,
    metavar="BOT=ELO",
    help="Hold a bot at this rating; may be given again.",
)
@click.option(
    "--draws",
    type=click.Choice(["half", "davidson", "rao-kupper"]),
    default="half",
    show_default=True,
    help="How draws count: as half a win, or by a model with a parameter of its own.",
)
@json_option()
def command(file: Path, anchors: tuple[str, ...], draws: DrawModel, as_json: bool) -> None:
    """Rate players from a table of results.

    FILE is a CSV file with the columns first,second,wins,draws,losses: `first` moves first, and
    the counts are from its view; rows of the same two add up; - reads standard input. All games are
    fitted together (Bradley-Terry, with a term for the first seat); the ratings sum to zero unless
    a bot is anchored. A rank such as 2-4 says that the games do not tell the ranks apart. Players
    that never met, not even through others, are rated in groups, each by itself.

    \b
    arena rate results.csv
    arena rate results.csv --anchor hold=0 --draws davidson
    """
    table = read_results_table(file)
    fixed = _anchors(anchors, table)
    groups = _groups(table, fixed, draws)
    for group in groups:
        for warning in group.standings.warnings:
            note(f"note: {group.said}{warning}")
    if as_json:
        print_json(_document(groups))
        return
    _print_ratings(groups)
    for group in groups:
        seat = group.standings.seat
        if _seat_is_known(seat):
            interval = f"{elo_text(seat.low)} to {elo_text(seat.high)}"
            click.echo(f"\n{group.said}moving first: {elo_text(seat.elo)} Elo ({interval})")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Group:
    """Bots that met, if only through others, and their ratings.

    Attributes:
        number: from 1; 0 where all bots are in one group.
        table: their results.
        fixed: ratings that are given, by index in this table.
        standings: their ratings.
    """

    number: int
    table: ResultsTable
    fixed: Mapping[int, float]
    standings: Standings

    @property
    def said(self) -> str:
        """What stands before a sentence about this group."""
        return f"group {self.number}: " if self.number else ""


def _groups(table: ResultsTable, fixed: Mapping[int, float], draws: DrawModel) -> list[_Group]:
    """All bots, or each group of them that never met the others, rated by itself."""
    standings = _fit(table, fixed, draws)
    if standings.connection.connected or not standings.games.any():
        return [_Group(number=0, table=table, fixed=fixed, standings=standings)]
    of_bot = standings.connection.groups.tolist()
    alone = [bot for bot, games in zip(table.bots, standings.games, strict=True) if not games]
    if alone:
        note(f"note: without games, so without a rating: {', '.join(alone)}")
    members_of = [
        [place for place, group in enumerate(of_bot) if group == number]
        for number in dict.fromkeys(of_bot)
    ]
    members_of = [members for members in members_of if standings.games[members].any()]
    apart = len(members_of) > 1
    if apart:
        note(f"note: these are {len(members_of)} groups that never met; each is rated by itself")
    groups = []
    for number, members in enumerate(members_of, start=1):
        part = table.only(members)
        own = {members.index(place): elo for place, elo in fixed.items() if place in members}
        fit = _fit(part, own, draws)
        groups.append(_Group(number=apart * number, table=part, fixed=own, standings=fit))
    return groups


def _anchors(texts: Sequence[str], table: ResultsTable) -> dict[int, float]:
    """Ratings that are given, by index of the bot.

    Raises:
        UsageError: an anchor is no BOT=ELO, or names a bot that is not in the table.
    """
    fixed: dict[int, float] = {}
    for text in texts:
        bot, equals, value = text.rpartition("=")
        try:
            elo = float(value)
        except ValueError:
            elo = math.nan
        if not (bot and equals and abs(elo) <= MOST_ELO):
            raise UsageError(
                f"--anchor {text}: give BOT=ELO, a number from -{MOST_ELO:g} to {MOST_ELO:g}"
            )
        if bot not in table.bots:
            near = get_close_matches(bot, table.bots, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise UsageError(f"--anchor {text}: there is no {bot!r} in {table.source}{hint}")
        place = table.bots.index(bot)
        if fixed.setdefault(place, elo) != elo:
            raise UsageError(f"--anchor {text}: {bot} is anchored at {fixed[place]:g} already")
    return fixed


def _print_ratings(groups: Sequence[_Group]) -> None:
    """The ratings as a table, group after group."""
    from arena.stats import ranks

    rows = []
    for group in groups:
        standings = group.standings
        rank = ranks(standings)
        for place in _best_first(standings):
            low, high = float(standings.low[place]), float(standings.high[place])
            cells = [
                rank_text(int(rank.low[place]), int(rank.high[place])),
                group.table.bots[place],
                elo_text(float(standings.ratings[place])) + _bound(standings, place),
                "anchored" if place in group.fixed else f"{elo_text(low)} to {elo_text(high)}",
                count(int(standings.games[place])),
            ]
            rows.append([*cells, *([str(group.number)] if group.number else [])])
    apart = ["group"] if groups[0].number else []
    click.echo(text_table(["rank", "bot", "Elo", "95 % interval", "games", *apart], rows))


def _best_first(standings: Standings) -> list[int]:
    return sorted(range(len(standings.ratings)), key=lambda place: -float(standings.ratings[place]))


def _fit(table: ResultsTable, fixed: Mapping[int, float], draws: DrawModel) -> Standings:
    from arena.stats import StatsError, fit_bradley_terry, results_from_crosstable  # takes long

    columns = {name: getattr(table, name) for name in COLUMNS}
    try:
        results = results_from_crosstable(bots=len(table.bots), **columns)
        return fit_bradley_terry(results, anchors=fixed, draws=draws)
    except StatsError as error:
        raise ResultsError(
            [Mistake(where=table.source, key="", value="", allowed=str(error))]
        ) from None


def _bound(standings: Standings, place: int) -> str:
    from arena.stats import Bound

    return {Bound.ABOVE: " or more", Bound.BELOW: " or less"}.get(standings.bounds[place], "")


def _seat_is_known(seat: SeatTerm) -> bool:
    from arena.stats import SeatStatus

    return seat.status in (SeatStatus.FINITE, SeatStatus.UNBOUNDED)


def _document(groups: Sequence[_Group]) -> dict[str, Any]:
    """The document of `arena rate --json`, best bot first, group after group.

    A seat term that is unknown, or one for each group, is null.
    """
    ratings = [
        {
            "bot": group.table.bots[place],
            "elo": float(group.standings.ratings[place]),
            "elo_low": float(group.standings.low[place]),
            "elo_high": float(group.standings.high[place]),
            "games": int(group.standings.games[place]),
            **({"group": group.number} if group.number else {}),
        }
        for group in groups
        for place in _best_first(group.standings)
    ]
    seat = groups[0].standings.seat
    known = len(groups) == 1 and _seat_is_known(seat)
    return {"ratings": ratings, "seat_advantage": seat.elo if known else None}

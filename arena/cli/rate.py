"""`arena rate`: ratings from a table of results that somebody else played."""

from __future__ import annotations

import math
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

    from arena.stats import DrawModel, Standings

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
    a bot is anchored. A rank such as 2-4 says that the games do not tell the ranks apart.

    \b
    arena rate results.csv
    arena rate results.csv --anchor hold=0 --draws davidson
    """
    table = read_results_table(file)
    fixed = _anchors(anchors, table)
    standings = _fit(table, fixed, draws)
    for warning in standings.warnings:
        note(f"note: {warning}")
    document = _document(table, standings)
    if as_json:
        print_json(document)
        return
    _print_ratings(table, standings, fixed, document)
    if document["seat_advantage"] is not None:
        seat = standings.seat
        interval = f"{elo_text(seat.low)} to {elo_text(seat.high)}"
        click.echo(f"\nmoving first: {elo_text(seat.elo)} Elo ({interval})")


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


def _print_ratings(
    table: ResultsTable,
    standings: Standings,
    fixed: Mapping[int, float],
    document: dict[str, Any],
) -> None:
    """The ratings as a table; bots that never met, even through others, in different groups."""
    from arena.stats import ranks

    index = {bot: place for place, bot in enumerate(table.bots)}
    rank = ranks(standings)
    apart = not standings.connection.connected
    rows = []
    for row in document["ratings"]:
        place = index[row["bot"]]
        interval = f"{elo_text(row['elo_low'])} to {elo_text(row['elo_high'])}"
        cells = [
            rank_text(int(rank.low[place]), int(rank.high[place])),
            row["bot"],
            elo_text(row["elo"]) + _bound(standings, place),
            "anchored" if place in fixed else interval,
            count(row["games"]),
        ]
        group = [str(int(standings.connection.groups[place]) + 1)] if apart else []
        rows.append([*cells, *group])
    head = ["rank", "bot", "Elo", "95 % interval", "games", *(["group"] if apart else [])]
    click.echo(text_table(head, rows))


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


def _document(table: ResultsTable, standings: Standings) -> dict[str, Any]:
    """The document of `arena rate --json`, best bot first; a seat term that is unknown is null."""
    from arena.stats import SeatStatus

    known = standings.seat.status in (SeatStatus.FINITE, SeatStatus.UNBOUNDED)
    ratings = [
        {
            "bot": bot,
            "elo": float(standings.ratings[i]),
            "elo_low": float(standings.low[i]),
            "elo_high": float(standings.high[i]),
            "games": int(standings.games[i]),
        }
        for i, bot in enumerate(table.bots)
    ]
    ratings.sort(key=lambda row: -float(str(row["elo"])))
    return {"ratings": ratings, "seat_advantage": standings.seat.elo if known else None}

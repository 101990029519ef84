"""`arena rate`: ratings from a table of results that somebody else played."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import json_option
from arena.cli.output import count, elo_text, note, print_json, text_table
from arena.cli.results_table import COLUMNS, ResultsTable, read_results_table
from arena.errors import Mistake, ResultsError

if TYPE_CHECKING:
    from arena.stats import Standings


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@json_option()
def command(file: Path, as_json: bool) -> None:
    """Rate players from a table of results.

    FILE is a CSV file with the columns first,second,wins,draws,losses: `first` moves first, and
    the counts are from its view. All games are fitted together (Bradley-Terry, with a term for the
    first seat); the ratings sum to zero.
    """
    table = read_results_table(file)
    standings = _fit(table)
    for warning in standings.warnings:
        note(f"note: {warning}")
    document = _document(table, standings)
    if as_json:
        print_json(document)
        return
    rows = [
        [
            str(rank),
            row["bot"],
            elo_text(row["elo"]) + _bound(table, standings, row["bot"]),
            f"{elo_text(row['elo_low'])} to {elo_text(row['elo_high'])}",
            count(row["games"]),
        ]
        for rank, row in enumerate(document["ratings"], start=1)
    ]
    click.echo(text_table(["rank", "bot", "Elo", "95 % interval", "games"], rows))
    if document["seat_advantage"] is not None:
        seat = standings.seat
        interval = f"{elo_text(seat.low)} to {elo_text(seat.high)}"
        click.echo(f"\nmoving first: {elo_text(seat.elo)} Elo ({interval})")


def _fit(table: ResultsTable) -> Standings:
    from arena.stats import StatsError, fit_bradley_terry, results_from_crosstable  # takes long

    columns = {name: getattr(table, name) for name in COLUMNS}
    try:
        return fit_bradley_terry(results_from_crosstable(bots=len(table.bots), **columns))
    except StatsError as error:
        raise ResultsError(
            [Mistake(where=str(table.path), key="", value="", allowed=str(error))]
        ) from None


def _bound(table: ResultsTable, standings: Standings, bot: str) -> str:
    from arena.stats import Bound

    bound = standings.bounds[table.bots.index(bot)]
    return {Bound.ABOVE: " or more", Bound.BELOW: " or less"}.get(bound, "")


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

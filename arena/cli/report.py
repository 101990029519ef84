"""`arena report`: write the report of a result file again, from nothing else."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import (
    IsolationChoice,
    isolation_options,
    quiet_option,
    worker_count,
    workers_option,
)
from arena.store import Store

RESULTS = "results.sqlite"


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=None,
    metavar="FOLDER",
    help="Where to write it; beside the result file by default.",
)
@click.option("--title", default="", help="Heading; by default the name of the tournament file.")
@click.option(
    "--blunders",
    is_flag=True,
    help="Compute first where each bot of games of two loses against perfect play.",
)
@workers_option()
@isolation_options()
@quiet_option()
def command(
    path: Path,
    out: Path | None,
    title: str,
    blunders: bool,
    workers: int,
    isolation: IsolationChoice,
    quiet: bool,
) -> None:
    """Write the report of a result file again.

    PATH is the folder of a run or the result file in it. It may still be written to by a run.

    With --blunders the table of ratings leads to a page for each bot that can be computed, on each
    ruleset that `arena solve` has solved. Pages that are there stay, and later reports link them.
    """
    from arena.report import read_store, report_data, write_data  # take long to import

    file = path / RESULTS if path.is_dir() else path
    folder = file.parent if out is None else out
    with Store.read(file) as store:
        report = report_data(read_store(store), title=title)
        if blunders:
            from arena.cli.report_blunders import write_blunder_pages

            write_blunder_pages(
                report,
                store,
                folder,
                workers=worker_count(workers),
                isolation=isolation.chosen(),
                quiet=quiet,
            )
    click.echo(f"Report: {write_data(report, folder)}")

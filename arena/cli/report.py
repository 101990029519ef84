"""`arena report`: write the report of a result file again, from nothing else."""

from __future__ import annotations

from pathlib import Path

import click

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
def command(path: Path, out: Path | None, title: str) -> None:
    """Write the report of a result file again.

    PATH is the folder of a run or the result file in it. It may still be written to by a run.
    """
    from arena.report import write_report  # takes long to import

    file = path / RESULTS if path.is_dir() else path
    with Store.read(file) as store:
        page = write_report(store, file.parent if out is None else out, title=title)
    click.echo(f"Report: {page}")

"""Writing a report into a folder: all files or none that is half."""

from __future__ import annotations

import os
from pathlib import Path

from arena.errors import ReportError
from arena.report.blunder_links import links_beside
from arena.report.collect import read_store, report_data
from arena.report.model import ReportData
from arena.report.tables import matches_csv, report_json, standings_csv
from arena.store import Store

PAGE = "index.html"


def write_report(store: Store, folder: Path, *, title: str = "") -> Path:
    """Write the report of everything in a result file.

    The folder gets `index.html`, which needs no other file, and beside it `standings.csv`,
    `matches.csv` and `report.json` with the same numbers.

    Args:
        store: the result file; nothing else is read.
        folder: is made where it is missing; files of an older report are replaced.
        title: heading; by default the name of the newest tournament file.

    Returns:
        The page.

    Raises:
        ReportError: there are no games, or the folder cannot be written.
        StoreError: the result file cannot be read.
    """
    return write_data(report_data(read_store(store), title=title), folder)


def write_data(report: ReportData, folder: Path) -> Path:
    """Write a report that is already made up; it links the pages of blunders in the folder.

    Raises:
        ReportError: the folder cannot be written.
    """
    from arena.report.render import render  # here, so that the command line starts without jinja2

    texts = {
        "standings.csv": standings_csv(report),
        "matches.csv": matches_csv(report),
        "report.json": report_json(report),
        PAGE: render(report, links_beside(folder)),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            replace_file(folder / name, text)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ReportError(
            f"{folder}: the report cannot be written there ({reason}); give a folder that you "
            "may write to, and that is no file"
        ) from error
    return folder / PAGE


def replace_file(path: Path, text: str) -> None:
    """Write a file so that a reader sees the old one or the new one, never a part."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise

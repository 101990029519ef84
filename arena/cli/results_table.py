"""Reading a CSV table of results, with all its mistakes named by line."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.errors import Mistake, ResultsError

COLUMNS: Final = ("first", "second", "wins", "draws", "losses")

REPORT_COLUMNS: Final = {"ruleset", "bot", "wins", "draws", "losses"}
"""Columns that tell the tables of a report, `matches.csv` and `standings.csv`."""

_REPORT_TABLE: Final = (
    "this is a table of a report (matches.csv or standings.csv), which was rated already: the "
    "ratings stand in standings.csv and index.html beside it, `arena report FOLDER` writes them "
    f"anew; a table to be rated has the columns {','.join(COLUMNS)}"
)

SHOWN_MISTAKES: Final = 20
"""More are only counted: a file of the wrong kind has one in every line."""

MAX_COUNT: Final = 10**15 - 1
"""No cell holds more games; sums of such cells still fit."""

LONGEST_NAME: Final = 200

STANDARD_INPUT: Final = Path("-")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ResultsTable:
    """Results of n bots in r rows.

    Attributes:
        source: what it was read from, in words.
        bots: names, in the order in which they first stand in the file.
        first, second: int64[r], index of the bot that moves first, and of the other.
        wins, draws, losses: int64[r], counts from the first bot's view.
    """

    source: str
    bots: tuple[str, ...]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    wins: NDArray[np.int64]
    draws: NDArray[np.int64]
    losses: NDArray[np.int64]

    def only(self, places: Sequence[int]) -> ResultsTable:
        """The results of some bots against each other."""
        kept = np.isin(self.first, places) & np.isin(self.second, places)
        index = np.zeros(len(self.bots), dtype=np.int64)
        index[list(places)] = np.arange(len(places))
        return ResultsTable(
            source=self.source,
            bots=tuple(self.bots[place] for place in places),
            first=index[self.first[kept]],
            second=index[self.second[kept]],
            wins=self.wins[kept],
            draws=self.draws[kept],
            losses=self.losses[kept],
        )


def read_results_table(path: Path) -> ResultsTable:
    """Read the file, or standard input where the path is `-`.

    Raises:
        ResultsError: it cannot be read, or lists all mistakes.
    """
    source = "standard input" if path == STANDARD_INPUT else str(path)
    mistakes = _Mistakes(source)
    rows = csv.reader(io.StringIO(_text(path, source), newline=""), strict=True)
    places = _header(next(rows, None), mistakes)
    index: dict[str, int] = {}
    cells: list[list[int]] = []
    for line, row in _lines(rows, mistakes):
        if row and places is not None:
            cell = _row(row, places, index, line, mistakes)
            if cell is not None:
                cells.append(cell)
    if not cells and not mistakes.number:
        mistakes.add("", "", f"there are no results; a line is {','.join(COLUMNS)}")
    mistakes.report()
    table = np.array(cells, dtype=np.int64).reshape(-1, len(COLUMNS)).T
    return ResultsTable(source=source, bots=tuple(index), **dict(zip(COLUMNS, table, strict=True)))


class _Mistakes:
    """Collects mistakes, the first ones in full."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.number = 0
        self._kept: list[Mistake] = []

    def add(self, where: str, value: str, allowed: str) -> None:
        self.number += 1
        if len(self._kept) < SHOWN_MISTAKES:
            place = f"{self.source}, {where}" if where else self.source
            self._kept.append(Mistake(where=place, key="", value=value[:80], allowed=allowed))

    def report(self) -> None:
        if not self.number:
            return
        more = self.number - len(self._kept)
        if more:
            rest = Mistake(where=self.source, key="", value="", allowed=f"and {more} more")
            raise ResultsError([*self._kept, rest])
        raise ResultsError(self._kept)


def _text(path: Path, source: str) -> str:
    try:
        content = sys.stdin.buffer.read() if path == STANDARD_INPUT else path.read_bytes()
        return content.decode("utf-8-sig")
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}"
    except UnicodeDecodeError:
        reason = "is not UTF-8 text"
    raise ResultsError([Mistake(where=source, key="", value="", allowed=reason)])


def _header(row: list[str] | None, mistakes: _Mistakes) -> list[int] | None:
    """Places of the columns; None where they are not what they should be."""
    names = [name.strip().lower() for name in row or []]
    if not set(names) & set(COLUMNS):
        wanted = f"the first line names the columns, with commas between: {','.join(COLUMNS)}"
        mistakes.add("line 1", repr(",".join(names)) if names else "", wanted)
        return None
    if set(names) >= REPORT_COLUMNS:
        mistakes.add("line 1", "", _REPORT_TABLE)
        return None
    for name in names:
        if name not in COLUMNS:
            near = get_close_matches(name, COLUMNS, n=1)
            hint = f"did you mean {near[0]}? " if near else ""
            wanted = f"no such column; {hint}the columns are {','.join(COLUMNS)}"
            mistakes.add("line 1", repr(name), wanted)
    for name in COLUMNS:
        if names.count(name) != 1:
            found = "is missing" if name not in names else "is there twice"
            mistakes.add("line 1", "", f"the column {name} {found}")
    return None if mistakes.number else [names.index(name) for name in COLUMNS]


def _lines(rows: Iterator[list[str]], mistakes: _Mistakes) -> Iterator[tuple[int, list[str]]]:
    """Rows with their line numbers; a line that is no CSV ends the table."""
    line = 1
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            mistakes.add(f"line {line + 1}", "", f"is not CSV: {error}")
            return
        if row is None:
            return
        line = getattr(rows, "line_num", line + 1)
        yield line, row


def _row(
    row: list[str], places: list[int], index: dict[str, int], line: int, mistakes: _Mistakes
) -> list[int] | None:
    """The row as numbers, bots by index; None where something is wrong with it."""
    where = f"line {line}"
    if len(row) != len(places):
        mistakes.add(where, ",".join(row), f"{len(places)} values are needed, not {len(row)}")
        return None
    first, second, *texts = (row[place].strip() for place in places)
    before = mistakes.number
    if not all(name.isprintable() and 0 < len(name) <= LONGEST_NAME for name in (first, second)):
        wanted = f"both bots need a name, of 1 to {LONGEST_NAME} characters that can be printed"
        mistakes.add(where, repr(",".join(row)), wanted)
    elif first == second:
        mistakes.add(where, repr(first), "a bot cannot be rated by games against itself")
    counts = []
    for name, text in zip(COLUMNS[2:], texts, strict=True):
        value = (
            int(text)
            if text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_COUNT))
            else -1
        )
        if value < 0:
            wanted = f"a count is a whole number from 0 to {MAX_COUNT}"
            mistakes.add(where, f"{name} = {text!r}", wanted)
        counts.append(value)
    if mistakes.number > before:
        return None
    return [index.setdefault(first, len(index)), index.setdefault(second, len(index)), *counts]

"""What commands print: one JSON document or plain text on standard output, notes on error."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

import click

from arena.rounding import points_of_100


def print_json(document: Any) -> None:
    """The one JSON document of a command; refuses numbers that JSON does not have."""
    click.echo(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False))


def note(text: str) -> None:
    """A line for people, on standard error, so that standard output stays the result."""
    click.echo(text, err=True)


def text_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], *, left: Collection[str] = ()
) -> str:
    """A table of plain text; columns of numbers to the right, the others and `left` to the left."""
    columns = list(zip(head, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    numeric = [
        name not in left and all(_is_number(cell) for cell in cells) for name, *cells in columns
    ]

    def line(cells: Sequence[str]) -> str:
        placed = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(cells, widths, numeric, strict=True)
        ]
        return "  ".join(placed).rstrip()

    rule = "  ".join("-" * width for width in widths)
    return "\n".join([line(head), rule, *(line(row) for row in rows)])


def percent(share: float, digits: int = 1) -> str:
    """A share as per cent."""
    return f"{points_of_100(share, digits)} %"


def elo_text(elo: float) -> str:
    """An Elo difference with its sign."""
    text = f"{elo:+.1f}" if abs(elo) < 100 else f"{elo:+.0f}"
    return text if text.strip("+-0.") else "0.0"


def rank_text(low: int, high: int) -> str:
    """A rank, or the ranks that a bot may truly have."""
    return str(low) if low == high else f"{low}-{high}"


def count(number: int) -> str:
    """A count with its thousands apart."""
    return f"{number:,}"


def _is_number(cell: str) -> bool:
    return not cell or cell[0] in "+-0123456789"

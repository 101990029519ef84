"""Numbers and texts as a reader sees them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from markupsafe import Markup

from arena.report.model import Span
from arena.rounding import points_of_100

THIN = "\u202f"
"""Narrow no-break space, before a percent sign and between thousands."""
MINUS = "\u2212"
DASH = "\u2013"
LONGEST_RUN = 24
"""Characters of a word that are never broken."""
RUNS = re.compile(rf"[^:,=_./-]{{1,{LONGEST_RUN}}}[:,=_./-]*|[:,=_./-]+")


def signed(value: float | None, digits: int = 0) -> str:
    """`+34`, `−12`, `0`; a dash where nothing can be said."""
    if value is None:
        return DASH
    text = f"{abs(value):.{digits}f}"
    if not text.strip("0."):
        return text
    return f"{MINUS if value < 0 else '+'}{text}"


def percent(share: float | None, digits: int = 1) -> str:
    """`53.2 %`."""
    return DASH if share is None else f"{points_of_100(share, digits)}{THIN}%"


def chance(share: float | None) -> str:
    """A probability in percent; what is nearly sure is not called sure."""
    if share is None:
        return DASH
    if share > 0.9995:
        return f">{THIN}99.9{THIN}%"
    return f"<{THIN}0.1{THIN}%" if share < 0.0005 else percent(share)


def count(number: float | None) -> str:
    """A whole number with its thousands apart."""
    return DASH if number is None else f"{number:,.0f}".replace(",", THIN).replace("-", MINUS)


def decimal(value: float | None, digits: int = 1) -> str:
    """`417.3`."""
    return DASH if value is None else f"{value:,.{digits}f}".replace(",", THIN)


def rank(low: int, high: int) -> str:
    """`3`, or `2–4` where ranks cannot be told apart."""
    return str(low) if low == high else f"{low}{DASH}{high}"


def raw(value: float | None) -> str:
    """A number for programs, as it stands in the CSV and JSON files; empty where there is none."""
    return "" if value is None else repr(value)


def elo_digits(spans: Iterable[Span]) -> int:
    """Decimals that intervals of this width deserve."""
    return 1 if min((each.half for each in spans), default=9.0) < 3 else 0


def share_digits(spans: Iterable[Span]) -> int:
    """Decimals of a percentage that intervals of this width deserve."""
    return 2 if min((each.half for each in spans if each.half), default=1.0) < 0.002 else 1


def breakable(text: str) -> Markup:
    """A text whose long words, such as names of bots, may be broken.

    Words longer than `LONGEST_RUN` may be broken after punctuation, and within runs without any.
    """
    words = re.split(r"(\s+)", str(visible(text)))
    return Markup("").join(
        Markup("<wbr>").join(RUNS.findall(word)) if len(word) > LONGEST_RUN else word
        for word in words
    )


def paragraphs(text: str) -> list[str]:
    """A text in paragraphs, so that it fills lines of any length.

    Lines of a paragraph are joined unless one of them is indented or begins like an item of a
    list; such a paragraph keeps its lines.
    """
    found = []
    for part in re.split(r"\n\s*\n", text.strip()):
        lines = part.strip("\n").splitlines()
        kept = any(re.match(r"\s|[-*•>|]|\d+[.)]", line) for line in lines)
        found.append("\n".join(lines) if kept else " ".join(line.strip() for line in lines))
    return [part for part in found if part]


def prose(text: str) -> Markup:
    """A text in which what stands between back quotes is code."""
    parts = re.split(r"`([^`\n]+)`", str(visible(text)))
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if place % 2 else breakable(part)
        for place, part in enumerate(parts)
    )


def visible(value: object) -> object:
    """Text of strangers with nothing hidden in it.

    Control characters, also those that turn the direction of writing, and lone surrogates become
    visible escapes; line ends and tabs stay. Escaping for HTML comes after it.
    """
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    if value.isascii() and value.isprintable():
        return value
    return "".join(map(_visible, value))


def _visible(char: str) -> str:
    if char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn"):
        return char
    code = ord(char)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

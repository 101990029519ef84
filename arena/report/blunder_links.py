"""Pages of blunders that lie beside a report: which there are, and what to write on the link."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FOLDER: Final = "blunders"
LOST: Final = "arena-lost"
"""Name of the `meta` of a page that says what the bot's decisions lose."""

_LOST: Final = re.compile(rf'<meta name="{LOST}" content="([0-9.e+-]{{1,40}})">')
_HEAD: Final = 4_096
"""Bytes of a page in which its `meta` stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlunderLink:
    """A page of blunders.

    Attributes:
        href: from the report.
        lost: win probability that the bot's decisions lose against perfect play, in a game.
    """

    href: str
    lost: float


def page_name(rules_key: str, bot_key: str) -> str:
    """The file of a bot's blunders on a ruleset, as a path from the report.

    Keys are hashes of content, so a page is never taken for that of another version.
    """
    return f"{FOLDER}/{rules_key}-{bot_key}.html"


def links_beside(folder: Path) -> dict[str, BlunderLink]:
    """All pages that lie beside the report in this folder, by `page_name`."""
    found = {}
    for path in sorted((folder / FOLDER).glob("*.html")):
        lost = _lost_of(path)
        if lost is not None:
            href = f"{FOLDER}/{path.name}"
            found[href] = BlunderLink(href=href, lost=lost)
    return found


def link_of(
    links: Mapping[str, BlunderLink], rules_key: str, players: int, bot_key: str
) -> BlunderLink | None:
    """The page of a bot in a section; None where there is none."""
    return links.get(page_name(rules_key, bot_key)) if players == 2 else None


def _lost_of(path: Path) -> float | None:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            told = _LOST.search(file.read(_HEAD))
        return float(told[1]) if told else None
    except (OSError, ValueError):  # no page of ours
        return None

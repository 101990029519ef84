"""Where bots lie when nobody says where."""

from __future__ import annotations

from pathlib import Path

from arena.rules.places import first_of_each, shipped_folder


def bot_folders() -> list[Path]:
    """Folders of bots, those that count first in front: `./bots`, then those of arena itself."""
    shipped = shipped_folder("bots")
    return first_of_each([Path("bots"), *([] if shipped is None else [shipped])])


def is_shipped(path: Path) -> bool:
    """Whether the file is one of the bots that come with arena."""
    shipped = shipped_folder("bots")
    return shipped is not None and path.resolve().parent == shipped.resolve()

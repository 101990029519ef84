"""Where rulesets lie, and where the files lie that travel inside the wheel."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def shipped_folder(name: str) -> Path | None:
    """A folder that comes with arena: inside the wheel, or at the root of a source checkout.

    Args:
        name: `bots` or `configs`.

    Returns:
        None where this installation came without it.
    """
    for folder in (_PACKAGE / "_shipped" / name, _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    return None


def rules_folders() -> list[Path]:
    """Folders of rulesets, those that count first in front.

    `./configs/rules`, then the user's own (`arena/rules` in `$XDG_CONFIG_HOME`, which is
    `~/.config` if not set), then those that come with arena.
    """
    own = os.environ.get("XDG_CONFIG_HOME", "")
    config = Path(own) if own else Path.home() / ".config"
    folders = [Path("configs") / "rules", config / "arena" / "rules"]
    shipped = shipped_folder("configs")
    if shipped is not None:
        folders.append(shipped / "rules")
    return first_of_each(folders)


def cache_folder() -> Path:
    """Where things are kept that can be found out again: `arena` in `$XDG_CACHE_HOME`.

    That is `~/.cache` if not set, and the folder for temporary files where nobody is at home.
    """
    given = os.environ.get("XDG_CACHE_HOME", "")
    try:
        cache = Path(given) if given else Path.home() / ".cache"
    except RuntimeError:  # nobody's home
        cache = Path(tempfile.gettempdir())
    return cache / "arena"


def first_of_each(folders: list[Path]) -> list[Path]:
    """The folders that exist, each once, the first spelling of it."""
    found: dict[Path, Path] = {}
    for folder in folders:
        if folder.is_dir():
            found.setdefault(folder.resolve(), folder)
    return list(found.values())

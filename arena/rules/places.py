"""Where rulesets lie, and where the files lie that travel inside the wheel."""

from __future__ import annotations

import os
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
    folders = [Path("configs") / "rules"]
    config = _users_own("XDG_CONFIG_HOME", ".config")
    if config is not None:
        folders.append(config / "arena" / "rules")
    shipped = shipped_folder("configs")
    if shipped is not None:
        folders.append(shipped / "rules")
    return first_of_each(folders)


def cache_folder() -> Path:
    """Where things are kept that can be found out again: `arena` in `$XDG_CACHE_HOME`.

    That is `~/.cache` if not set, and the folder for temporary files where nobody is at home.
    """
    own = _users_own("XDG_CACHE_HOME", ".cache")
    if own is None:
        import tempfile  # seldom needed, and every bot's process imports this module

        own = Path(tempfile.gettempdir())
    return own / "arena"


def _users_own(variable: str, usual: str) -> Path | None:
    """A folder of the user's, which a variable may place elsewhere; None where nobody's home."""
    given = os.environ.get(variable, "")
    try:
        return Path(given) if given else Path.home() / usual
    except RuntimeError:
        return None


def first_of_each(folders: list[Path]) -> list[Path]:
    """The folders that exist, each once, the first spelling of it."""
    found: dict[Path, Path] = {}
    for folder in folders:
        if folder.is_dir():
            found.setdefault(folder.resolve(), folder)
    return list(found.values())

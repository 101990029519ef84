"""Which files a bot's process needs: the interpreter, its libraries, and this package."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final

from arena.rules.places import cache_folder

NOBODY: Final = 65534
"""User id that owns nothing, on all Linux systems."""

SYSTEM_LIBRARIES: Final = ("/usr/lib", "/usr/lib64", "/usr/lib32", "/usr/libx32")
ROOT_LIBRARIES: Final = ("/lib", "/lib64", "/lib32", "/libx32")
"""On most systems links into /usr; on some, folders of their own."""


def interpreter() -> str:
    """The interpreter itself, not the link to it in a virtual environment."""
    return os.path.realpath(getattr(sys, "_base_executable", "") or sys.executable)


@lru_cache(maxsize=1)
def package_folder() -> str:
    """Folder of the package `arena`."""
    return os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


@lru_cache(maxsize=1)
def package_search_path() -> tuple[str, ...]:
    """Folders of installed packages, in the order in which they are searched."""
    own = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    found = [
        place for place in [*sys.path, *own] if place.endswith(("site-packages", "dist-packages"))
    ]
    return tuple(dict.fromkeys(os.path.abspath(place) for place in found if os.path.isdir(place)))


@lru_cache(maxsize=1)
def module_search_path() -> tuple[str, ...]:
    """What is added to `sys.path` of a bot's process, which has Python's own library already."""
    parent = os.path.dirname(package_folder())
    return tuple(dict.fromkeys([*package_search_path(), parent]))


def shared_folder() -> str:
    """Folder of the solved rulesets, which every bot may read; need not exist."""
    return os.path.abspath(cache_folder() / "solved")


@lru_cache(maxsize=1)
def library_folders() -> tuple[str, ...]:
    """Python's own library, its shared libraries, and folders of installed packages."""
    base = {"base": sys.base_prefix, "platbase": sys.base_exec_prefix}
    own = [sysconfig.get_path(name, vars=base) for name in ("stdlib", "platstdlib")]
    shared = sysconfig.get_config_var("LIBDIR")
    found = [*own, *([str(shared)] if shared else []), *package_search_path()]
    return tuple(dict.fromkeys(os.path.abspath(place) for place in found if os.path.isdir(place)))


def is_root() -> bool:
    """Whether this process may do everything."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def drop_to() -> int:
    """User that a bot's process can become when this one is root; -1 for none.

    Only a user that is not root is bound by the limit on processes. It must be able to read all
    that the interpreter reads.
    """
    if not is_root():
        return -1
    needed = [interpreter(), *library_folders(), package_folder()]
    return NOBODY if readable_by_all(needed) else -1


def readable_by_all(paths: Iterable[str | Path]) -> bool:
    """Whether any user may read these files and look into these folders."""
    return all(_readable_by_all(os.path.realpath(path)) for path in paths)


def _readable_by_all(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
        if not mode & 0o004 or (os.path.isdir(path) and not mode & 0o001):
            return False
        return all(os.stat(parent).st_mode & 0o001 for parent in Path(path).parents)
    except OSError:
        return False

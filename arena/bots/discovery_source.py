"""The source of a bot: its file, and the files beside it that it imports."""

from __future__ import annotations

import ast
import errno
import hashlib
import os
import stat
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MAX_BYTES: Final = 4 << 20
"""Size of a source file, at most."""

_parsing = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class BotSource:
    """The files that make a bot what it is.

    Attributes:
        files: the bot's file first, then the modules beside it that it imports, and theirs.
        content: of the bot's file.
        hash: 16 hex digits of the content of all files.
    """

    files: tuple[Path, ...]
    content: bytes
    hash: str


def source_of(path: Path) -> BotSource:
    """Read a bot's source; runs none of it.

    Raises:
        OSError: the file cannot be read, or is no ordinary file of ordinary size.
    """
    content = _content(path)
    known = {path.resolve(): content}
    _add_imports(path, content, known)
    helpers = sorted(file for file in known if file != path.resolve())
    digest = hashlib.sha256(content)
    for helper in helpers:
        digest.update(b"\x00" + helper.name.encode() + b"\x00" + known[helper])
    return BotSource(files=(path, *helpers), content=content, hash=digest.hexdigest()[:16])


def _content(path: Path) -> bytes:
    if not str(path).isprintable():
        raise OSError(errno.EINVAL, "its name has characters that cannot be printed; rename it")
    if path.is_symlink() and not _within(path):
        # Whoever could place such a link would read what it leads to through the bot.
        raise OSError(
            errno.EINVAL,
            f"{path.name} is a link to a file outside its folder; copy that file there",
        )
    found = path.stat()
    if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
        raise OSError(errno.EINVAL, "is no ordinary file")
    if found.st_size > MAX_BYTES:
        raise OSError(errno.EFBIG, f"is larger than {MAX_BYTES >> 20} MiB")
    return path.read_bytes()


def _within(link: Path) -> bool:
    """Whether a link leads to a file in its own folder, or below it."""
    folder = os.path.realpath(link.parent)
    return os.path.commonpath([folder, os.path.realpath(link)]) == folder


def _add_imports(path: Path, content: bytes, known: dict[Path, bytes]) -> None:
    """Add the modules beside this one that it imports, and those that they import."""
    for name in _imported_names(content):
        beside = path.parent / f"{name}.py"
        if name in sys.stdlib_module_names or not beside.is_file():
            continue
        file = beside.resolve()
        if file in known:
            continue
        known[file] = _content(beside)
        _add_imports(file, known[file], known)


def _imported_names(content: bytes) -> set[str]:
    try:
        # CPython 3.11 counts the depth of trees for all threads together; files are looked into by
        # several threads, and parsing at the same time raised SystemError.
        with _parsing:
            tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # reported by whoever imports it
        return set()
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.partition(".")[0])
        elif isinstance(node, ast.ImportFrom) and node.level == 1:
            inner = [node.module] if node.module else [alias.name for alias in node.names]
            names.update(name.partition(".")[0] for name in inner)
    return names

"""The source of a bot: its file, and the files beside it that it imports."""

from __future__ import annotations

import ast
import hashlib
import sys
from dataclasses import dataclass
from pathlib import Path


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
        OSError: the file cannot be read.
    """
    content = path.read_bytes()
    known = {path.resolve(): content}
    _add_imports(path, content, known)
    helpers = sorted(file for file in known if file != path.resolve())
    digest = hashlib.sha256(content)
    for helper in helpers:
        digest.update(b"\x00" + helper.name.encode() + b"\x00" + known[helper])
    return BotSource(files=(path, *helpers), content=content, hash=digest.hexdigest()[:16])


def _add_imports(path: Path, content: bytes, known: dict[Path, bytes]) -> None:
    """Add the modules beside this one that it imports, and those that they import."""
    for name in _imported_names(content):
        file = (path.parent / f"{name}.py").resolve()
        if name in sys.stdlib_module_names or file in known or not file.is_file():
            continue
        known[file] = file.read_bytes()
        _add_imports(file, known[file], known)


def _imported_names(content: bytes) -> set[str]:
    try:
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

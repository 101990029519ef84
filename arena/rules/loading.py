"""Reading rulesets: TOML files in `configs/rules/`, with overrides `name:key=value,...`.

All mistakes of a file and its overrides are collected and reported together.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from arena.errors import Mistake, RulesetError
from arena.rules.checking import ruleset_from
from arena.rules.patterns import canonical, pattern_mistake
from arena.rules.ruleset import Ruleset


def ruleset_files(folders: Sequence[Path]) -> dict[str, Path]:
    """Ruleset names and their files; where two folders have the same name, the first counts."""
    found: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.toml")):
            found.setdefault(path.stem, path)
    return found


def load_ruleset(spec: str, folders: Sequence[Path]) -> Ruleset:
    """The ruleset that `name:key=value,...` or `path/to/file.toml:key=value,...` means.

    Args:
        spec: a name of `ruleset_files` or a path that ends in `.toml`, then any overrides.
        folders: where names are looked up, in this order.

    Raises:
        RulesetError: the name, a key or a value does not exist; lists all mistakes.
    """
    name, overrides = split_spec(spec)
    files = ruleset_files(folders)
    path = Path(name) if name.endswith(".toml") else files.get(name)
    if path is None:
        raise RulesetError([_unknown_name(name, files, folders)])
    table, mistakes = _read(path)
    for override in overrides:
        mistakes += _apply(table, override, where=f"{path} with {override!r}")
    short = path.stem if name.endswith(".toml") else name
    full = ":".join([short, ",".join(overrides)]) if overrides else short
    return ruleset_from(table, name=full, where=str(path), mistakes=mistakes)


def split_spec(spec: str) -> tuple[str, list[str]]:
    """`name:a=1,b=[1,5]` as `("name", ["a=1", "b=[1,5]"])`; commas inside brackets do not part."""
    name, _, rest = spec.partition(":")
    parts = re.findall(r"(?:[^,\[\]{}\"]|\[[^\]]*\]|\{[^}]*\}|\"[^\"]*\")+", rest)
    return name.strip(), [part.strip() for part in parts if part.strip()]


def value_of(text: str) -> Any:
    """A value as TOML reads it; what is not TOML is a text, so that quotes are optional."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _unknown_name(name: str, files: dict[str, Path], folders: Sequence[Path]) -> Mistake:
    near = get_close_matches(name, files, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    looked = ", ".join(map(str, folders)) or "nowhere"
    known = ", ".join(sorted(files)) or "none"
    return Mistake(
        where=f"ruleset {name!r}",
        key="",
        value="",
        allowed=f"there is no such ruleset; {hint}known: {known} (looked in {looked})",
    )


def _read(path: Path) -> tuple[dict[str, Any], list[Mistake]]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8")), []
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}"
    except UnicodeDecodeError:
        reason = "is not UTF-8 text"
    except tomllib.TOMLDecodeError as error:
        reason = f"is not TOML: {error}"
    raise RulesetError([Mistake(where=str(path), key="", value="", allowed=reason)])


def _apply(table: dict[str, Any], override: str, *, where: str) -> list[Mistake]:
    key, equals, text = override.partition("=")
    key = key.strip()
    if not equals or not key:
        return [Mistake(where=where, key="", value=override, allowed="write key=value")]
    value = value_of(text.strip())
    head, dot, tail = key.partition(".")
    if not dot:
        table[head] = value
        return []
    inner = table.setdefault(head, {})
    if head not in ("combinations", "bust_penalty") or not isinstance(inner, dict):
        return [Mistake(where=where, key=key, value=text, allowed=f"{head} has no keys of its own")]
    if head == "combinations" and not pattern_mistake(tail):
        for same in [old for old in inner if canonical(old) == canonical(tail)]:
            del inner[same]
    inner[tail] = value
    return []

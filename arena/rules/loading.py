"""Reading rulesets: TOML files in `configs/rules/`, with overrides `name:key=value,...`.

All mistakes of a file and its overrides are collected and reported together.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from arena.errors import Mistake, RulesetError
from arena.rules.checking import ruleset_from
from arena.rules.patterns import canonical, pattern_mistake
from arena.rules.ruleset import Ruleset
from arena.rules.toml_table import read_toml


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
    table = read_toml(path, RulesetError)
    where = f"{path} as {spec!r}" if overrides else str(path)
    mistakes = []
    keys = [override.partition("=")[0].strip() for override in overrides]
    for number, override in enumerate(overrides):
        wrong = _apply(table, override)
        if keys[number] in keys[:number]:
            wrong = wrong or f"{keys[number]} is given twice; write it once"
        if wrong:
            mistakes.append(Mistake(where=where, key="", value=repr(override), allowed=wrong))
    full = ":".join([path.stem, ",".join(overrides)]) if overrides else path.stem
    return ruleset_from(table, name=full, where=where, mistakes=mistakes)


def split_spec(spec: str) -> tuple[str, list[str]]:
    """`name:a=1,b=[1,5]` as `("name", ["a=1", "b=[1,5]"])`.

    Commas inside brackets or quotes do not part. Spaces around parts are dropped. A part may be
    empty (`name:`, `name:a=1,`), which callers report.
    """
    name, colon, rest = spec.partition(":")
    parts = [""] if colon else []
    depth, quoted = 0, False
    for sign in rest:
        quoted ^= sign == '"'
        depth += (sign in "[{") - (sign in "]}")
        if sign == "," and depth <= 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += sign
    return name.strip(), [part.strip() for part in parts]


def value_of(text: str) -> Any:
    """A value as TOML reads it; what is not TOML is a text, so that quotes are optional."""
    import tomllib  # every bot's process imports this module, and reads no ruleset

    try:
        table = tomllib.loads(f"value = {text}")
    except (tomllib.TOMLDecodeError, RecursionError):
        return text
    return table["value"] if len(table) == 1 else text


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


def _apply(table: dict[str, Any], override: str) -> str | None:
    """Write one override into the table; what is wrong with it, if it is not `key=value`."""
    key, equals, text = (part.strip() for part in override.partition("="))
    if not equals or not key or not text:
        return "an override is written key=value"
    value = value_of(text)
    head, dot, tail = key.partition(".")
    if not dot:
        table[head] = value
        return None
    if head not in ("combinations", "bust_penalty"):
        return f"{head} has no keys of its own; combinations and bust_penalty have"
    inner = table.setdefault(head, {})
    if not isinstance(inner, dict):
        return None  # the file is wrong here, which is reported with its other mistakes
    if head == "combinations" and not pattern_mistake(tail):
        for same in [old for old in inner if not pattern_mistake(old)]:
            if canonical(same) == canonical(tail):
                del inner[same]
    inner[tail] = value
    return None

"""Reading a user's TOML file value by value, so that all its mistakes are reported together."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from arena.errors import Mistake, MistakesError

MAX_POINTS = 10_000_000
"""No points, minimum or target of a ruleset is larger."""


def read_toml(path: Path, error: type[MistakesError]) -> dict[str, Any]:
    """Keys and values of a TOML file.

    Raises:
        MistakesError: of the given kind, where the file cannot be read or is not TOML.
    """
    import tomllib  # every bot's process imports this module, and reads no file

    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as failure:
        reason = f"cannot be read: {failure.strerror or failure}"
    except UnicodeDecodeError:
        reason = "is not UTF-8 text"
    except (tomllib.TOMLDecodeError, RecursionError) as failure:
        reason = f"is not TOML: {failure}"
    raise error([Mistake(where=str(path), key="", value="", allowed=reason)])


class TomlTable:
    """Takes values out of one table and collects what is wrong with them."""

    def __init__(
        self, values: dict[str, Any], prefix: str, where: str, mistakes: list[Mistake]
    ) -> None:
        self.values = values
        self.prefix = prefix
        self.where = where
        self.mistakes = mistakes

    def wrong(self, key: str, value: object, allowed: str) -> None:
        """Note a mistake."""
        shown = str(value).lower() if isinstance(value, bool) else repr(value)
        shown = shown if len(shown) <= 80 else shown[:77] + "..."
        mistake = Mistake(where=self.where, key=self.prefix + key, value=shown, allowed=allowed)
        self.mistakes.append(mistake)

    def only(self, known: Sequence[str]) -> None:
        """Note every key that is not known."""
        for key, value in self.values.items():
            if key not in known:
                near = get_close_matches(key, known, n=1)
                hint = f"did you mean {near[0]}? " if near else ""
                self.wrong(key, value, f"no such key; {hint}allowed: {', '.join(known)}")

    def number(self, key: str, default: int, *, low: int = 0, high: int = MAX_POINTS) -> int:
        """A whole number from low to high."""
        value = self.values.get(key, default)
        if type(value) is int and low <= value <= high:
            return value
        self.wrong(key, value, f"a whole number from {low} to {high}")
        return default

    def flag(self, key: str, default: bool = False) -> bool:
        """True or false."""
        value = self.values.get(key, default)
        if isinstance(value, bool):
            return value
        self.wrong(key, value, "true or false")
        return default

    def text(self, key: str) -> str:
        """Any text."""
        value = self.values.get(key, "")
        if isinstance(value, str):
            return value
        self.wrong(key, value, "a text in quotes")
        return ""

    def choice(self, key: str, options: Sequence[str], default: str) -> Any:
        """One of the words; typed as any because the words are a Literal of the caller's."""
        value = self.values.get(key, default)
        if isinstance(value, str) and value in options:
            return value
        self.wrong(key, value, f"one of {', '.join(options)}")
        return default

    def items(self, key: str, allowed: str) -> list[Any]:
        """A list of anything."""
        value = self.values.get(key, [])
        if isinstance(value, list):
            return value
        self.wrong(key, value, allowed)
        return []

    def table(self, key: str, allowed: str) -> TomlTable:
        """A table inside this one."""
        value = self.values.get(key, {})
        if not isinstance(value, dict):
            self.wrong(key, value, allowed)
            value = {}
        return TomlTable(value, f"{self.prefix}{key}.", self.where, self.mistakes)

"""What a bot's process may use, and how a user says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from typing import Final

from arena.errors import UsageError
from arena.rules.toml_table import TomlTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a bot's process may use.

    Field names are the keys of `[limits]` in a tournament file and of `--limit`, except the last
    two.

    Attributes:
        memory_mib: memory (address space) of a bot's process, MiB; 1024 by default.
        question_cpu_s: computing time of one decision, seconds, averaged over those that are asked
            for together; 0.1 by default.
        load_cpu_s: computing time to import the file and make the bot, seconds; 10 by default.
        stall_s: seconds without any answer, whether it computes or sleeps; time in which it waits
            for a processor does not count; 5 by default.
        output_kib: what it may print while it makes one decision, or is imported, KiB; 1024 by
            default.
        max_losses: games in which it may take its process down (time-out, crash, memory, output),
            when it is tried or at the beginning of a match, until it is withdrawn from the matches
            on that ruleset or from that match; 3 by default.
        max_faults: games that it may forfeit there, when it plays hardly one in five to its end,
            until it is withdrawn; 12 by default.
        files: open files.
        file_mib: size of a file that it writes, MiB.
    """

    memory_mib: int = 1024
    question_cpu_s: float = 0.1
    load_cpu_s: float = 10.0
    stall_s: float = 5.0
    output_kib: int = 1024
    max_losses: int = 3
    max_faults: int = 12
    files: int = 64
    file_mib: int = 1

    def __str__(self) -> str:
        """Those that are not the usual ones, as they would stand in a file; empty for none."""
        usual = Limits()
        other = [name for name in RANGES if getattr(self, name) != getattr(usual, name)]
        return ", ".join(f"{name} = {getattr(self, name):g}" for name in other)


RANGES: Final[Mapping[str, tuple[float, float]]] = {
    "memory_mib": (64, 1 << 20),
    "question_cpu_s": (0.0001, 3600),
    "load_cpu_s": (0.05, 3600),
    "stall_s": (0.05, 3600),
    "output_kib": (1, 1 << 20),
    "max_losses": (1, 1_000_000),
    "max_faults": (1, 1_000_000),
}
"""The smallest and the largest value of every limit that can be set."""

LimitChange = tuple[str, float]
"""Name of a limit and its value, within its range and of its type."""


def read_limits(config: TomlTable) -> Limits:
    """The limits of a tournament file, the usual ones where it says nothing; notes mistakes."""
    table = config.table("limits", "a table such as {memory_mib = 512}")
    table.only(tuple(RANGES))
    changes: list[LimitChange] = []
    for name, value in table.values.items():
        if name in RANGES:
            if isinstance(value, int | float) and _fits(name, value):
                changes.append((name, value))
            else:
                table.wrong(name, value, _allowed(name))
    return with_changes(Limits(), changes)


def limit_change(text: str) -> LimitChange:
    """The change that is written `name=value`.

    Raises:
        UsageError: there is no such limit, or its value is not allowed.
    """
    name, equals, written = (part.strip() for part in text.partition("="))
    if name not in RANGES or not equals:
        near = get_close_matches(name, RANGES, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        usual = Limits()
        known = ", ".join(f"{each}={getattr(usual, each):g}" for each in RANGES)
        raise UsageError(f"--limit {text}: {hint}write name=value; limits and their usual: {known}")
    try:
        value = int(written) if written.lstrip("+-").isdigit() else float(written)
    except ValueError:
        value = float("nan")
    if not _fits(name, value):
        raise UsageError(f"--limit {text}: {_allowed(name)} is allowed")
    return name, value


def with_changes(limits: Limits, changes: Iterable[LimitChange]) -> Limits:
    """The limits with these in the place of others."""
    return replace(limits, **dict(changes))  # type: ignore[arg-type]  # `_fits` saw to the types


_WHOLE: Final = frozenset(each.name for each in fields(Limits) if each.type == "int")


def _fits(name: str, value: float) -> bool:
    """Whether a limit may have this value."""
    if isinstance(value, bool) or (name in _WHOLE and not isinstance(value, int)):
        return False
    low, high = RANGES[name]
    return low <= value <= high


def _allowed(name: str) -> str:
    low, high = RANGES[name]
    kind = "a whole number" if name in _WHOLE else "a number"
    return f"{kind} from {low:,g} to {high:,.0f}"

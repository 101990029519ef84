"""The corpus of bad bots: what each does wrong, as its own file says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from arena.bots.discovery_source import source_of
from arena.bots.isolation import Isolation, Level, choose_isolation
from arena.bots.isolation_limits import Limits
from arena.bots.spec import BotSpec

FOLDER = Path(__file__).parents[1] / "bad_bots"

LIMITS = Limits(
    memory_mib=256,
    question_cpu_s=0.04,
    load_cpu_s=1.0,
    stall_s=0.3,
    output_kib=64,
    max_losses=2,
)
"""Small, so that tests are fast; generous enough for an honest bot on a busy machine, since time
in which a process waits for a processor does not count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BadBot:
    """One file of the corpus.

    Attributes:
        spec: as if the file had been found; in truth some cannot even be imported.
        faults: the kinds of which one must be told, by level; empty where none may be told, None
            where anything may happen as long as nobody else notices.
        levels: under which it runs.
    """

    spec: BotSpec
    faults: dict[Level, frozenset[str] | None]
    levels: tuple[Level, ...]


def bad_bots() -> list[BadBot]:
    """All of them, by name."""
    return [_bad_bot(path) for path in sorted(FOLDER.glob("*.py"))]


def isolation(level: Level) -> Isolation:
    """The level with small limits."""
    return choose_isolation(level, LIMITS)


def _bad_bot(path: Path) -> BadBot:
    text = path.read_text()
    said = re.findall(r"^(Fault|Fault under limits|Only under): (.*)$", text, re.MULTILINE)
    told: dict[str, str] = dict(said)
    strict = _kinds(told["Fault"])
    limits = _kinds(told.get("Fault under limits", told["Fault"]))
    only = told.get("Only under")
    return BadBot(
        spec=BotSpec(
            name=path.stem,
            class_name="Bad",
            path=str(path),
            parameters=(),
            source_hash=source_of(path).hash,
            remembers="remembers=True" in text,
        ),
        faults={Level.STRICT: strict, Level.LIMITS: limits},
        levels=(Level(only),) if only else (Level.STRICT, Level.LIMITS),
    )


def _kinds(text: str) -> frozenset[str] | None:
    if text == "any":
        return None
    return frozenset(re.split(r", | or ", text))

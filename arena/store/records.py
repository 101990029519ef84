"""What a result file gives back."""

from __future__ import annotations

from dataclasses import dataclass

from arena.bots.spec import BotSpec
from arena.records import Fault, Match, MatchStats
from arena.rules import Ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """One call of `arena run` or its like, with all that is needed to repeat it.

    Attributes:
        config: text of the configuration, as it was read.
        config_path: where it was read from.
        command: the command line that repeats the run.
        settings: every setting as it was played, defaults included, as (key, value) texts.
        version: of arena.
        python: version of the interpreter.
        platform: operating system and machine.
        cpus: cores of the machine.
        workers: processes that play.
        started: ISO 8601 with time zone.
    """

    config: str
    config_path: str
    command: str
    settings: tuple[tuple[str, str], ...] = ()
    version: str
    python: str
    platform: str
    cpus: int
    workers: int
    started: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The course that a tournament took on one ruleset, for people.

    Attributes:
        title: format and ruleset.
        lines: what happened, in order.
    """

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRun:
    """A run in the result file.

    Attributes:
        id: number of the run in this file, from 1.
        info: what was called.
        finished: ISO 8601 with time zone; empty while the run goes on or when it was stopped.
        matches: ids of the matches it asked for, in the order of its schedule.
        courses: how its tournament went, where the matches alone do not tell.
    """

    id: int
    info: RunInfo
    finished: str
    matches: tuple[str, ...]
    courses: tuple[Course, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredBot:
    """A bot that has played, with its source text at that time."""

    spec: BotSpec
    source: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StoredMatch:
    """A match with everything that was played of it.

    Attributes:
        match: which one.
        ruleset: what it was played on.
        stats: the sum over all finished chunks.
        faults: in the order of blocks; a chunk keeps the first ones only, `stats.forfeits`
            counts all.
        seconds: time that workers spent on it.
    """

    match: Match
    ruleset: Ruleset
    stats: MatchStats
    faults: tuple[Fault, ...]
    seconds: float

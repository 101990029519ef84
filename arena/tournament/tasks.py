"""What goes to a worker: a chunk with everything that is needed to play it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from arena.bots.isolation import TRUST, Isolation
from arena.bots.spec import BotSpec
from arena.records import Chunk, Match, Trial
from arena.rules import Ruleset


class EngineName(StrEnum):
    """Which of the two twins plays."""

    REFEREE = "referee"
    KERNEL = "kernel"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedMatch:
    """A match that shall be played, and how far.

    Attributes:
        match: which one.
        ruleset: what it is played on.
        specs: the bots by place.
        blocks: how many blocks, those that the store already holds included.
    """

    match: Match
    ruleset: Ruleset
    specs: tuple[BotSpec, ...]
    blocks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkTask:
    """A chunk as it is sent to a worker; picklable, and complete without any file but the bots'.

    Attributes:
        isolation: how far bots are kept apart; the results of bots without faults do not depend on
            it.
        trials: of its bots, as far as they have been tried.
    """

    chunk: Chunk
    ruleset: Ruleset
    specs: tuple[BotSpec, ...]
    engine: EngineName
    isolation: Isolation = TRUST
    trials: tuple[Trial, ...] = ()

    @property
    def match(self) -> Match:
        """Which it belongs to."""
        return self.chunk.match

    def trial_task(self, place: int) -> TrialTask:
        """The bot at that place, to be tried."""
        return TrialTask(
            match=self.match.alone(place),
            ruleset=self.ruleset,
            spec=self.specs[place],
            engine=self.engine,
            isolation=self.isolation,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialTask:
    """A bot that is to be tried, as it is sent to a worker.

    Attributes:
        match: of the bot with itself, see `Match.alone`.
    """

    match: Match
    ruleset: Ruleset
    spec: BotSpec
    engine: EngineName
    isolation: Isolation = TRUST


Task = ChunkTask | TrialTask

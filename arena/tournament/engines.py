"""The one interface of both engines."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final, Protocol, assert_never

import numpy as np
from numpy.typing import NDArray

from arena.game import Counts
from arena.records import Fault
from arena.tournament.beginnings import NOBODY, Withdrawn
from arena.tournament.tasks import ChunkTask, EngineName

KEPT_FAULTS: Final = 20
"""Faults of a chunk that are kept in full; all of them are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses:
    """Games that a bot forfeited by taking its process down or nearly: see `AskFault.costly`.

    Attributes:
        games: how many.
        last: message of one of them; empty for none.
    """

    games: int = 0
    last: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Played:
    """What an engine brings back from a chunk.

    Attributes:
        counts: of all its blocks.
        questions: int64[S], how often each bot was really asked.
        faults: the first `KEPT_FAULTS`.
        losses: by place.
    """

    counts: Counts
    questions: NDArray[np.int64]
    faults: tuple[Fault, ...]
    losses: tuple[Losses, ...]


class TooManyFaults(Exception):  # noqa: N818 - it ends a try, it is no error
    """More games were forfeited than were allowed for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Most:
    """Forfeited games, all bots together, at which an engine stops with `TooManyFaults`.

    Attributes:
        forfeits: of any kind.
        losses: by taking a process down.
    """

    forfeits: int
    losses: int


class Forfeits:
    """Counts games that are forfeited while a chunk is played.

    Args:
        places: bots in the match.
        most: where to stop; None to go on.
        withdrawn: bots whose forfeits do not count for that.
    """

    def __init__(self, places: int, most: Most | None, withdrawn: Withdrawn = NOBODY) -> None:
        self._most = most
        self._withdrawn = withdrawn
        self._games: dict[tuple[int, int, int], bool] = {}
        self._last = [""] * places

    def add(self, place: int, block: int, rotation: int, *, lost: bool, message: str) -> None:
        """Take down a game of a bot that is not withdrawn; once, however often it is told.

        Raises:
            TooManyFaults: it is one too many.
        """
        if place in self._withdrawn:
            return
        self._games[place, block, rotation] = lost
        if lost:
            self._last[place] = message
        most = self._most
        if most is not None:
            losses = sum(self._games.values()) if lost else 0
            if len(self._games) >= most.forfeits or losses >= most.losses:
                raise TooManyFaults

    @property
    def losses(self) -> tuple[Losses, ...]:
        """By place."""
        count = [0] * len(self._last)
        for (place, _, _), lost in self._games.items():
            count[place] += lost
        return tuple(Losses(games=n, last=text) for n, text in zip(count, self._last, strict=True))


def withdrawn_message(why: str) -> str:
    """What is told about a game that a withdrawn bot forfeits."""
    return f"the bot was withdrawn from this match: {why}"


class Engine(Protocol):
    """Plays chunks; one per process, so that it may keep what it has learnt about bots."""

    def begin(self, task: ChunkTask) -> None:
        """Start the processes of all bots of a chunk, without waiting until they are ready."""

    def play(
        self, task: ChunkTask, *, withdrawn: Withdrawn = NOBODY, most: Most | None = None
    ) -> Played:
        """Play all blocks of the chunk in all rotations.

        Args:
            task: the chunk.
            withdrawn: bots that forfeit every game in which they are asked, by place.
            most: when to give up.

        Raises:
            TooManyFaults: see `most`.
        """


def engine_named(name: EngineName) -> Engine:
    """A new engine of that name."""
    match name:
        case EngineName.REFEREE:
            from arena.tournament.referee_engine import RefereeEngine

            return RefereeEngine()
        case EngineName.KERNEL:
            from arena.tournament.kernel_engine import KernelEngine  # numba takes long to import

            return KernelEngine()
        case _:
            assert_never(name)


def default_engine() -> EngineName:
    """The fastest one: the kernel, unless its compiler is switched off."""
    compiled = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
    return EngineName.KERNEL if compiled else EngineName.REFEREE

"""The one interface of both engines."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final, Protocol, assert_never

import numpy as np
from numpy.typing import NDArray

from arena.game import Counts
from arena.records import Fault
from arena.tournament.tasks import ChunkTask, EngineName

KEPT_FAULTS: Final = 20
"""Faults of a chunk that are kept in full; all of them are counted."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Played:
    """What an engine brings back from a chunk.

    Attributes:
        counts: of all its blocks.
        questions: int64[S], how often each bot was really asked.
        faults: the first `KEPT_FAULTS`.
    """

    counts: Counts
    questions: NDArray[np.int64]
    faults: tuple[Fault, ...]


class Engine(Protocol):
    """Plays chunks; one per process, so that it may keep what it has learnt about bots."""

    def play(self, task: ChunkTask) -> Played:
        """Play all blocks of the chunk in all rotations."""


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

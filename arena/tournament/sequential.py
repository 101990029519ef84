"""One match that is played until a sequential test is decided.

Chunks come from several processes in any order. The test looks at them in the order of their
blocks, at fixed numbers of blocks, and at nothing behind the first decision; so it ends at the same
block with the same numbers for any number of processes.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.records import ChunkResult, Fault, Match, MatchStats
from arena.tournament.ledger import MemoryTrials

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena.stats import Sprt, SprtState

LOOKS: Final = 500
"""Looks that a test takes at the strength for which it needs most blocks, on independent dice."""

FEWEST_BLOCKS: Final = 8
MOST_BLOCKS: Final = 100_000
"""Blocks between two looks, at least and at most: they are one chunk."""

INDEPENDENT: Final = 0.5 / math.sqrt(2.0)
"""Deviation of a block score, two games of equal bots on independent dice."""


def with_looks(sprt: Sprt, *, looks: int = LOOKS) -> Sprt:
    """The test with the number of blocks between two looks set."""
    from arena.stats.sprt import expected_blocks

    longest = expected_blocks(sprt, deviation=deviation_of(sprt), elo=None)
    look = min(max(round(longest / looks), FEWEST_BLOCKS), MOST_BLOCKS)
    return replace(sprt, look=look if sprt.most is None else min(look, sprt.most))


def deviation_of(sprt: Sprt) -> float:
    """Deviation of a block score of equal bots on independent dice."""
    return INDEPENDENT if sprt.games == 2 else 0.5


def most_blocks(sprt: Sprt) -> int:
    """Blocks after which the test has ended, whatever was played."""
    return sprt.largest(0.5)


def block_counts(stats: MatchStats) -> NDArray[np.int64]:
    """Blocks by the points of the first bot: int64[5], or int64[3] for fixed seats."""
    from arena.stats import pentanomial

    return pentanomial(stats.pair_table) if stats.rotations == 2 else stats.results[0, 0]


class SequentialLedger(MemoryTrials):
    """A ledger for one match that knows when its test is decided.

    Made for chunks of `sprt.look` blocks each.

    Attributes:
        state: of the test at the last look.
        played: sum of the chunks that the test has looked at; None before the first.
        faults: of these chunks.
    """

    def __init__(self, sprt: Sprt, match: Match) -> None:
        from arena.stats import sprt_state

        super().__init__()
        self._sprt = sprt
        self._match = match
        self._waiting: dict[int, ChunkResult] = {}  # by first block
        self.state: SprtState = sprt_state(sprt, np.zeros(2 * sprt.games + 1, dtype=np.int64))
        self.played: MatchStats | None = None
        self.faults: list[Fault] = []

    @property
    def decided(self) -> bool:
        """Whether no further block can change anything."""
        from arena.stats import Verdict

        return self.state.verdict is not Verdict.RUNNING

    def finished(self, match_id: str) -> list[tuple[int, int]]:
        """Blocks from the first one on that the test has looked at."""
        return [(0, self.played.blocks)] if self.played is not None else []

    def stats(self, match_id: str) -> MatchStats | None:
        """The sum of these blocks."""
        return self.played

    def add_chunk(self, result: ChunkResult) -> bool:
        """Keep a finished chunk, and look as far as all chunks before are there."""
        self._waiting[result.chunk.first_block] = result
        while not self.decided and (each := self._waiting.pop(self._blocks, None)) is not None:
            self._look(each)
        return True

    @property
    def _blocks(self) -> int:
        return 0 if self.played is None else self.played.blocks

    def _look(self, result: ChunkResult) -> None:
        from arena.stats import sprt_state

        self.played = result.stats if self.played is None else self.played + result.stats
        self.faults.extend(result.faults)
        self.state = sprt_state(self._sprt, block_counts(self.played))

"""Where results go: a result file, or the memory of a single command."""

from __future__ import annotations

from typing import Protocol

from arena.records import ChunkResult, Fault, MatchStats, Trial


class Ledger(Protocol):
    """What the runner needs of a store."""

    def finished(self, match_id: str) -> list[tuple[int, int]]:
        """First block and number of blocks of every finished chunk."""

    def stats(self, match_id: str) -> MatchStats | None:
        """The sum of all finished chunks."""

    def add_chunk(self, result: ChunkResult) -> bool:
        """Keep a finished chunk; whether it was new."""

    def trial(self, trial_id: str) -> Trial | None:
        """What came of trying a bot; None if it was not tried."""

    def add_trial(self, trial: Trial) -> None:
        """Keep what came of trying a bot; what is known already stays."""


class MemoryTrials:
    """The half of a ledger that keeps trials, in memory."""

    def __init__(self) -> None:
        self._trials: dict[str, Trial] = {}

    def trial(self, trial_id: str) -> Trial | None:
        """What came of trying a bot; None if it was not tried."""
        return self._trials.get(trial_id)

    def add_trial(self, trial: Trial) -> None:
        """Keep what came of trying a bot; what is known already stays."""
        self._trials.setdefault(trial.id, trial)


class MemoryLedger(MemoryTrials):
    """A ledger that keeps sums and forgets all when the command ends."""

    def __init__(self) -> None:
        super().__init__()
        self._stats: dict[str, MatchStats] = {}
        self._finished: dict[str, list[tuple[int, int]]] = {}
        self.faults: list[Fault] = []

    def finished(self, match_id: str) -> list[tuple[int, int]]:
        """First block and number of blocks of every finished chunk."""
        return sorted(self._finished.get(match_id, []))

    def stats(self, match_id: str) -> MatchStats | None:
        """The sum of all finished chunks."""
        return self._stats.get(match_id)

    def prefix(self, match_id: str, blocks: int) -> MatchStats | None:
        """All that was played: chunks are not kept apart. See `PrefixLedger`."""
        return self._stats.get(match_id)

    def add_chunk(self, result: ChunkResult) -> bool:
        """Keep a finished chunk."""
        chunk = result.chunk
        known = self._stats.get(chunk.match.id)
        self._stats[chunk.match.id] = result.stats if known is None else known + result.stats
        self._finished.setdefault(chunk.match.id, []).append((chunk.first_block, chunk.blocks))
        self.faults.extend(result.faults)
        return True

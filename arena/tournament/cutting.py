"""Cutting matches into chunks of about a second, around what is already there.

The size of a chunk never changes a result: every block has dice of its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from arena.bots.isolation import TRUST, Isolation
from arena.records import Chunk, ChunkResult, Match
from arena.tournament.tasks import ChunkTask, EngineName, PlannedMatch

CHUNK_SECONDS: Final = 1.0
"""Aim for the time of a chunk; also about how often progress moves."""

FIRST_GAMES: Final = {EngineName.REFEREE: 16, EngineName.KERNEL: 4_000}
"""Games of the first chunk of a match, while nobody knows how fast its bots are."""

FIRST_SECONDS: Final = 0.25
"""Aim for the first chunk of a match where others have been measured."""

GROWTH: Final = 8
"""No chunk has more than so many times the blocks of one that was measured."""

Span = tuple[int, int]
"""First block and number of blocks."""


def missing_spans(finished: Iterable[Span], blocks: int) -> list[Span]:
    """The blocks below `blocks` that no finished span covers; spans may come in any order."""
    missing = []
    at = 0
    for first, count in sorted(finished):
        if first >= blocks:
            break
        if first > at:
            missing.append((at, first - at))
        at = max(at, first + count)
    if at < blocks:
        missing.append((at, blocks - at))
    return missing


class Cutter:
    """Hands out the chunks that are missing, match by match.

    Args:
        planned: the matches and how far they shall be played.
        finished: for each of them the spans that are there already.
        engine: which plays.
        workers: processes that play.
        chunk_blocks: fixed size of a chunk; 0 to let it follow the clock.
        isolation: how far bots are kept apart.
    """

    def __init__(
        self,
        planned: Sequence[PlannedMatch],
        finished: Sequence[Iterable[Span]],
        *,
        engine: EngineName,
        workers: int,
        chunk_blocks: int = 0,
        isolation: Isolation = TRUST,
    ) -> None:
        self._isolation = isolation
        self._engine = engine
        self._workers = workers
        self._fixed = chunk_blocks
        self._left: deque[tuple[PlannedMatch, deque[Span]]] = deque()
        self._speeds: dict[str, tuple[int, float]] = {}  # match id -> blocks and seconds, measured
        self._games, self._seconds = 0, 0.0  # measured over all matches
        self.games_left = 0
        for each, spans in zip(planned, finished, strict=True):
            self.add(each, spans)

    def add(self, planned: PlannedMatch, finished: Iterable[Span]) -> int:
        """Hand out what is missing of one more match, or further blocks of one; how many blocks."""
        missing = missing_spans(finished, planned.blocks)
        if missing:
            self._left.append((planned, deque(missing)))
        blocks = sum(count for _, count in missing)
        self.games_left += blocks * planned.match.rotations
        return blocks

    def next_task(self, wait_for: Callable[[Match], bool] = lambda _: False) -> ChunkTask | None:
        """The next chunk to play; None when all have been handed out that need not wait."""
        found = next((each for each in self._left if not wait_for(each[0].match)), None)
        if found is None:
            return None
        planned, spans = found
        first, blocks = spans.popleft()
        taken = min(blocks, self._size(planned, blocks))
        if taken < blocks:
            spans.appendleft((first + taken, blocks - taken))
        if not spans:
            self._left.remove(found)
        self.games_left -= taken * planned.match.rotations
        return ChunkTask(
            chunk=Chunk(match=planned.match, first_block=first, blocks=taken),
            ruleset=planned.ruleset,
            specs=planned.specs,
            engine=self._engine,
            isolation=self._isolation,
        )

    def learn(self, result: ChunkResult) -> None:
        """Take the time that a chunk needed as a measure for the next ones of its match."""
        seconds = max(result.seconds, 1e-4)
        self._speeds[result.chunk.match.id] = (result.chunk.blocks, seconds)
        self._games += result.stats.games
        self._seconds += seconds

    def drop(self, match_id: str) -> None:
        """Hand out no more chunks of this match."""
        for each, spans in list(self._left):
            if each.match.id == match_id:
                self._left.remove((each, spans))
                self.games_left -= each.match.rotations * sum(blocks for _, blocks in spans)

    def _size(self, planned: PlannedMatch, left: int) -> int:
        if self._fixed:
            return self._fixed
        rotations = planned.match.rotations
        measured = self._speeds.get(planned.match.id)
        if measured is None:
            games = FIRST_GAMES[self._engine]
            if self._seconds:
                games = max(games, int(FIRST_SECONDS * self._games / self._seconds))
            return max(1, games // rotations)
        blocks, seconds = measured
        aim = min(GROWTH * blocks, int(CHUNK_SECONDS * blocks / seconds))
        if len(self._left) == 1:
            # The end of the run: smaller chunks, so that no worker is left alone with a large one.
            aim = min(aim, max(-(-left // (2 * self._workers)), int(0.1 * blocks / seconds)))
        return max(1, aim)

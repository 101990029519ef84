"""What an engine counts while it plays a run of blocks; the same for referee and kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TURN_BINS: Final = 64
TURN_BIN_POINTS: Final = 50
SCORE_BINS: Final = 64
SCORE_BINS_TO_TARGET: Final = 50
ROUND_BINS: Final = 128


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counts:
    """Counts of B blocks of one match; S seats, K rotations (S, or 1 where seats are fixed).

    In rotation k the bot at place b of the match's order sits in seat (b - k) mod S, from 0.

    Attributes:
        winners: uint8[B, K], bit s is set where seat s (from 0) won; more than one is a draw.
        turns: int64[S], turns begun by each bot (by its place in the match).
        rolls: int64[S], rolls thrown.
        busts: int64[S], turns ended by a bust.
        written: int64[S], points written, penalties not taken off.
        decisions: int64[S], decisions that had to be made.
        forfeits: int64[S], games forfeited.
        turn_points: int64[S, TURN_BINS], turns by points written, TURN_BIN_POINTS to a bin; the
            first bin holds 0 to 49, the last everything above.
        final_scores: int64[S, SCORE_BINS], games by final score, SCORE_BINS_TO_TARGET bins up to
            the target; negative scores in the first, large ones in the last.
        rounds: int64[ROUND_BINS], games by rounds begun; long ones in the last.
    """

    winners: NDArray[np.uint8]
    turns: NDArray[np.int64]
    rolls: NDArray[np.int64]
    busts: NDArray[np.int64]
    written: NDArray[np.int64]
    decisions: NDArray[np.int64]
    forfeits: NDArray[np.int64]
    turn_points: NDArray[np.int64]
    final_scores: NDArray[np.int64]
    rounds: NDArray[np.int64]


def zero_counts(*, blocks: int, rotations: int, seats: int) -> Counts:
    """Counts with nothing counted yet, to be filled in place by an engine."""
    import numpy as np  # takes longer to import than all of arena, and `arena --help` needs none

    def per_bot(*bins: int) -> NDArray[np.int64]:
        return np.zeros((seats, *bins), dtype=np.int64)

    return Counts(
        winners=np.zeros((blocks, rotations), dtype=np.uint8),
        turns=per_bot(),
        rolls=per_bot(),
        busts=per_bot(),
        written=per_bot(),
        decisions=per_bot(),
        forfeits=per_bot(),
        turn_points=per_bot(TURN_BINS),
        final_scores=per_bot(SCORE_BINS),
        rounds=np.zeros(ROUND_BINS, dtype=np.int64),
    )


def turn_bin(written: int) -> int:
    """Bin of a turn that wrote so many points."""
    return min(written // TURN_BIN_POINTS, TURN_BINS - 1)


def score_bin(score: int, target: int) -> int:
    """Bin of a final score."""
    return min(max(score * SCORE_BINS_TO_TARGET // target, 0), SCORE_BINS - 1)


def round_bin(rounds: int) -> int:
    """Bin of a game of so many rounds."""
    return min(rounds, ROUND_BINS - 1)

"""The language in which an engine asks a bot: batches of positions, and answers with notes.

N questions go to one bot at once. A position is a roll and a row of features; everything that a
`Turn` shows follows from the two. An answer is a decision code and, where the bot answered from
the position alone, the notes of what it learnt: linear expressions of the features and the
interval that each was found in. Every position of the same roll that satisfies all notes of an
answer has the same answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FAULT: Final = -1
"""Code of an answer that is none: the bot raised, was cut off, or decided illegally."""

UNBOUNDED: Final = 1 << 60
"""A note's low end is -UNBOUNDED or its high end UNBOUNDED where that side is open."""


class Feature(IntEnum):
    """Columns of a position; the scores of the others follow from OPPONENT on, in turn order."""

    POINTS = 0
    ROLLS = 1
    LIMITED_ROLLS = 2
    SCORE = 3
    ROUND = 4
    SEAT = 5
    LAST_ROUND = 6
    TO_BEAT = 7
    BUSTS = 8
    OPEN = 9
    OPPONENT = 10


def feature_count(seats: int) -> int:
    """F, the number of columns of a position in a game of so many seats."""
    return Feature.OPPONENT + seats - 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Questions:
    """N positions that one bot is asked about.

    Attributes:
        rolls: int64[N], roll ids of the ruleset's tables; all of them score.
        features: int64[N, F], see `Feature`; flags are 0 or 1.
        rng_seeds: uint64[N], seed of `turn.rng` at each position.
        slots: int64[N], for bots that remember: which of the games in progress this is.
        fresh: bool[N], for bots that remember: whether it is the first question of the game in
            that slot, so that whatever was remembered there is to be dropped.
    """

    rolls: NDArray[np.int64]
    features: NDArray[np.int64]
    rng_seeds: NDArray[np.uint64]
    slots: NDArray[np.int64]
    fresh: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.rolls)

    def only(self, which: NDArray[np.int64]) -> Questions:
        """These questions alone, in this order."""
        return Questions(
            rolls=self.rolls[which],
            features=self.features[which],
            rng_seeds=self.rng_seeds[which],
            slots=self.slots[which],
            fresh=self.fresh[which],
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Answers:
    """What one bot answered to N questions, with M notes in all.

    Notes do not say what is true anyway: flags are 0 or 1, points and busts not below 0, rolls and
    rounds not below 1, and this is not the last roll that a turn can ever have. An answer at that
    roll (ROLLS is `MAX_ROLLS_PER_TURN`) is never repeatable, and an engine has to ask there however
    much it remembers.

    Attributes:
        codes: int64[N], `Decision.code` (legal at the position), or FAULT.
        repeatable: bool[N], whether the answer may be remembered under its notes.
        note_first: int64[N + 1], notes of answer i are `note_first[i]` to `note_first[i + 1] - 1`,
            in the order in which they were learnt; none where the answer is not repeatable.
        note_weights: int64[M, F], coefficients of the linear expression of each note.
        note_low: int64[M], the expression was found to be at least this.
        note_high: int64[M], and at most this.
    """

    codes: NDArray[np.int64]
    repeatable: NDArray[np.bool_]
    note_first: NDArray[np.int64]
    note_weights: NDArray[np.int64]
    note_low: NDArray[np.int64]
    note_high: NDArray[np.int64]


class Asked(Protocol):
    """A bot that answers batches."""

    @property
    def repeatable(self) -> bool:
        """Whether answers may be remembered; once False it stays False."""

    @property
    def sees_dice(self) -> bool:
        """Whether an answer may depend on the faces of the dice, not only on what each hold is
        worth and leaves; once True it stays True."""

    @property
    def awake(self) -> bool:
        """Whether it can be asked at once; else its process has to be started first."""

    def answer(self, questions: Questions) -> Answers:
        """Answer all questions, in order."""

    def audit(self, questions: Questions) -> NDArray[np.int64]:
        """int64[N]: decision codes of a fresh instance, asked with plain integers in other order.

        Used to check remembered answers; faults are not recorded.
        """

    def distrust(self, question: Questions) -> None:
        """Take down that the bot answered this one question differently when asked again.

        From then on `repeatable` is False and the bot is asked every time.
        """

    def ask_every_time(self) -> None:
        """Note no answers any more, as they were hardly ever used again; it is no fault.

        From then on `repeatable` is False.
        """

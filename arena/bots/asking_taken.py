"""`Taken`: the answers of a batch, as they come in."""

from __future__ import annotations

from array import array

import numpy as np

from arena.bots.notebook import Notebook, Weights
from arena.game.questions import Answers


class Taken:
    """The answers of a batch, as they come in; see `arena.game.Answers`."""

    __slots__ = ("codes", "first", "high", "low", "repeatable", "weights")

    def __init__(self) -> None:
        self.codes: array[int] = array("q")
        self.repeatable: list[bool] = []
        self.first: list[int] = [0]
        self.weights: list[Weights] = []
        self.low: list[int] = []
        self.high: list[int] = []

    def code(self, code: int) -> None:
        """An answer that may not be remembered."""
        self.codes.append(code)
        self.repeatable.append(False)
        self.first.append(len(self.low))

    def noted(self, code: int, book: Notebook) -> None:
        """An answer that may be remembered under the notes of the book."""
        self.codes.append(code)
        self.repeatable.append(True)
        self.weights += book.weights
        self.low += book.low
        self.high += book.high
        self.first.append(len(self.low))

    def disbelieve(self) -> None:
        """Drop all notes: no answer may be remembered."""
        count = len(self.codes)
        self.repeatable, self.first = [False] * count, [0] * (count + 1)
        self.weights, self.low, self.high = [], [], []

    def answers(self, features: int) -> Answers:
        """All answers as arrays."""
        return Answers(
            codes=np.array(self.codes, dtype=np.int64),
            repeatable=np.array(self.repeatable, dtype=np.bool_),
            note_first=np.array(self.first, dtype=np.int64),
            note_weights=np.array(self.weights, dtype=np.int64).reshape(-1, features),
            note_low=np.array(self.low, dtype=np.int64),
            note_high=np.array(self.high, dtype=np.int64),
        )

"""What tests of observed numbers share: plain positions, and what notes say about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.bots.notebook import Desk, Notebook, units_of
from arena.bots.observed import Observed
from arena.game.questions import Answers, Feature, feature_count

SEATS = 3

Position = tuple[int, int]
"""Values of the two numbers that a test observes: score and first opponent."""


def features_at(position: Position) -> list[int]:
    """A whole position around the two numbers."""
    features = [1] * feature_count(SEATS)
    features[Feature.SCORE], features[Feature.OPPONENT] = position
    return features


def observed(position: Position) -> tuple[Observed, Observed, Notebook]:
    """The two numbers of a position as observed numbers, and their notebook."""
    features = features_at(position)
    book = Notebook(features, SEATS, Desk())
    units = units_of(SEATS)
    x, y = (
        Observed(book, units[feature], 0, features[feature])
        for feature in (Feature.SCORE, Feature.OPPONENT)
    )
    return x, y, book


def covered(book: Notebook, positions: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which positions, int64[N, F], satisfy all notes of a book."""
    values = positions @ np.array(book.weights, dtype=np.int64).reshape(-1, positions.shape[1]).T
    inside = (np.array(book.low) <= values) & (values <= np.array(book.high))
    return np.asarray(inside.all(axis=1))


def notes_cover(answers: Answers, i: int, features: Sequence[int]) -> bool:
    """Whether a position of the same roll satisfies all notes of answer i."""
    notes = slice(answers.note_first[i], answers.note_first[i + 1])
    values = answers.note_weights[notes] @ np.array(features, dtype=np.int64)
    inside = (answers.note_low[notes] <= values) & (values <= answers.note_high[notes])
    return bool(inside.all())


def revealed(result: Any, position: Position) -> Any:
    """A result with every observed number in it replaced by what it is at a position."""
    if type(result) is Observed:
        features = features_at(position)
        weights = result._weights
        return result._constant + sum(w * f for w, f in zip(weights, features, strict=True))
    if type(result) in (list, tuple):
        return type(result)(revealed(item, position) for item in result)
    return result


def result_of(function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function gives or raises."""
    try:
        return function(*arguments)
    except Exception as error:  # the kind of error is part of how a number behaves
        return type(error)


def same(one: Any, other: Any) -> bool:
    """Whether two results are equal in type and value."""
    if type(one) is not type(other):
        return False
    if type(one) in (list, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and repr(one.tolist()) == repr(other.tolist())
    return repr(one) == repr(other)


def check(function: Callable[..., Any], positions: Iterable[Position]) -> None:
    """Nothing is learnt without being noted, and every result is that of plain integers.

    A function of two numbers is called at each position with observed numbers. At every position
    that satisfies the notes, plain integers must give the same result.
    """
    positions = list(positions)
    rows = np.array([features_at(position) for position in positions], dtype=np.int64)
    plain = [result_of(function, *position) for position in positions]
    for i, position in enumerate(positions):
        x, y, book = observed(position)
        result = result_of(function, x, y)
        inside = np.flatnonzero(covered(book, rows)).tolist()
        assert i in inside, (position, book.weights, book.low, book.high)
        for j in inside:
            shown = revealed(result, positions[j])
            assert same(shown, plain[j]), (position, positions[j], shown, plain[j])


LINE: list[Position] = [(x, 3) for x in range(-70, 71)]
"""Positions for functions of the first number alone."""

SQUARE: list[Position] = [(x, y) for x in range(-6, 7) for y in range(-6, 7)]
"""Positions for functions of both."""

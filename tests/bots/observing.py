"""What tests of observed numbers share: plain positions, and what notes say about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

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


def satisfies(book: Notebook, features: Sequence[int]) -> bool:
    """Whether a position satisfies all notes of a book."""
    for weights, low, high in zip(book.weights, book.low, book.high, strict=True):
        value = sum(w * f for w, f in zip(weights, features, strict=True))
        if not low <= value <= high:
            return False
    return True


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
    plain = {position: result_of(function, *position) for position in positions}
    for position in positions:
        x, y, book = observed(position)
        result = result_of(function, x, y)
        assert satisfies(book, features_at(position)), (position, book.weights, book.low, book.high)
        for other in positions:
            if satisfies(book, features_at(other)):
                shown = revealed(result, other)
                assert same(shown, plain[other]), (position, other, shown, plain[other])


LINE: list[Position] = [(x, 3) for x in range(-70, 71)]
"""Positions for functions of the first number alone."""

SQUARE: list[Position] = [(x, y) for x in range(-6, 7) for y in range(-6, 7)]
"""Positions for functions of both."""

"""Notebooks: what a bot has learnt about the position of one question.

A note is a linear expression of the features and the interval that it was found in. Notes are
complete: every position of the same roll that satisfies them all gives the same outcomes, hence the
same next thing to learn, hence, in the end, the same answer. What follows from earlier notes and
from what is true of every position is not noted again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import gcd
from typing import Final

from arena.game.questions import UNBOUNDED, Feature, feature_count
from arena.rules import MAX_ROLLS_PER_TURN, MAX_ROUNDS

MAX_WEIGHTS: Final = 1 << 22
"""Sum of the sizes of a note's weights, at most. No feature exceeds 2**37 (6e7 points a roll, 1000
rolls a turn), so that compiled code computes every expression in 64 bits, far from `UNBOUNDED`."""

MAX_BOUND: Final = UNBOUNDED >> 1
"""No bound of a note is larger, open ends left aside."""

MAX_NOTES: Final = 150
"""A bot that learns more than this in one question has the whole position noted."""

Weights = tuple[int, ...]
Interval = tuple[int, int]
_ANY: Final = (-UNBOUNDED, UNBOUNDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A linear expression in lowest terms.

    Attributes:
        weights: without common divisor, the first that is not zero positive.
        factor: the expression is this many times the one with `weights`; may be negative.
        features: bit i is set where feature i takes part.
        alone: whether it is one feature and nothing else.
        fits: whether the weights are small enough for a note.
    """

    weights: Weights
    factor: int
    features: int
    alone: bool
    fits: bool


@lru_cache(maxsize=4096)
def form_of(weights: Weights) -> Form:
    """Lowest terms of an expression that has at least one feature in it."""
    factor = gcd(*weights)
    if next(weight for weight in weights if weight) < 0:
        factor = -factor
    lowest = tuple(weight // factor for weight in weights)
    features = [i for i, weight in enumerate(lowest) if weight]
    return Form(
        weights=lowest,
        factor=factor,
        features=sum(1 << i for i in features),
        alone=len(features) == 1,
        fits=sum(map(abs, lowest)) <= MAX_WEIGHTS,
    )


@lru_cache(maxsize=8)
def units_of(seats: int) -> tuple[Weights, ...]:
    """The expressions that are one feature each."""
    count = feature_count(seats)
    return tuple(tuple(int(i == j) for j in range(count)) for i in range(count))


@lru_cache(maxsize=8)
def true_of_all(seats: int) -> dict[Weights, Interval]:
    """What is true of every position that a bot is traced at, by expression."""
    unit = units_of(seats)
    return {
        unit[Feature.POINTS]: (0, UNBOUNDED),
        unit[Feature.ROLLS]: (1, MAX_ROLLS_PER_TURN - 1),
        unit[Feature.LIMITED_ROLLS]: (1, MAX_ROLLS_PER_TURN - 1),
        unit[Feature.ROUND]: (1, MAX_ROUNDS),
        unit[Feature.SEAT]: (1, seats),
        unit[Feature.LAST_ROUND]: (0, 1),
        unit[Feature.BUSTS]: (0, UNBOUNDED),
        unit[Feature.OPEN]: (0, 1),
    }


class Desk:
    """Where the notebooks of one bot lie, one open at a time.

    Attributes:
        stale: whether a number of a closed notebook was used, which a bot can only do if it kept
            it from an earlier question.
    """

    __slots__ = ("stale",)

    def __init__(self) -> None:
        self.stale = False


class Notebook:
    """The notes of one question. Once closed it takes none, and only tells the desk.

    Args:
        features: the position.
        seats: players in the game.
        desk: where it lies.

    Attributes:
        weights, low, high: the notes in the order in which they were learnt.
        repeatable: False once something was used that is not part of the position.
    """

    __slots__ = (
        "_desk",
        "_known",
        "_pinned",
        "_units",
        "closed",
        "features",
        "high",
        "low",
        "repeatable",
        "weights",
    )

    def __init__(self, features: list[int], seats: int, desk: Desk) -> None:
        self.features = features
        self.weights: list[Weights] = []
        self.low: list[int] = []
        self.high: list[int] = []
        self.repeatable = True
        self.closed = False
        self._desk = desk
        self._units = units_of(seats)
        self._known = true_of_all(seats).copy()
        self._pinned = 0  # bit i: the notes say what feature i is

    def at_least(self, weights: Weights, bound: int, value: int) -> bool:
        """Whether an expression, which is `value` here, is at least `bound`; noted."""
        form = form_of(weights)
        if self._needs_no_note(form):
            return value >= bound
        factor = form.factor
        if factor > 0:
            return self._cut(form, -(-bound // factor), value // factor)
        # factor * k >= bound is k <= bound / factor for a negative factor
        return not self._cut(form, bound // factor + 1, value // factor)

    def equals(self, weights: Weights, other: int, value: int) -> bool:
        """Whether an expression, which is `value` here, equals `other`; noted as inequalities."""
        form = form_of(weights)
        if self._needs_no_note(form):
            return value == other
        factor = form.factor
        if other % factor:
            return False  # at every position
        bound, k = other // factor, value // factor
        return self._cut(form, bound, k) and not self._cut(form, bound + 1, k)

    def learn(self, weights: Weights, value: int) -> None:
        """Note that an expression is `value`."""
        form = form_of(weights)
        if not self._needs_no_note(form):
            k = value // form.factor
            self._write(form, k, k)

    def learn_between(self, weights: Weights, low: int, high: int, value: int) -> None:
        """Note that an expression, which is `value` here, was found from `low` to `high`."""
        form = form_of(weights)
        if self._needs_no_note(form):
            return
        factor = form.factor
        if factor < 0:
            low, high = high, low
        low, high = -(-low // factor), high // factor  # up and down to whole multiples
        if low > -MAX_BOUND and high < MAX_BOUND:
            self._write(form, low, high)
        else:
            k = value // factor
            self._write(form, k, k)

    def flag(self, feature: Feature) -> bool:
        """A feature that is 0 or 1; noted."""
        return self.at_least(self._units[feature], 1, self.features[feature])

    def feature(self, feature: Feature) -> int:
        """The value of a feature; noted."""
        value = self.features[feature]
        self.learn(self._units[feature], value)
        return value

    def whole(self) -> None:
        """Note every feature."""
        for unit, value in zip(self._units, self.features, strict=True):
            form = form_of(unit)
            if not self._needs_no_note(form):
                self._pin(form, value)

    def close(self) -> None:
        """Take no more notes."""
        self.closed = True

    def __reduce_ex__(self, protocol: object) -> str:
        raise TypeError("a notebook cannot be copied")

    def _needs_no_note(self, form: Form) -> bool:
        """Whether the outcome follows from earlier notes, or there is no writing at all."""
        if self.closed:
            self._desk.stale = True
            return True
        if not form.features & ~self._pinned:
            return True
        if form.fits:
            return False
        for i, unit in enumerate(self._units):
            if form.features & ~self._pinned & 1 << i:
                self._pin(form_of(unit), self.features[i])
        return True

    def _cut(self, form: Form, bound: int, k: int) -> bool:
        """Whether the expression in lowest terms, which is k here, is at least `bound`."""
        low, high = self._known.get(form.weights, _ANY)
        if low >= bound:
            return True
        if high < bound:
            return False
        if not -MAX_BOUND < bound < MAX_BOUND:
            self._write(form, k, k)
        elif k >= bound:
            self._write(form, bound, UNBOUNDED)
        else:
            self._write(form, -UNBOUNDED, bound - 1)
        return k >= bound

    def _write(self, form: Form, low: int, high: int) -> None:
        if len(self.weights) >= MAX_NOTES:
            self.whole()
            return
        known_low, known_high = self._known.get(form.weights, _ANY)
        if low <= known_low and known_high <= high:
            return
        self.weights.append(form.weights)
        self.low.append(low)
        self.high.append(high)
        low, high = max(low, known_low), min(high, known_high)
        self._known[form.weights] = (low, high)
        if form.alone and low == high:
            self._pinned |= form.features

    def _pin(self, form: Form, value: int) -> None:
        known = self._known.get(form.weights, _ANY)
        if known != (value, value):
            self.weights.append(form.weights)
            self.low.append(value)
            self.high.append(value)
            self._known[form.weights] = (value, value)
        self._pinned |= form.features

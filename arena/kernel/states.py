"""The state of a turn: what a bot looks at that stays the same throughout it.

A score-aware bot asks the same about the scores at every roll of a turn. Its inequalities of that
kind, as far as they are few, are looked at once when the turn begins (*predicates*, see `layout`);
below a root only what changes within a turn is left to ask, so that such a bot plays nearly as fast
as one that ignores the scores.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.game.questions import UNBOUNDED, Feature
from arena.jit import compiled, inlined
from arena.kernel.layout import (
    LAST_ROUND_BIT,
    OPEN_BIT,
    PREDICATE_SET,
    PREDICATE_SHIFT,
    PREDICATE_TERMS,
    PREDICATE_WORDS,
)
from arena.kernel.notes import reduced

_1, _2, _3, _4, _5, _6 = (np.uint64(i) for i in range(1, 7))
_WORDS = np.uint64(PREDICATE_WORDS)


@inlined
def state_of(predicates: Any, tree: Any, x: Any) -> Any:
    """The state of a turn, see `layout`, from the features that stay the same throughout it."""
    state = x[Feature.OPEN] | x[Feature.LAST_ROUND] << 1
    at = np.uint64(tree * PREDICATE_SET)
    for bit in range(PREDICATE_SHIFT, PREDICATE_SHIFT + predicates[at]):
        at += _WORDS
        value = (
            x[np.uint64(predicates[at + _1])] * predicates[at + _2]
            + x[np.uint64(predicates[at + _3])] * predicates[at + _4]
            + x[np.uint64(predicates[at + _5])] * predicates[at + _6]
        )
        state |= np.int64(value >= predicates[at]) << bit
    return state


@compiled
def dense_predicate(predicates: Any, tree: Any, number: Any, out: Any) -> Any:
    """Write the weights of a predicate into out, int64[F]; its threshold."""
    out[:] = 0
    at = tree * PREDICATE_SET + PREDICATE_WORDS * (number + 1)
    for term in range(at + 1, at + 1 + 2 * PREDICATE_TERMS, 2):
        out[predicates[term]] += predicates[term + 1]
    return predicates[at]


@compiled
def decided(
    predicates: Any, tree: Any, x: Any, units: Any, weights: Any, lows: Any, highs: Any
) -> Any:
    """Mask of the bits of the state that the notes of an answer decide."""
    mask = np.int64(0)
    expression = np.empty(len(x), dtype=np.int64)
    predicate = np.empty(len(x), dtype=np.int64)
    for note in range(len(lows)):
        if weights[note, Feature.OPEN]:
            mask |= OPEN_BIT
        if weights[note, Feature.LAST_ROUND]:
            mask |= LAST_ROUND_BIT
        terms, low, high = reduced(weights[note], lows[note], highs[note], x, units, expression)
        for number in range(predicates[tree * PREDICATE_SET]):
            threshold = dense_predicate(predicates, tree, number, predicate)
            same = terms > 0 and np.array_equal(predicate, expression)
            if same and (low >= threshold or high < threshold):
                mask |= np.int64(1) << (number + PREDICATE_SHIFT)
    return mask


@compiled
def candidates(x: Any, units: Any, weights: Any, lows: Any, highs: Any, out: Any) -> Any:
    """Find the notes that could be predicates; how many.

    They can where they compare features that stay the same throughout a turn.

    Args:
        x: int64[M, F], the position of each note, in units.
        out: int64[M, F + 1], gets the weights and the threshold of each candidate.
    """
    found = 0
    features = x.shape[1]
    expression = np.empty(features, dtype=np.int64)
    for note in range(len(lows)):
        terms, low, high = reduced(
            weights[note], lows[note], highs[note], x[note], units, expression
        )
        moves = expression[Feature.POINTS] or expression[Feature.ROLLS]
        moves = moves or expression[Feature.LIMITED_ROLLS]
        one_sided = (low == -UNBOUNDED) != (high == UNBOUNDED)
        if one_sided and not moves and 1 <= terms <= PREDICATE_TERMS:
            out[found, :features] = expression
            out[found, features] = low if low > -UNBOUNDED else high + 1
            found += 1
    return found


def write_predicates(predicates: NDArray[np.int64], tree: int, chosen: NDArray[np.int64]) -> None:
    """Give a bot these predicates, int64[N, F + 1] as from `candidates`, N up to PREDICATES."""
    at = tree * PREDICATE_SET
    predicates[at : at + PREDICATE_SET] = 0
    predicates[at] = len(chosen)
    for number, row in enumerate(chosen, start=1):
        word = at + number * PREDICATE_WORDS
        predicates[word] = row[-1]
        for term, feature in enumerate(np.flatnonzero(row[:-1])):
            predicates[word + 1 + 2 * term] = feature
            predicates[word + 2 + 2 * term] = row[feature]

"""Putting answers into decision trees: the notes of an answer become tests and switches.

On the way from the root down everything that the tests and switches say about the position is
collected; a note that follows from it costs no node. See `trees` for the memory.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arena.game.questions import UNBOUNDED, Feature
from arena.jit import compiled
from arena.kernel.layout import (
    ENTRY_WORDS,
    HEAD,
    KIND_BITS,
    KIND_MASK,
    PREDICATE_SET,
    PREDICATE_SHIFT,
    TREE,
    UNKNOWN,
)
from arena.kernel.notes import reduced
from arena.kernel.states import decided, dense_predicate, state_of

FIRST_CHILDREN: Final = 8
MAX_CHILDREN: Final = 1 << 14
MAX_DEPTH: Final = 400
MAX_OPEN_BITS: Final = 4

INSERTED, NO_ROOM, UNFIT = 0, 1, 2

_KIND = np.uint32(KIND_MASK)
_TREE = np.uint32(TREE)
_UNKNOWN = np.uint32(UNKNOWN)


@compiled
def _new_node(nodes: Any, used: Any, weights: Any, terms: Any, size: Any) -> Any:
    """Index of a node with its terms written, followed by `size` children; -1 without room."""
    k = used[0]
    if k + HEAD + 2 * terms + size > len(nodes):
        return np.int64(-1)
    at = k + HEAD
    for f in range(len(weights)):
        if weights[f] != 0:
            nodes[at] = f
            nodes[at + 1] = weights[f]
            at += 2
    for child in range(size):
        nodes[at + child] = UNKNOWN
    used[0] = at + size
    return k


@compiled
def _grow(nodes: Any, used: Any, k: Any, value: Any) -> Any:
    """Give switch k a child for a value it has none for; a status."""
    low, size, first = nodes[k + 1], nodes[k + 2], nodes[k + 3]
    new_low, new_size = low, size
    while value < new_low or value >= new_low + new_size:
        if value < new_low:
            new_low -= new_size
        new_size *= 2
        if new_size > MAX_CHILDREN:
            return UNFIT
    if used[0] + new_size > len(nodes):
        return NO_ROOM
    start = used[0]
    for child in range(new_size):
        nodes[start + child] = UNKNOWN
    for child in range(size):
        nodes[start + low - new_low + child] = nodes[first + child]
    nodes[k + 1], nodes[k + 2], nodes[k + 3] = new_low, new_size, start
    used[0] = start + new_size
    return INSERTED


@compiled
def insert(
    entries: Any,
    nodes: Any,
    used: Any,
    entry: Any,
    predicates: Any,
    tree: Any,
    state: Any,
    x: Any,
    units: Any,
    weights: Any,
    lows: Any,
    highs: Any,
    leaf: Any,
    path: Any,
    path_low: Any,
    path_high: Any,
) -> Any:
    """Remember one answer under one root.

    Args:
        entries: uint32, all entries.
        nodes, used: the pool and int64[1], the words of it in use.
        entry: index of the root's first word in `entries`.
        predicates, tree, state: all predicates, the tree set and the state of the root.
        x: int64[F], the position in units.
        units: int64[F], `feature_units`.
        weights, lows, highs: int64[M, F], int64[M], int64[M], the notes as the bot gave them.
        leaf: what to do wherever the notes hold.
        path, path_low, path_high: int64[MAX_DEPTH, F], int64[MAX_DEPTH], scratch: what is known
            on the way from the root.

    Returns:
        INSERTED, NO_ROOM (grow the pool and call again) or UNFIT (it cannot be remembered).
    """
    features = len(x)
    path[:] = 0
    depth = 0
    for f in (Feature.POINTS, Feature.ROLLS, Feature.LIMITED_ROLLS, Feature.ROUND, Feature.BUSTS):
        path[depth, f] = 1  # known of every position, so that no test is spent on it
        path_low[depth] = 0 if f in (Feature.POINTS, Feature.BUSTS) else 1
        path_high[depth] = UNBOUNDED
        depth += 1
    for bit in range(PREDICATE_SHIFT, PREDICATE_SHIFT + predicates[tree * PREDICATE_SET]):
        threshold = dense_predicate(predicates, tree, bit - PREDICATE_SHIFT, path[depth])
        holds = (state >> bit) & 1
        path_low[depth] = threshold if holds else -UNBOUNDED
        path_high[depth] = UNBOUNDED if holds else threshold - 1
        depth += 1
    root = np.int64(entries[entry])
    fresh = root == 0 and entries[entry + 1] == UNKNOWN and entries[entry + 2] == UNKNOWN
    in_entry = True
    where = entry + 2
    if root > 0:
        path[depth, Feature.POINTS] = 1
        path_low[depth], path_high[depth] = root, UNBOUNDED
        if x[Feature.POINTS] < root:
            where = entry + 1
            path_low[depth], path_high[depth] = -UNBOUNDED, root - 1
        depth += 1
    current = entries[where]
    while current & _KIND == _TREE:
        if depth >= MAX_DEPTH - 2:
            return UNFIT
        k = np.int64(current >> np.uint32(KIND_BITS))
        value = np.int64(0)
        for term in range(k + HEAD, k + HEAD + (nodes[k] >> 1) * 2, 2):
            value += nodes[term + 1] * x[nodes[term]]
            path[depth, nodes[term]] = nodes[term + 1]
        if nodes[k] & 1 == 0:
            above = value >= nodes[k + 1]
            path_low[depth] = nodes[k + 1] if above else -UNBOUNDED
            path_high[depth] = UNBOUNDED if above else nodes[k + 1] - 1
            where = k + 3 if above else k + 2
        else:
            if value < nodes[k + 1] or value >= nodes[k + 1] + nodes[k + 2]:
                status = _grow(nodes, used, k, value)
                if status != INSERTED:
                    return status
            path_low[depth] = path_high[depth] = value
            where = nodes[k + 3] + value - nodes[k + 1]
        depth += 1
        in_entry = False
        current = np.uint32(nodes[where])
    if current != _UNKNOWN:
        return INSERTED
    expression = np.empty(features, dtype=np.int64)
    for note in range(len(lows)):
        terms, low, high = reduced(weights[note], lows[note], highs[note], x, units, expression)
        if terms == 0:
            continue
        known_low, known_high = np.int64(-UNBOUNDED), np.int64(UNBOUNDED)
        for step in range(depth):
            if np.array_equal(path[step], expression):
                known_low = max(known_low, path_low[step])
                known_high = min(known_high, path_high[step])
        if known_low >= low and known_high <= high:
            continue
        if depth >= MAX_DEPTH - 3:
            return UNFIT
        value = np.int64(0)
        for column in range(features):
            value += expression[column] * x[column]
        if low == high:
            k = _new_node(nodes, used, expression, terms, FIRST_CHILDREN)
            if k < 0:
                return NO_ROOM
            nodes[k] = terms * 2 + 1
            nodes[k + 1] = value // FIRST_CHILDREN * FIRST_CHILDREN
            nodes[k + 2] = FIRST_CHILDREN
            nodes[k + 3] = k + HEAD + 2 * terms
            if in_entry:
                entries[where] = np.uint32(TREE | k << KIND_BITS)
            else:
                nodes[where] = TREE | k << KIND_BITS
            fresh = in_entry = False
            where = nodes[k + 3] + value - nodes[k + 1]
            path[depth] = expression
            path_low[depth] = path_high[depth] = value
            depth += 1
            continue
        for side in range(2):
            if (side == 0 and known_low >= low) or (side == 1 and known_high <= high):
                continue
            threshold = low if side == 0 else high + 1
            above = side == 0
            only_points = terms == 1 and expression[Feature.POINTS] == 1
            if fresh and only_points and 0 < threshold < 1 << 32:
                entries[entry] = np.uint32(threshold)
                where = entry + 2 if above else entry + 1
            else:
                k = _new_node(nodes, used, expression, terms, 0)
                if k < 0:
                    return NO_ROOM
                nodes[k] = terms * 2
                nodes[k + 1] = threshold
                nodes[k + 2] = nodes[k + 3] = UNKNOWN
                if in_entry:
                    entries[where] = np.uint32(TREE | k << KIND_BITS)
                else:
                    nodes[where] = TREE | k << KIND_BITS
                in_entry = False
                where = k + 3 if above else k + 2
            fresh = False
            path[depth] = expression
            path_low[depth] = low if above else -UNBOUNDED
            path_high[depth] = UNBOUNDED if above else high
            depth += 1
    if in_entry:
        entries[where] = leaf
    else:
        nodes[where] = np.int64(leaf)
    return INSERTED


@compiled
def insert_batch(
    entries: Any,
    nodes: Any,
    used: Any,
    done: Any,
    fitted: Any,
    predicates: Any,
    tree: Any,
    rolls: Any,
    base: Any,
    stride: Any,
    x: Any,
    units: Any,
    first: Any,
    weights: Any,
    lows: Any,
    highs: Any,
    leaves: Any,
    path: Any,
    path_low: Any,
    path_high: Any,
) -> Any:
    """Remember the answers of a batch from number `done[0]` on; INSERTED, or NO_ROOM to go on.

    An answer goes under the roots of all states that its notes leave open, if they are few.

    Args:
        done: int64[1], answers that are done with.
        fitted: bool[N]: in, whether the answer may be remembered; out, whether it is.
        predicates, tree: all predicates, and the tree set of the bot.
        rolls: int64[N].
        base, stride: of the tree set, see `layout.SetWord`.
        x: int64[N, F], positions in units.
        first, weights, lows, highs: notes, see `Answers`.
        leaves: uint32[N].
    """
    while done[0] < len(leaves):
        i = done[0]
        if fitted[i]:
            notes = slice(first[i], first[i + 1])
            own = state_of(predicates, tree, x[i])
            mask = decided(predicates, tree, x[i], units, weights[notes], lows[notes], highs[notes])
            bits = PREDICATE_SHIFT + predicates[tree * PREDICATE_SET]
            states = np.int64(1) << bits
            still_open = 0
            for bit in range(bits):
                still_open += 1 - ((mask >> bit) & 1)
            if still_open > MAX_OPEN_BITS:
                mask = states - 1
            for state in range(states):
                if (state ^ own) & mask:
                    continue
                status = insert(
                    entries,
                    nodes,
                    used,
                    (base + state * stride + rolls[i]) * ENTRY_WORDS,
                    predicates,
                    tree,
                    state,
                    x[i],
                    units,
                    weights[notes],
                    lows[notes],
                    highs[notes],
                    leaves[i],
                    path,
                    path_low,
                    path_high,
                )
                if status == NO_ROOM:
                    return NO_ROOM
                if status == UNFIT and state == own:
                    fitted[i] = False
        done[0] += 1
    return INSERTED

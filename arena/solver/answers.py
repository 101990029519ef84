"""What a bot answers everywhere, learnt question by question.

For each kind of roll the answers form a binary tree. An inner node compares a linear expression
of the features of the position with a threshold; a leaf is a decision code or not known yet. A new
answer turns the unknown leaf that its position fell into into a chain of its own notes, each of
which is one or two comparisons. Hence every position that reaches a leaf satisfies all notes of
its answer, in whatever order and however merged they were learnt.

A node that splits the turn's own features apart from those of the table (scores, round, seat, ...)
also says for which tables its comparison comes out the same; see `turn_walk`.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.game import UNBOUNDED, Feature, feature_count
from arena.jit import compiled

FEATURES: Final = feature_count(2)
TABLE: Final = int(Feature.SCORE)
"""The features from here on describe the table; those before it the turn."""

UNKNOWN: Final = -1
LEAF: Final = -2
"""A reference is a node from 0 on, UNKNOWN, or `LEAF - code`."""


class TreeArrays(NamedTuple):
    """The trees as arrays. W distinct expressions, N nodes, R rolls.

    Attributes:
        weights: int64[W, F], coefficients of each expression.
        expression: int64[N], of each node.
        threshold: int64[N], the expression is compared with it.
        child: int64[N, 2], references for less than the threshold, and for at least.
        asked: int64[N, 2, 3], of the unknown leaf on each side: the last pass in which a question
            went out from it, the number of that question, and positions met there in that pass.
        root: int64[R], references.
        root_asked: int64[R, 3], as `asked`.
    """

    weights: NDArray[np.int64]
    expression: NDArray[np.int64]
    threshold: NDArray[np.int64]
    child: NDArray[np.int64]
    asked: NDArray[np.int64]
    root: NDArray[np.int64]
    root_asked: NDArray[np.int64]


class Ranges(NamedTuple):
    """Least and largest value of every feature: int64[F] each."""

    low: NDArray[np.int64]
    high: NDArray[np.int64]


class AnswerTrees:
    """Decision trees that grow.

    Args:
        roots: number of trees.
    """

    def __init__(self, roots: int) -> None:
        self.arrays = TreeArrays(
            weights=np.zeros((0, FEATURES), dtype=np.int64),
            expression=np.zeros(1024, dtype=np.int64),
            threshold=np.zeros(1024, dtype=np.int64),
            child=np.full((1024, 2), UNKNOWN, dtype=np.int64),
            asked=np.zeros((1024, 2, 3), dtype=np.int64),
            root=np.full(roots, UNKNOWN, dtype=np.int64),
            root_asked=np.zeros((roots, 3), dtype=np.int64),
        )
        self.nodes = 0
        self._known: dict[bytes, int] = {}

    def reads(self, feature: Feature) -> bool:
        """Whether any comparison so far involves a feature."""
        return bool(self.arrays.weights[:, feature].any())

    def most(self, feature: Feature, *, below: int = UNBOUNDED) -> int | None:
        """The largest value of a feature from which on nothing changes; None if not known.

        Thresholds that only values from `below` on reach are left aside.
        """
        arrays = self.arrays
        weights = arrays.weights
        found = 0
        for w in np.flatnonzero(weights[:, feature]):
            if np.count_nonzero(weights[w]) > 1:
                return None
            at = arrays.threshold[: self.nodes][arrays.expression[: self.nodes] == w]
            values = np.abs(at) // abs(int(weights[w, feature])) + 1
            found = max(found, int(values[values < below].max(initial=0)))
        return found

    def most_within(self, feature: Feature, ranges: Ranges) -> int:
        """The least value of a feature from which on nothing changes, whatever the others are.

        A comparison `c * x + rest >= t` comes out alike for all larger x once `c * x` outweighs
        all that the rest can be.
        """
        weights, nodes = self.arrays.weights, self.nodes
        found = 0
        for w in np.flatnonzero(weights[:, feature]):
            rest = weights[w].copy()
            rest[feature] = 0
            ends = rest * ranges.low, rest * ranges.high
            least = int(np.minimum(*ends).sum())
            largest = int(np.maximum(*ends).sum())
            slope = int(weights[w, feature])
            at = self.arrays.threshold[:nodes][self.arrays.expression[:nodes] == w]
            far = at - least if slope > 0 else largest - at + 1
            values = -(-far // abs(slope))
            found = max(found, int(values.max(initial=0)))
        return found

    def expressions(self, weights: NDArray[np.int64]) -> NDArray[np.int64]:
        """Numbers of expressions, new ones included.

        Args:
            weights: int64[M, F].
        """
        if not len(weights):
            return np.zeros(0, dtype=np.int64)
        rows = np.ascontiguousarray(weights)
        flat = rows.view(np.dtype((np.void, rows.dtype.itemsize * FEATURES))).ravel()
        _, first, inverse = np.unique(flat, return_index=True, return_inverse=True)
        numbers = np.array([self._number(rows[at]) for at in first], dtype=np.int64)
        return numbers[inverse]

    def _number(self, row: NDArray[np.int64]) -> int:
        key = row.tobytes()
        if key not in self._known:
            self._known[key] = len(self._known)
            weights = np.vstack([self.arrays.weights, row[None, :]])
            self.arrays = self.arrays._replace(weights=weights)
        return self._known[key]

    def make_room(self, nodes: int) -> None:
        """Room for so many more nodes."""
        arrays = self.arrays
        have = len(arrays.expression)
        if self.nodes + nodes <= have:
            return
        more = max(self.nodes + nodes, 2 * have) - have
        self.arrays = arrays._replace(
            expression=np.concatenate([arrays.expression, np.zeros(more, dtype=np.int64)]),
            threshold=np.concatenate([arrays.threshold, np.zeros(more, dtype=np.int64)]),
            child=np.vstack([arrays.child, np.full((more, 2), UNKNOWN, dtype=np.int64)]),
            asked=np.vstack([arrays.asked, np.zeros((more, 2, 3), dtype=np.int64)]),
        )

    def copy_trees(self, sources: NDArray[np.int64]) -> None:
        """Put copies of the trees in their place.

        Args:
            sources: int64[R], of which tree each of the new ones is a copy.
        """
        have = self.arrays
        roots = have.root[sources]
        self.arrays = have._replace(root=roots, root_asked=np.zeros((len(roots), 3), np.int64))
        _, first = np.unique(sources, return_index=True)
        for at in np.setdiff1d(np.arange(len(roots)), first):
            self._copy_tree(at)

    def _copy_tree(self, root: np.int64) -> None:
        """Give a tree nodes of its own."""
        if self.arrays.root[root] < 0:
            return
        nodes = _nodes_below(self.arrays, self.arrays.root[root], self.nodes)
        count = len(nodes)
        self.make_room(count)
        arrays, new = self.arrays, slice(self.nodes, self.nodes + count)
        arrays.expression[new] = arrays.expression[nodes]
        arrays.threshold[new] = arrays.threshold[nodes]
        child = arrays.child[nodes]
        arrays.child[new] = np.where(child < 0, child, self.nodes + np.searchsorted(nodes, child))
        arrays.root[root] = self.nodes + np.searchsorted(nodes, arrays.root[root])
        self.nodes += count

    def insert(
        self,
        roots: NDArray[np.int64],
        features: NDArray[np.int64],
        leaves: NDArray[np.int64],
        notes: Notes,
    ) -> None:
        """Take down M answers.

        Args:
            roots: int64[M], the tree of each.
            features: int64[M, F], positions.
            leaves: int64[M], references to leaves.
            notes: what each answer rests on.
        """
        notes = turn_first(notes)
        self.make_room(2 * len(notes.low))
        numbers = self.expressions(notes.weights)
        self.nodes = _insert(
            self.arrays,
            self.nodes,
            roots,
            features,
            leaves,
            notes.first,
            numbers,
            notes.low,
            notes.high,
        )


class Notes(NamedTuple):
    """Notes of M answers, as in `arena.game.Answers`."""

    first: NDArray[np.int64]
    weights: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]


def turn_first(notes: Notes) -> Notes:
    """The same notes, of each answer those about the turn alone first.

    Any order is as true. This one lets a walk skip what does not depend on the table.
    """
    answer = np.repeat(np.arange(len(notes.first) - 1), np.diff(notes.first))
    order = np.lexsort([notes.weights[:, TABLE:].any(axis=1), answer])
    return Notes(notes.first, notes.weights[order], notes.low[order], notes.high[order])


@compiled
def _value(weights: Any, w: Any, x: Any) -> Any:
    total = np.int64(0)
    for f in range(FEATURES):
        total += weights[w, f] * x[f]
    return total


@compiled
def _insert(
    trees: Any,
    nodes: Any,
    roots: Any,
    features: Any,
    leaves: Any,
    first: Any,
    numbers: Any,
    low: Any,
    high: Any,
) -> Any:
    """Hang answers into their trees; returns the number of nodes."""
    unbounded = np.int64(1) << 60
    for i in range(len(roots)):
        x = features[i]
        node, side = np.int64(-1), 0
        at = trees.root[roots[i]]
        while at >= 0:
            node = at
            side = int(_value(trees.weights, trees.expression[at], x) >= trees.threshold[at])
            at = trees.child[at, side]
        if at != UNKNOWN:
            continue  # two questions of one batch had the same answer
        for note in range(first[i], first[i + 1]):
            for upper in range(2):
                bound = high[note] + 1 if upper else low[note]
                if bound <= -unbounded or bound >= unbounded:
                    continue
                trees.expression[nodes] = numbers[note]
                trees.threshold[nodes] = bound
                trees.child[nodes, 0] = UNKNOWN
                trees.child[nodes, 1] = UNKNOWN
                if node < 0:
                    trees.root[roots[i]] = nodes
                else:
                    trees.child[node, side] = nodes
                node, side = np.int64(nodes), 1 - upper
                nodes += 1
        if node < 0:
            trees.root[roots[i]] = leaves[i]
        else:
            trees.child[node, side] = leaves[i]
    return nodes


@compiled
def _nodes_below(trees: Any, root: Any, count: Any) -> Any:
    """int64[M]: all inner nodes from a reference on, ascending; `count` nodes there are."""
    waiting = np.empty(count + 1, dtype=np.int64)
    waiting[0] = root
    left = 1
    seen = np.zeros(count, dtype=np.bool_)
    while left:
        left -= 1
        at = waiting[left]
        if at < 0:
            continue
        seen[at] = True
        for side in range(2):
            if trees.child[at, side] >= 0:
                waiting[left] = trees.child[at, side]
                left += 1
    return np.flatnonzero(seen)


@compiled
def find_leaves(trees: Any, roots: Any, features: Any, out: Any) -> None:
    """Leaves of N positions: int64[N] tree, int64[N, F] features, int64[N] out."""
    for i in range(len(roots)):
        at = trees.root[roots[i]]
        while at >= 0:
            value = _value(trees.weights, trees.expression[at], features[i])
            at = trees.child[at, int(value >= trees.threshold[at])]
        out[i] = at

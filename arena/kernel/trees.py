"""Remembered answers: decision trees over inequalities and values, walked without Python.

Each bot has, for each of `STATES` and each roll, one tree. Its root is an entry (see `layout`), its
inner nodes lie in one pool of int64 words, at index k:

    k      terms * 2, + 1 for a switch
    k + 1  a test: threshold; a switch: the value of the first child
    k + 2  a test: leaf where the expression is below; a switch: number of children
    k + 3  a test: leaf where it is not; a switch: index of the first child in the pool
    k + 4  feature of the first term, k + 5 its weight, and so on

A test compares a linear expression of the features with a threshold, a switch has one child for
each value of one. Features and thresholds are in the units of `layout.feature_units`.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.game.questions import Answers
from arena.jit import inlined
from arena.kernel.insertion import INSERTED, MAX_DEPTH, insert_batch
from arena.kernel.layout import (
    ENTRY_WORDS,
    HEAD,
    KIND_BITS,
    KIND_MASK,
    PREDICATE_SET,
    PREDICATES,
    STATES,
    TREE,
    UNKNOWN,
)
from arena.kernel.states import candidates, write_predicates

FIRST_WORDS: Final = 1 << 16
MAX_WORDS: Final = 1 << 24
"""The pool never has more words (128 MiB); past it, bots are asked again."""

LEARNING: Final = (300, 2000, 8000)
"""Answers of a bot after which its predicates are chosen, and chosen anew."""

FREQUENT: Final = 0.2
"""An inequality is a predicate if this share of the answers looked at it."""

_KIND = np.uint32(KIND_MASK)
_TREE = np.uint32(TREE)
_KIND_BITS = np.uint32(KIND_BITS)
_HEAD, _1, _2, _3 = np.uint64(HEAD), np.uint64(1), np.uint64(2), np.uint64(3)
_UNKNOWN = np.uint32(UNKNOWN)


@inlined
def walk(nodes: Any, leaf: Any, x: Any) -> Any:
    """The leaf below a leaf of kind TREE at features x; UNKNOWN where no answer covers x."""
    while leaf & _KIND == _TREE:
        k = np.uint64(leaf >> _KIND_BITS)
        head = nodes[k]
        term = k + _HEAD
        value = nodes[term + _1] * x[np.uint64(nodes[term])]
        for _ in range(1, head >> 1):
            term += _2
            value += nodes[term + _1] * x[np.uint64(nodes[term])]
        if head & 1 == 0:
            # Indexed, not chosen by an `if`: that would be mispredicted half of the time.
            leaf = np.uint32(nodes[k + _2 + np.uint64(value >= nodes[k + _1])])
        else:
            child = value - nodes[k + _1]
            if 0 <= child < nodes[k + _2]:
                leaf = np.uint32(nodes[np.uint64(nodes[k + _3] + child)])
            else:
                leaf = _UNKNOWN
    return leaf


class Trees:
    """The trees of several bots on one ruleset; grows as bots and answers come in.

    Each bot has a *tree set*, counted from 0. The pool grows up to `MAX_WORDS`.

    Args:
        fixed: uint32[R], `layout.fixed_leaves`.
        classes: uint16[R], `layout.roll_classes`.
        units: int64[F], `layout.feature_units`.

    Attributes:
        entries: uint32[sets * STATES * R * ENTRY_WORDS].
        full: whether answers found no room in the pool.
        nodes: int64, the pool.
        predicates: int64, PREDICATE_SET words for each bot, see `layout`.
    """

    def __init__(
        self,
        fixed: NDArray[np.uint32],
        classes: NDArray[np.uint16],
        units: NDArray[np.int64],
    ) -> None:
        self._fixed = fixed
        self._fixed_by_class = np.zeros_like(fixed)
        self._fixed_by_class[classes] = fixed
        self._units = units
        self.entries = np.zeros(0, dtype=np.uint32)
        self.nodes = np.zeros(FIRST_WORDS, dtype=np.int64)
        self.full = False
        self._used = np.zeros(1, dtype=np.int64)
        self.predicates = np.zeros(0, dtype=np.int64)
        self._by_class: list[bool] = []
        # Answers that come in while predicates are still learnt, to be put in anew with each.
        self._logs: list[list[_Batch] | None] = []
        self._lessons: list[int] = []
        self._path = np.zeros((MAX_DEPTH, len(units)), dtype=np.int64)
        self._bounds = np.zeros((2, MAX_DEPTH), dtype=np.int64)

    @property
    def set_words(self) -> int:
        """Words of the entries of one bot."""
        return STATES * len(self._fixed) * ENTRY_WORDS

    def add_set(self) -> int:
        """Room for one bot more; the number of its tree set."""
        self.entries = np.concatenate([self.entries, np.zeros(self.set_words, dtype=np.uint32)])
        self.predicates = np.concatenate([self.predicates, np.zeros(PREDICATE_SET, dtype=np.int64)])
        self._by_class.append(True)
        self._logs.append([])
        self._lessons.append(0)
        self.begin_set(len(self._logs) - 1)
        return len(self._logs) - 1

    def begin_set(self, tree_set: int) -> None:
        """Give a tree set to a bot of which nothing is known."""
        self._by_class[tree_set] = True
        self._begin(tree_set)

    def clear(self) -> None:
        """Drop all answers of all bots, so that there is room again."""
        self._used[:] = 0
        self.full = False
        for tree_set in range(len(self._logs)):
            self._begin(tree_set)

    def forget(self, tree_set: int, leaf: int) -> None:
        """Drop all answers of one bot; every roll that it is asked about gets this leaf."""
        entries = self.entries.reshape(-1, STATES, len(self._fixed), ENTRY_WORDS)[tree_set]
        entries[:, :, 0] = 0
        fixed = self._fixed_by_class if self._by_class[tree_set] else self._fixed
        entries[:, :, 1:3] = np.where(fixed == UNKNOWN, leaf, fixed)[None, :, None]

    def tell_rolls_apart(self, tree_set: int) -> None:
        """From now on a bot has trees for each roll, no longer for each class; all are dropped."""
        self._by_class[tree_set] = False
        self._begin(tree_set)

    def _begin(self, tree_set: int) -> None:
        self._logs[tree_set], self._lessons[tree_set] = [], 0
        write_predicates(self.predicates, tree_set, np.zeros((0, len(self._units) + 1), np.int64))
        self.forget(tree_set, UNKNOWN)

    def remember(
        self,
        tree: int,
        rolls: NDArray[np.int64],
        features: NDArray[np.int64],
        answers: Answers,
        leaves: NDArray[np.uint32],
    ) -> NDArray[np.bool_]:
        """Remember the repeatable answers of one bot's batch as far as there is room.

        Args:
            tree: tree set of the bot.
            rolls: int64[N], rolls or, while they are not told apart, classes.
            features: int64[N, F], in points.
            answers: to the N questions.
            leaves: uint32[N], what each answer means.

        Returns:
            bool[N], which of them are remembered.
        """
        batch = _Batch(rolls, features // self._units, answers, leaves)
        log = self._logs[tree]
        if log is not None:
            log.append(batch)
            self._learn(tree, log)
        return self._insert(tree, batch)

    def _learn(self, tree: int, log: list[_Batch]) -> None:
        """Choose predicates when enough answers have come in, and put the answers in anew."""
        answers = sum(len(batch.rolls) for batch in log)
        if answers < LEARNING[self._lessons[tree]]:
            return
        self._lessons[tree] += 1
        chosen = self._frequent(log, answers)
        at = tree * PREDICATE_SET
        before = self.predicates[at : at + PREDICATE_SET].copy()
        write_predicates(self.predicates, tree, chosen)
        if not np.array_equal(before, self.predicates[at : at + PREDICATE_SET]):
            self.forget(tree, UNKNOWN)
            for batch in log[:-1]:
                self._insert(tree, batch)
        if self._lessons[tree] == len(LEARNING):
            self._logs[tree] = None

    def _frequent(self, log: list[_Batch], answers: int) -> NDArray[np.int64]:
        """The inequalities that many of the answers looked at, int64[N, F + 1], N <= PREDICATES."""
        found = []
        for batch in log:
            notes = batch.answers
            at = np.repeat(np.arange(len(batch.rolls)), np.diff(notes.note_first))
            out = np.zeros((len(at), len(self._units) + 1), dtype=np.int64)
            count = candidates(
                batch.x[at], self._units, notes.note_weights, notes.note_low, notes.note_high, out
            )
            found.append(out[:count])
        rows, counts = np.unique(np.concatenate(found), axis=0, return_counts=True)
        order = np.argsort(-counts, kind="stable")[:PREDICATES]
        return rows[order[counts[order] >= FREQUENT * answers]]

    def _insert(self, tree: int, batch: _Batch) -> NDArray[np.bool_]:
        done = np.zeros(1, dtype=np.int64)
        answers = batch.answers
        fitted = answers.repeatable.copy()
        while True:
            status = insert_batch(
                self.entries,
                self.nodes,
                self._used,
                done,
                fitted,
                self.predicates,
                tree,
                batch.rolls,
                len(self._fixed),
                batch.x,
                self._units,
                answers.note_first,
                answers.note_weights,
                answers.note_low,
                answers.note_high,
                batch.leaves,
                self._path,
                self._bounds[0],
                self._bounds[1],
            )
            if status == INSERTED:
                return fitted
            if 2 * len(self.nodes) > MAX_WORDS:
                fitted[done[0] :] = False
                self.full = True
                return fitted
            self.nodes = np.concatenate([self.nodes, np.zeros_like(self.nodes)])


class _Batch(NamedTuple):
    """Answers of one bot; see `Trees.remember`."""

    rolls: NDArray[np.int64]
    x: NDArray[np.int64]
    answers: Answers
    leaves: NDArray[np.uint32]

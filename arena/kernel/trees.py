"""Remembered answers: decision trees over inequalities and values, walked without Python.

Each bot has, for each state of a turn and each roll, one tree. Its root is an entry (see `layout`),
its inner nodes lie in one pool of int64 words, at index k:

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
    PREDICATE_SHIFT,
    PREDICATES,
    SET_WORDS,
    TREE,
    UNKNOWN,
    SetWord,
)
from arena.kernel.states import candidates, write_predicates

FIRST_ENTRIES: Final = 1 << 13

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

    Each bot has a *tree set*, counted from 0: an entry for each state and each roll or, as long as
    the bot has not looked at faces, each class of rolls. The pool grows up to `MAX_WORDS`.

    Args:
        fixed: uint32[R], `layout.fixed_leaves`.
        classes: uint16[R], `layout.roll_classes`.
        class_shift: where classes begin in `Rules.roll_of`.
        units: int64[F], `layout.feature_units`.

    Attributes:
        entries: uint32[E * ENTRY_WORDS], of all tree sets.
        noisy: bool[E], whether answers below this entry could not be remembered.
        marks: int64[E], the wave in which was last asked below it, see `waiting.choose`.
        nodes: int64, the pool.
        full: whether answers found no room in the pool.
        predicates: int64, PREDICATE_SET words for each tree set, see `layout`.
        sets: int64, SET_WORDS words for each tree set, see `layout.SetWord`.
        entries_used: entries of all tree sets.
    """

    def __init__(
        self,
        fixed: NDArray[np.uint32],
        classes: NDArray[np.uint16],
        class_shift: int,
        units: NDArray[np.int64],
    ) -> None:
        self._fixed = fixed
        self._fixed_by_class = np.zeros(int(classes.max(initial=0)) + 1, dtype=np.uint32)
        self._fixed_by_class[classes] = fixed
        self._class_shift = class_shift
        self._units = units
        self.entries = np.zeros(FIRST_ENTRIES * ENTRY_WORDS, dtype=np.uint32)
        self.noisy = np.zeros(FIRST_ENTRIES, dtype=np.bool_)
        self.marks = np.zeros(FIRST_ENTRIES, dtype=np.int64)
        self.nodes = np.zeros(FIRST_WORDS, dtype=np.int64)
        self.full = False
        self.predicates = np.zeros(0, dtype=np.int64)
        self.sets = np.zeros(0, dtype=np.int64)
        self.entries_used = 0
        self._used = np.zeros(1, dtype=np.int64)
        self._end = 0  # of what was ever used of the entries
        self._sizes: list[int] = []  # of the tree sets, entries
        self._left: dict[int, list[int]] = {}  # where tree sets of a size were that are no more
        # Answers that come in while predicates are still learnt, to be put in anew with each.
        self._logs: list[list[_Batch] | None] = []
        self._lessons: list[int] = []
        self._path = np.zeros((MAX_DEPTH, len(units)), dtype=np.int64)
        self._bounds = np.zeros((2, MAX_DEPTH), dtype=np.int64)

    def by_class(self, tree_set: int) -> bool:
        """Whether a tree set is one of classes of rolls."""
        return bool(self.sets[tree_set * SET_WORDS + SetWord.SHIFT])

    def add_set(self) -> int:
        """Room for one bot more; the number of its tree set."""
        self.predicates = np.concatenate([self.predicates, np.zeros(PREDICATE_SET, dtype=np.int64)])
        self.sets = np.concatenate([self.sets, np.zeros(SET_WORDS, dtype=np.int64)])
        self._logs.append([])
        self._lessons.append(0)
        self._sizes.append(0)
        self.begin_set(len(self._logs) - 1)
        return len(self._logs) - 1

    def begin_set(self, tree_set: int) -> None:
        """Give a tree set to a bot of which nothing is known."""
        self.sets[tree_set * SET_WORDS + SetWord.SHIFT] = self._class_shift
        self._begin(tree_set)

    def tell_rolls_apart(self, tree_set: int) -> None:
        """From now on a bot has trees for each roll, no longer for each class; all are dropped."""
        self.sets[tree_set * SET_WORDS + SetWord.SHIFT] = 0
        self._begin(tree_set)

    def clear(self) -> None:
        """Drop all answers of all bots, so that there is room again."""
        self._used[:] = 0
        self.full = False
        for tree_set in range(len(self._logs)):
            self._begin(tree_set)

    def _begin(self, tree_set: int) -> None:
        self._logs[tree_set], self._lessons[tree_set] = [], 0
        write_predicates(self.predicates, tree_set, np.zeros((0, len(self._units) + 1), np.int64))
        self._place(tree_set)

    def _place(self, tree_set: int) -> None:
        """Find entries for as many states as the predicates make; nothing is remembered there."""
        at = tree_set * SET_WORDS
        if self._sizes[tree_set]:
            base = int(self.sets[at + SetWord.BASE])
            self._left.setdefault(self._sizes[tree_set], []).append(base)
        stride = len(self._fixed_by_class if self.by_class(tree_set) else self._fixed)
        size = stride << (PREDICATE_SHIFT + int(self.predicates[tree_set * PREDICATE_SET]))
        self.sets[at + SetWord.STRIDE] = stride
        self.sets[at + SetWord.BASE] = self._room(size)
        self.entries_used += size - self._sizes[tree_set]
        self._sizes[tree_set] = size
        self.forget(tree_set, UNKNOWN)

    def _room(self, size: int) -> int:
        """Where so many entries are free."""
        if self._left.get(size):
            return self._left[size].pop()
        at, self._end = self._end, self._end + size
        while self._end > len(self.noisy):
            self.entries = np.concatenate([self.entries, np.zeros_like(self.entries)])
            self.noisy = np.concatenate([self.noisy, np.zeros_like(self.noisy)])
            self.marks = np.concatenate([self.marks, np.zeros_like(self.marks)])
        return at

    def forget(self, tree_set: int, leaf: int) -> None:
        """Drop all answers of one bot; every roll that it is asked about gets this leaf."""
        base = int(self.sets[tree_set * SET_WORDS + SetWord.BASE])
        end = base + self._sizes[tree_set]
        fixed = self._fixed_by_class if self.by_class(tree_set) else self._fixed
        entries = self.entries[base * ENTRY_WORDS : end * ENTRY_WORDS]
        entries = entries.reshape(-1, len(fixed), ENTRY_WORDS)
        entries[:, :, 0] = 0
        entries[:, :, 1:3] = np.where(fixed == UNKNOWN, leaf, fixed)[None, :, None]
        self.noisy[base:end] = False
        self.marks[base:end] = -1

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
            self._place(tree)
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
                self.sets[tree * SET_WORDS + SetWord.BASE],
                self.sets[tree * SET_WORDS + SetWord.STRIDE],
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

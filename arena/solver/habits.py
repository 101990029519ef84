"""Decisions in words, and the same decision at all scores taken together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.rules import REROLL_CODE, Roll, Ruleset, rule_tables
from arena.solver.graph import turn_graph

NOTED: Final = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One way to go on after a roll.

    Attributes:
        keeps: dice that are held; none where all are rolled again.
        banks: whether the turn ends.
    """

    keeps: tuple[int, ...]
    banks: bool

    def __str__(self) -> str:
        if not self.keeps:
            return "rolls all again"
        return f"keeps {' '.join(map(str, self.keeps))} and {'banks' if self.banks else 'rolls'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Habit:
    """The same blunder at all scores.

    Attributes:
        points: gathered in the turn before this roll.
        dice: on the table.
        did: what the bot decides.
        best: what is best.
        frequency: how often it happens in one game.
        cost: win probability lost in one game.
    """

    points: int
    dice: tuple[int, ...]
    did: Choice
    best: Choice
    frequency: float
    cost: float


class Habits:
    """Costs summed over all tables."""

    def __init__(self, rules: Ruleset) -> None:
        self._rolls = rule_tables(rules).rolls
        self._unit = turn_graph(rules).unit
        self._kinds = np.zeros((0, 4), dtype=np.int64)
        self._sums = np.zeros((0, 2))
        self._new: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = []
        self._count = 0

    def add(
        self, where: NDArray[np.int64], often: NDArray[np.float64], cost: NDArray[np.float64]
    ) -> None:
        """Add blunders of one table."""
        kinds = where[:, [0, 1, 3, 4]].copy()
        self._new.append((kinds, np.column_stack([often, cost])))
        self._count += len(kinds)
        if self._count > NOTED:
            self._gather()

    def _gather(self) -> None:
        kinds = np.concatenate([self._kinds, *(kinds for kinds, _ in self._new)])
        sums = np.concatenate([self._sums, *(sums for _, sums in self._new)])
        sizes = kinds.max(axis=0, initial=0) + 1
        _, first, inverse = np.unique(
            np.ravel_multi_index(tuple(kinds.T), tuple(sizes)),
            return_index=True,
            return_inverse=True,
        )
        self._kinds = kinds[first]
        self._sums = np.column_stack(
            [np.bincount(inverse.reshape(-1), weights=column) for column in sums.T]
        )
        self._new, self._count = [], 0

    def worst(self, most: int) -> list[Habit]:
        """Those that cost most, worst first."""
        self._gather()
        order = np.argsort(-self._sums[:, 1], kind="stable")[:most]
        return [self._habit(self._kinds[at], self._sums[at]) for at in order]

    def _habit(self, kind: NDArray[np.int64], sums: NDArray[np.float64]) -> Habit:
        roll = self._rolls[kind[0]]
        return Habit(
            points=int(kind[1]) * self._unit,
            dice=roll.dice,
            did=choice_of(roll, int(kind[2])),
            best=choice_of(roll, int(kind[3])),
            frequency=float(sums[0]),
            cost=float(sums[1]),
        )


def choice_of(roll: Roll, code: int) -> Choice:
    """What a decision code means."""
    if code == REROLL_CODE:
        return Choice(keeps=(), banks=False)
    return Choice(keeps=roll.holds[code >> 1].dice, banks=not code & 1)

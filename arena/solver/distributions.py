"""How the turns of a bot end, as far as anybody has asked, and at which tables alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from arena.game import UNBOUNDED, Asked, Feature
from arena.rules import MAX_ROLLS_PER_TURN, RuleTables
from arena.solver.answers import (
    LEAF,
    TABLE,
    UNKNOWN,
    AnswerTrees,
    Notes,
    find_leaves,
)
from arena.solver.learning import LearntAnswers
from arena.solver.turn_walk import (
    DONE,
    ENDLESS,
    NOWHERE,
    ROLLS,
    TOO_FAR,
    WIN,
    WalkMemory,
    WalkRules,
    walk_memory,
    walk_turn,
)

FIRST_UNITS: Final = 512
QUESTIONS: Final = 8192
VISITS: Final = 4096
FEW: Final = 1024
"""Where a pass asks fewer questions than this, the next one looks at twice as many tables."""

MOST: Final = 1024
"""A pass looks at no more tables than that."""


class EndArrays(NamedTuple):
    """K distributions of the ends of turns, with E entries in all.

    Attributes:
        first: int64[K + 1], entries of distribution k are `first[k]` to the next less one.
        units: int64[E], units gathered.
        stop: float64[E], probability that the turn ends with them, not by a bust.
        lost: float64[E], probability that a bust ends it.
        win: float64[K], probability of an instant win.
        rolls: float64[K], rolls on average.
    """

    first: NDArray[np.int64]
    units: NDArray[np.int64]
    stop: NDArray[np.float64]
    lost: NDArray[np.float64]
    win: NDArray[np.float64]
    rolls: NDArray[np.float64]


class EndPool:
    """Distributions that are added one by one."""

    def __init__(self) -> None:
        self._entries = np.zeros((3, 1024))
        self._first = [0]
        self._totals: list[NDArray[np.float64]] = []
        self._arrays: EndArrays | None = None

    def add(
        self, stop: NDArray[np.float64], lost: NDArray[np.float64], total: NDArray[np.float64]
    ) -> int:
        """Take down the outcome of a walk; its number."""
        found = np.flatnonzero((stop > 0) | (lost > 0))
        begin, end = self._first[-1], self._first[-1] + len(found)
        if end > self._entries.shape[1]:
            more = np.zeros((3, 2 * end))
            more[:, :begin] = self._entries[:, :begin]
            self._entries = more
        self._entries[:, begin:end] = found, stop[found], lost[found]
        self._first.append(end)
        self._totals.append(total.copy())
        self._arrays = None
        return len(self._totals) - 1

    @property
    def arrays(self) -> EndArrays:
        """All of them."""
        if self._arrays is None:
            units, stop, lost = self._entries[:, : self._first[-1]]
            totals = np.array(self._totals).reshape(-1, 2)
            self._arrays = EndArrays(
                first=np.array(self._first, dtype=np.int64),
                units=units.astype(np.int64),
                stop=np.ascontiguousarray(stop),
                lost=np.ascontiguousarray(lost),
                win=np.ascontiguousarray(totals[:, WIN]),
                rolls=np.ascontiguousarray(totals[:, ROLLS]),
            )
        return self._arrays


class Turns(Protocol):
    """A player whose turns can be computed."""

    name: str

    @property
    def ends(self) -> EndArrays:
        """All distributions that were computed."""

    def at(self, tables: NDArray[np.int64]) -> NDArray[np.int64]:
        """int64[N]: the distribution at each of N tables, int64[N, F] with turn features 0."""

    def reads(self, feature: Feature) -> bool:
        """Whether its decisions may depend on a feature, as far as is known."""

    def most_busts(self) -> int | None:
        """The longest row of busts that may make a difference; None if that is not known."""


class BotTurns:
    """The turns of a bot, by walking its decision trees.

    Args:
        tables: of the ruleset.
        bot: answers questions for games of two.
        name: of the bot, for messages.
        explain: see `LearntAnswers`.
    """

    def __init__(
        self,
        tables: RuleTables,
        bot: Asked,
        name: str,
        explain: Callable[[int], str] = lambda question: "",
    ) -> None:
        self.name = name
        self.answers = LearntAnswers(bot, name, tables, explain=explain)
        self.pool = EndPool()
        self._alike = AnswerTrees(1)
        self._units = FIRST_UNITS
        self._memory = walk_memory(
            self._rules, units=self._units, expressions=0, questions=QUESTIONS, visits=VISITS
        )
        self._began = 0  # the roll from which on `begin` holds
        self._step = 0
        self._last_known = (-1, 1)

    @property
    def ends(self) -> EndArrays:
        """All distributions that were computed."""
        return self.pool.arrays

    def reads(self, feature: Feature) -> bool:
        """Whether its decisions may depend on a feature, as far as is known."""
        return self.answers.trees.reads(feature)

    def most_busts(self) -> int | None:
        """The longest row of busts that may make a difference; None if that is not known."""
        return self.answers.trees.most(Feature.BUSTS)

    @property
    def _rules(self) -> WalkRules:
        """Of the rolls, as far as they are told apart."""
        return self.answers.kinds.walk

    @property
    def most_points(self) -> int:
        """More than any turn so far has gathered."""
        return self._units * self._rules.unit

    def at(self, tables: NDArray[np.int64]) -> NDArray[np.int64]:
        """int64[N]: the distribution at each of N tables, int64[N, F] with turn features 0."""
        found = self._known(tables)
        missing = np.flatnonzero(found == UNKNOWN)
        if len(missing):
            self._resolve(np.unique(tables[missing], axis=0))
            found = self._known(tables)
        return np.asarray(LEAF - found)

    def positions(self, table: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Positions before each roll of the turn at a table that was computed.

        Returns:
            int64[V, 4]: units, dice, number of the roll, counted number; float64[V]: how often.
            Good until the next call of anything.
        """
        while True:
            self._walk(table, 0)
            memory = self._memory
            count = int(memory.visits[0])
            if count < len(memory.visit):
                return memory.visit[:count], memory.visit_mass[:count]
            self._memory = self._new_memory(units=self._units, visits=2 * len(memory.visit))

    def _known(self, tables: NDArray[np.int64]) -> NDArray[np.int64]:
        out = np.empty(len(tables), dtype=np.int64)
        roots = np.zeros(len(tables), dtype=np.int64)
        find_leaves(self._alike.arrays, roots, tables, out)
        return out

    def _resolve(self, tables: NDArray[np.int64]) -> None:
        """Compute the turn at all these tables, asking the bot as needed."""
        waiting = np.arange(len(tables))
        window = 1
        while len(waiting):
            asked = self._look(tables, waiting[:window])
            waiting = waiting[self._known(tables[waiting]) == UNKNOWN]
            window = max(1, window // 2) if asked > FEW else min(2 * window, MOST)

    def _look(self, tables: NDArray[np.int64], waiting: NDArray[np.int64]) -> int:
        """Walk the turns at these tables once, then ask what came up; how many questions.

        Tables at which all comparisons of a walk come out the same have the same walk, complete or
        not, so that only one of them is looked at.
        """
        self._step += 1
        asked = 0
        parts = tables[waiting][:, TABLE:] @ self.answers.trees.arrays.weights[:, TABLE:].T
        while len(waiting):
            table = tables[waiting[0]]
            self._memory.number[0] = waiting[0]
            status, asked = self._walk(table, asked)
            if status == DONE:
                self._take_down(table)
            low, high = self._bounds()
            others = ((parts < low) | (parts > high)).any(axis=1)
            waiting, parts = waiting[others], parts[others]
        if asked:
            question = self._memory.question[:asked]
            features = tables[question[:, TABLE]]
            features[:, :TABLE] = question[:, :TABLE]
            self.answers.learn(self._memory.question_roll[:asked].copy(), features)
        return asked

    def _bounds(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Between what the table's part of each expression has to be for the last walk."""
        count = len(self.answers.trees.arrays.weights)
        return self._memory.low[:count], self._memory.high[:count]

    def _walk(self, table: NDArray[np.int64], asked: int) -> tuple[int, int]:
        """Walk one turn, with as much memory as it takes."""
        self._adapt()
        trees = self.answers.trees.arrays
        last = self._last_roll()
        while True:
            status, asked = walk_turn(
                self._rules, trees, self._memory, table, last, self._step, asked
            )
            if status == ENDLESS:
                last = MAX_ROLLS_PER_TURN
                self._memory.begin[:] = NOWHERE
                self._began = last
            elif status == TOO_FAR:
                self._units *= 2
                self._memory = self._new_memory(units=self._units)
            else:
                return status, asked

    def _adapt(self) -> None:
        """Make the memory fit what was learnt since the last walk."""
        trees, kinds = self.answers.trees.arrays, len(self._rules.prob)
        if len(self._memory.low) < len(trees.weights) or len(self._memory.begin) != kinds:
            self._memory = self._new_memory(expressions=2 * len(trees.weights))
        last = self._last_roll()
        if last != self._began:
            self._memory.begin[:] = NOWHERE
            self._began = last

    def _new_memory(self, *, units: int = 0, expressions: int = 0, visits: int = 0) -> WalkMemory:
        """Larger memory, with the same questions."""
        old = self._memory
        new = walk_memory(
            self._rules,
            units=units or len(old.stop),
            expressions=expressions or len(old.low),
            questions=QUESTIONS,
            visits=visits or len(old.visit),
        )
        return new._replace(
            question=old.question, question_roll=old.question_roll, number=old.number
        )

    def _last_roll(self) -> int:
        """The roll from which on its number makes no difference to the rules and to the bot."""
        trees = self.answers.trees
        if trees.nodes != self._last_known[0]:
            last = 1 if self._rules.reset else max(1, self._rules.max_rolls)
            for feature in (Feature.ROLLS, Feature.LIMITED_ROLLS):
                most = trees.most(feature, below=MAX_ROLLS_PER_TURN - 1)
                last = MAX_ROLLS_PER_TURN if most is None else max(last, most + 1)
            self._last_known = trees.nodes, min(last, MAX_ROLLS_PER_TURN)
        return self._last_known[1]

    def _take_down(self, table: NDArray[np.int64]) -> None:
        """Keep the outcome of a walk for all tables at which it would have been the same."""
        memory = self._memory
        number = self.pool.add(memory.stop, memory.lost, memory.total)
        weights = self.answers.trees.arrays.weights.copy()
        weights[:, :TABLE] = 0
        low, high = self._bounds()
        bounded = (low > -UNBOUNDED) | (high < UNBOUNDED)
        matters = np.flatnonzero(weights.any(axis=1) & bounded)
        notes = Notes(
            first=np.array([0, len(matters)], dtype=np.int64),
            weights=weights[matters],
            low=low[matters],
            high=high[matters],
        )
        self._alike.insert(
            np.zeros(1, dtype=np.int64), table[None, :], np.array([LEAF - number]), notes
        )

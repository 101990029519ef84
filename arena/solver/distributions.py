"""How the turns of a bot end, as far as anybody has asked, and at which tables alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from arena.game import UNBOUNDED, Asked, Feature
from arena.rules import MAX_ROLLS_PER_TURN, RuleTables
from arena.solver.answers import (
    FEATURES,
    LEAF,
    TABLE,
    UNKNOWN,
    AnswerTrees,
    LearntAnswers,
    Notes,
    find_leaves,
)
from arena.solver.turn_walk import (
    DONE,
    ENDLESS,
    ROLLS,
    TOO_FAR,
    WIN,
    walk_memory,
    walk_rules,
    walk_turn,
)

FIRST_UNITS: Final = 512
QUESTIONS: Final = 8192
VISITS: Final = 4096
FEW: Final = 1024
"""Where a pass asks fewer questions than this, the next one looks at twice as many tables."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pass:
    """How far one look at the waiting tables came."""

    waiting: list[int]
    asked: int


class BotTurns:
    """The turns of a bot, by walking its decision trees.

    Args:
        tables: of the ruleset.
        bot: answers questions for games of two.
        name: of the bot, for messages.
    """

    def __init__(self, tables: RuleTables, bot: Asked, name: str) -> None:
        self.name = name
        self.answers = LearntAnswers(bot, name, len(tables.rolls))
        self.pool = EndPool()
        self._rules = walk_rules(tables)
        self._alike = AnswerTrees(1)
        self._units = FIRST_UNITS
        self._memory = walk_memory(self._rules, self._units, 0, QUESTIONS)
        self._step = 0
        self._last_known = (-1, 1)
        self._visits = 0

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
        """
        self._visits = self._visits or VISITS
        while True:
            trees = self.answers.trees.arrays
            memory = walk_memory(self._rules, self._units, len(trees.weights), 1, self._visits)
            last = self._last_roll()
            status, _ = walk_turn(self._rules, trees, memory, table, last, self._step, 0)
            if status == ENDLESS:
                last = MAX_ROLLS_PER_TURN
                walk_turn(self._rules, trees, memory, table, last, self._step, 0)
            count = int(memory.visits[0])
            if count < self._visits:
                return memory.visit[:count], memory.visit_mass[:count]
            self._visits *= 2

    def _known(self, tables: NDArray[np.int64]) -> NDArray[np.int64]:
        out = np.empty(len(tables), dtype=np.int64)
        roots = np.zeros(len(tables), dtype=np.int64)
        find_leaves(self._alike.arrays, roots, tables, out)
        return out

    def _resolve(self, tables: NDArray[np.int64]) -> None:
        """Compute the turn at all these tables, asking the bot as needed."""
        waiting = list(range(len(tables)))
        window = 1
        while waiting:
            unknown = self._known(tables[waiting]) == UNKNOWN
            waiting = [at for at, still in zip(waiting, unknown, strict=True) if still]
            result = self._look(tables, waiting[:window])
            waiting = result.waiting + waiting[window:]
            window = max(1, window // 2) if result.asked > FEW else 2 * window

    def _look(self, tables: NDArray[np.int64], waiting: list[int]) -> _Pass:
        """Walk the turns at these tables once, then ask what came up."""
        self._step += 1
        asked = 0
        learnt = False
        still: list[int] = []
        features = np.zeros((QUESTIONS, FEATURES), dtype=np.int64)
        for at in waiting:
            table = tables[at]
            if learnt and self._known(table[None, :])[0] != UNKNOWN:
                continue
            status, count = self._walk(table, asked)
            if status == DONE:
                self._take_down(table)
                learnt = True
                continue
            features[asked:count, TABLE:] = table[TABLE:]
            asked = count
            still.append(at)
        if asked:
            features[:asked, :TABLE] = self._memory.question[:asked]
            rolls = self._memory.question_roll[:asked].copy()
            self.answers.learn(rolls, features[:asked])
        return _Pass(waiting=still, asked=asked)

    def _walk(self, table: NDArray[np.int64], asked: int) -> tuple[int, int]:
        """Walk one turn, with as much memory as it takes."""
        trees = self.answers.trees.arrays
        last = self._last_roll()
        while True:
            if len(self._memory.low) < len(trees.weights):
                room = 2 * len(trees.weights)
                self._memory = self._memory._replace(
                    low=np.zeros(room, dtype=np.int64), high=np.zeros(room, dtype=np.int64)
                )
            status, asked = walk_turn(
                self._rules, trees, self._memory, table, last, self._step, asked
            )
            if status == ENDLESS:
                last = MAX_ROLLS_PER_TURN
                continue
            if status != TOO_FAR:
                return status, asked
            self._units *= 2
            old = self._memory
            self._memory = walk_memory(self._rules, self._units, len(old.low), QUESTIONS)
            self._memory.question[:] = old.question
            self._memory.question_roll[:] = old.question_roll

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
        count = len(weights)
        bounded = (memory.low[:count] > -UNBOUNDED) | (memory.high[:count] < UNBOUNDED)
        matters = np.flatnonzero(weights.any(axis=1) & bounded)
        notes = Notes(
            first=np.array([0, len(matters)], dtype=np.int64),
            weights=weights[matters],
            low=memory.low[matters],
            high=memory.high[matters],
        )
        self._alike.insert(
            np.zeros(1, dtype=np.int64), table[None, :], np.array([LEAF - number]), notes
        )

"""What bots answered on one ruleset, shared by all lineups of as many seats."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.game import Answers, Asked, Questions
from arena.kernel.layout import (
    ALWAYS,
    CELLS,
    ENTRY_WORDS,
    Number,
    decision_leaves,
    feature_units,
    fixed_leaves,
    leaves_of,
    roll_classes,
    rules_struct,
)
from arena.kernel.trees import Trees
from arena.kernel.waiting import room_for
from arena.rules import RuleTables

SLOTS: Final = 4096
"""Games in progress at once."""

ENTRY_BYTES: Final = 4 * ENTRY_WORDS + 9
"""Of an entry with what goes with it."""

SETS_MIB: Final = 64
"""Where the entries of all bots take more, those that played longest ago are forgotten."""

TRIAL: Final = 5_000
"""Questions after which it is looked whether to remember the answers of a bot is worth it."""

AUDITED: Final = 50
"""Answers that are asked again of each bot even where its process has to be started for it."""

WORTH: Final = 2.0
"""It is if there are so many decisions for each question, and they get more. An answer with notes
costs as much as ten without; but a bot that looks at much begins at three and is at forty some
thousand games later."""


class Memory:
    """Remembered answers of many bots.

    Args:
        tables: of the ruleset.
        seats: S, players in each game.

    Attributes:
        rules: the ruleset as the compiled code sees it.
        units: int64[F], `layout.feature_units`.
        trees: the answers; a bot's number is that of its tree set.
        cells: int64[SLOTS * CELLS], room for games in progress, see `layout`; one lineup plays at a
            time.
        chosen: room for questions, see `waiting`.
        wave: number of the last wave of questions.

    Raises:
        OverflowError: points too large for the kernel.
    """

    def __init__(self, tables: RuleTables, seats: int) -> None:
        self.rules = rules_struct(tables)
        self.unit = int(self.rules.numbers[Number.UNIT])
        self.units = feature_units(self.unit, seats)
        classes = roll_classes(tables)
        self.trees = Trees(fixed_leaves(tables), classes, len(tables.roll_of), self.units)
        self.wave = 0
        self.cells = np.zeros(SLOTS * CELLS, dtype=np.int64)
        self.chosen = room_for(SLOTS, len(self.units))
        self._hold_first = tables.hold_first
        self._leaves = decision_leaves(tables, self.unit)
        # Roll ids by what the trees of a bot tell apart: some roll of each class, or all rolls.
        self._every_roll = np.arange(len(classes))
        self._some_roll = self._every_roll.copy()
        self._some_roll[classes[::-1]] = self._every_roll[::-1]
        self._numbers: OrderedDict[Asked, int] = OrderedDict()  # played longest ago first
        self._believed: list[bool] = []
        self._asked: list[int] = []
        self._decided: list[int] = []
        self._audited: list[int] = []
        self._spare: list[int] = []  # numbers of bots that were forgotten
        self._others = False  # whether bots are remembered that do not play now

    @property
    def mib(self) -> float:
        """What all of it takes."""
        trees = self.trees
        arrays = (trees.entries, trees.noisy, trees.marks, trees.nodes, self.cells)
        return sum(array.nbytes for array in arrays) / (1 << 20)

    def take_in(self, bots: Sequence[Asked]) -> list[int]:
        """The numbers of bots that are to play now; none of them is forgotten for another."""
        for bot in bots:
            if bot in self._numbers:
                self._numbers.move_to_end(bot)
        self._make_room(bots)
        for bot in bots:
            if bot not in self._numbers:
                self._numbers[bot] = self._new()
        self._others |= len(self._numbers) > len(set(bots))
        if self.trees.full and self._others:
            self._clear()
        return [self._numbers[bot] for bot in bots]

    def _make_room(self, bots: Sequence[Asked]) -> None:
        """Forget other bots while all of them take too much."""
        for bot in [each for each in self._numbers if each not in bots]:
            if self.trees.entries_used * ENTRY_BYTES <= SETS_MIB << 20:
                return
            number = self._numbers.pop(bot)
            self.trees.begin_set(number)
            self._spare.append(number)

    def _new(self) -> int:
        """The number for a new bot."""
        if self._spare:
            number = self._spare.pop()
        else:
            number = self.trees.add_set()
            self._believed.append(True)
            self._asked.append(0)
            self._decided.append(0)
            self._audited.append(0)
        self._believed[number] = True
        self._asked[number] = self._decided[number] = self._audited[number] = 0
        return number

    def _clear(self) -> None:
        self.trees.clear()
        for number, believed in enumerate(self._believed):
            if not believed:
                self.trees.forget(number, ALWAYS)
        self._others = False

    def roll_ids(self, number: int, rolls: NDArray[np.int64]) -> NDArray[np.int64]:
        """Roll ids for what the trees of a bot tell apart."""
        known = self._some_roll if self.trees.by_class(number) else self._every_roll
        ids: NDArray[np.int64] = known[rolls]
        return ids

    def leaves(self, rolls: NDArray[np.int64], codes: NDArray[np.int64]) -> NDArray[np.uint32]:
        """uint32[N]: what decisions mean; rolls are roll ids."""
        return leaves_of(self._leaves, self._hold_first, rolls, codes)

    def remember(
        self,
        number: int,
        rolls: NDArray[np.int64],
        questions: Questions,
        answers: Answers,
        leaves: NDArray[np.uint32],
    ) -> NDArray[np.bool_]:
        """Remember what may be remembered; bool[N], which answers are good for one game only."""
        self._asked[number] += len(rolls)
        once = ~answers.repeatable
        if not once.all():
            once = ~self.trees.remember(number, rolls, questions.features, answers, leaves)
        return once

    def count_decisions(self, bot: Asked, decisions: int) -> None:
        """Take down how many decisions a bot made; answers that nobody uses are noted no more."""
        number = self._numbers[bot]
        self._decided[number] += decisions
        if not bot.repeatable or self._asked[number] < TRIAL:
            return
        if self._decided[number] < WORTH * self._asked[number]:
            bot.ask_every_time()
        self._asked[number] = self._decided[number] = 0

    def begin_audit(self, number: int, bot: Asked, answers: int) -> bool:
        """Whether so many answers of a bot shall be asked again now; they are counted if so.

        A bot that was audited often is not started just for that: with more bots than processes
        one would be started for nearly every match.
        """
        if not bot.repeatable or (self._audited[number] >= AUDITED and not bot.awake):
            return False
        self._audited[number] += answers
        return True

    def doubt(self) -> bool:
        """Forget answers that should not have been remembered; whether there were some.

        Those are all answers of a bot that is not repeatable, and those that a bot gave for a class
        of rolls before it looked at the faces.
        """
        found = False
        for bot, number in self._numbers.items():
            if self.trees.by_class(number) and (bot.sees_dice or not bot.repeatable):
                self.trees.tell_rolls_apart(number)
                found = True
            if self._believed[number] and not bot.repeatable:
                self._believed[number] = False
                self.trees.forget(number, ALWAYS)
                found = True
        return found

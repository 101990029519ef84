"""Asking a bot about the positions that a walk came to, and keeping what it answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.errors import BotError
from arena.game import FAULT, Asked, Questions
from arena.rules import RuleTables
from arena.solver.answers import LEAF, AnswerTrees, Notes
from arena.solver.roll_kinds import roll_kinds

BATCH: Final = 8192
"""Questions put to a bot at once."""


class LearntAnswers:
    """A bot's answers under one ruleset, asked for when they are needed.

    Args:
        bot: answers questions; only their notes are relied on.
        name: of the bot, for messages.
        tables: of the ruleset.
        explain: tells of a fault in the last batch, by its question, in some lines; nothing where
            nothing is known.
        most: questions after which the bot cannot be computed.

    Attributes:
        kinds: of rolls, each with a tree of its own. Rolls that offer the same are one kind until
            the bot looks at faces.
        trees: of the kinds.
        questions: how many were asked.
        watch: is called after every batch of questions; may raise to stop the computation, and
            what was learnt stays.
    """

    def __init__(
        self,
        bot: Asked,
        name: str,
        tables: RuleTables,
        *,
        explain: Callable[[int], str] = lambda question: "",
        most: int = 5_000_000,
    ) -> None:
        self.kinds = roll_kinds(tables, merged=not bot.sees_dice)
        self.trees = AnswerTrees(len(self.kinds.some))
        self._tables = tables
        self.questions = 0
        self.watch: Callable[[], None] | None = None
        self.name = name
        self._bot = bot
        self._explain = explain
        self._most = most

    def learn(self, kinds: NDArray[np.int64], features: NDArray[np.int64]) -> None:
        """Ask about positions and take the answers down.

        Args:
            kinds: int64[N], of rolls.
            features: int64[N, F].

        Raises:
            BotError: an answer cannot be relied on, or there are too many questions.
        """
        rolls = self.kinds.some[kinds]
        for begin in range(0, len(rolls), BATCH):
            chosen = slice(begin, begin + BATCH)
            self._learn(rolls[chosen], features[chosen])
            if self.watch is not None:
                self.watch()

    def _learn(self, rolls: NDArray[np.int64], features: NDArray[np.int64]) -> None:
        count = len(rolls)
        self.questions += count
        if self.questions > self._most:
            raise BotError(
                f"{self.name} cannot be computed: after {self._most:,} questions it still answers "
                "new positions from their exact numbers; simulate it with `arena match`"
            )
        answers = self._bot.answer(
            Questions(
                rolls=rolls,
                features=features,
                rng_seeds=np.zeros(count, dtype=np.uint64),
                slots=np.zeros(count, dtype=np.int64),
                fresh=np.zeros(count, dtype=np.bool_),
            )
        )
        faults = np.flatnonzero(answers.codes == FAULT)
        if len(faults):
            why = self._explain(int(faults[0]))
            raise BotError(
                f"{self.name} cannot be computed: it makes a fault and would forfeit; "
                + (f"mend it first\n{why}" if why else "`arena check` shows why")
            )
        if not answers.repeatable.all():
            raise BotError(
                f"{self.name} cannot be computed: its answers do not follow from the position "
                "alone (turn.rng, memory, or anything outside); simulate it with `arena match`"
            )
        if self.kinds.merged and self._bot.sees_dice:
            self._tell_apart()
        notes = Notes(answers.note_first, answers.note_weights, answers.note_low, answers.note_high)
        self.trees.insert(self.kinds.of[rolls], features, LEAF - answers.codes, notes)

    def _tell_apart(self) -> None:
        """A tree for each roll from now on.

        The answers so far were given without a look at faces, so they stay true of every roll of
        their kind.
        """
        self.trees.copy_trees(self.kinds.of)
        self.kinds = roll_kinds(self._tables, merged=False)

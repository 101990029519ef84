"""Asking a `BatchBot`: whole batches, and one position at a time where that goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.bots.asking_faults import NoDecision, raised
from arena.bots.batch import BatchBot, Positions, RollTable, codes_of, no_such_code, roll_table
from arena.game.questions import FAULT
from arena.game.turn import Turn
from arena.rules import REROLL_CODE, Roll, Ruleset

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Failed = Callable[[NoDecision, int, Turn], int]
"""Takes down a failure at a question of the batch; returns FAULT."""


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Some questions of a batch, as far as `Positions` looks at them."""

    rolls: NDArray[np.int64]
    features: NDArray[np.int64]
    rng_seeds: NDArray[np.uint64]


class BatchAsker:
    """Asks one `BatchBot` about batches of one ruleset.

    Args:
        bot: the bot.
        path: the author's file.
        rules: the ruleset; rolls: its rolls by id.
        failed: is told of every position without a decision.
    """

    def __init__(
        self, bot: BatchBot, path: Path, rules: Ruleset, rolls: Sequence[Roll], failed: Failed
    ) -> None:
        self._bot = bot
        self._path = path
        self._rules = rules
        self._rolls = rolls
        self._failed = failed
        self._questions: Any = None

    def ask(self, questions: Any, *, singly: bool) -> NDArray[np.int64]:
        """int64[N]: decision codes, FAULT where there is none.

        Args:
            questions: `Questions`, or what a bot's process has in their place.
            singly: in batches of one, so that a process that is lost says at which it was.
        """
        import numpy as np

        self._questions = questions
        # Copies, for the engine will write to its arrays again and the bot may keep what it sees.
        whole = _Part(
            np.array(questions.rolls),
            np.array(questions.features),
            np.asarray(questions.rng_seeds),
        )
        codes = np.full(len(whole.rolls), FAULT, dtype=np.int64)
        step = 1 if singly else len(codes)
        for begin in range(0, len(codes), max(step, 1)):
            self._ask(whole, begin, begin + step, codes)
        return codes

    def turn(self, questions: Any, i: int) -> Turn:
        """A question of a batch as a turn."""
        return Positions(self._rules, self._rolls, self._table, questions).turn(i)

    @cached_property
    def _table(self) -> RollTable:
        return roll_table(self._rolls)

    def _ask(self, whole: _Part, begin: int, end: int, codes: NDArray[np.int64]) -> None:
        """Ask about a part of the batch; where the bot fails, about either half of it."""
        rolls = self._questions.rolls
        rolls[begin]  # tells whoever watches where the bot is
        part = whole
        if end - begin < len(codes):
            here = slice(begin, end)
            part = _Part(whole.rolls[here], whole.features[here], whole.rng_seeds[here])
        positions = Positions(
            self._rules, self._rolls, self._table, part, looked=lambda i: rolls[begin + i]
        )
        try:
            found = self._decided(positions)
        except NoDecision as failure:
            if end - begin == 1:
                self._failed(failure, begin, positions.turn(0))
                return
            middle = (begin + end) // 2
            self._ask(whole, begin, middle, codes)
            self._ask(whole, middle, end, codes)
            return
        for i in (~_legal(found, positions)).nonzero()[0].tolist():
            message = no_such_code(int(found[i]), int(self._table.holds[part.rolls[i]]))
            illegal = NoDecision("illegal decision", message)
            found[i] = self._failed(illegal, begin + i, positions.turn(i))
        codes[begin:end] = found

    def _decided(self, positions: Positions) -> NDArray[np.int64]:
        """What the bot answers.

        Raises:
            NoDecision: it raises, or answers with something else than whole numbers.
        """
        try:
            answer = self._bot.decide_many(positions)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever a bot raises is its own fault
            raise raised(error, self._path) from None
        try:
            return codes_of(answer, len(positions))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # an object of the bot's may do anything when looked at
            raise NoDecision("wrong type", str(error)) from None


def _legal(codes: NDArray[np.int64], positions: Positions) -> NDArray[np.bool_]:
    """bool[N]: whether each code is a legal decision."""
    legal: NDArray[np.bool_] = (codes >= 0) & (codes < 2 * positions.table.holds[positions.roll])
    if positions.rules.reroll_all:
        legal |= (codes == REROLL_CODE) & positions.can_reroll
    return legal

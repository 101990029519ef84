"""One bot in several processes that share its questions, for whoever asks very many at once."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.bots.asking_faults import AskFault
from arena.bots.isolation_asker import HostedAsker, joined
from arena.game import Answers, Questions

FEWEST: Final = 256
"""Questions for one process; fewer are not shared out."""


class AskedTogether:
    """A bot whose questions are shared out among processes, in order; see `arena.game.Asked`.

    Each process asks, notes and checks on its own, as if it were the only one.

    Args:
        askers: of the same bot, each with a process of its own.
    """

    def __init__(self, askers: Sequence[HostedAsker]) -> None:
        self._askers = tuple(askers)
        self._begins: list[int] = [0]

    @property
    def repeatable(self) -> bool:
        """Whether answers may be remembered; once False it stays False."""
        return all(asker.repeatable for asker in self._askers)

    @property
    def sees_dice(self) -> bool:
        """Whether an answer may depend on the faces of the dice."""
        return any(asker.sees_dice for asker in self._askers)

    @property
    def awake(self) -> bool:
        """Whether it can be asked at once."""
        return all(asker.awake for asker in self._askers)

    def answer(self, questions: Questions) -> Answers:
        """Answer all questions, in order.

        Raises:
            BotError: the bot's file has changed or is gone.
            RunError: no process can be started.
        """
        count = len(questions)
        shares = min(max(count // FEWEST, 1), len(self._askers))
        ends = np.linspace(0, count, shares + 1).astype(np.int64)
        self._begins = ends[:-1].tolist()
        if shares == 1:
            return self._askers[0].answer(questions)
        parts = [questions.only(np.arange(a, b)) for a, b in pairwise(ends)]
        with ThreadPoolExecutor(shares) as pool:
            answers = list(pool.map(HostedAsker.answer, self._askers, parts))
        return joined(answers)

    def audit(self, questions: Questions) -> NDArray[np.int64]:
        """int64[N]: decision codes of a fresh instance."""
        return self._askers[0].audit(questions)

    def distrust(self, question: Questions) -> None:
        """Take down that the bot answered this one question differently when asked again."""
        for asker in self._askers:
            asker.distrust(question)

    def ask_every_time(self) -> None:
        """Note no answers any more."""
        for asker in self._askers:
            asker.ask_every_time()

    def fault_at(self, question: int) -> AskFault | None:
        """The fault behind a FAULT of the last batch, if it was kept."""
        place = int(np.searchsorted(self._begins, question, side="right")) - 1
        return self._askers[place].fault_at(question - self._begins[place])

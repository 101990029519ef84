"""The driver: runs the compiled games, asks what they wait for, remembers, and goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.game import FAULT as FAULT_CODE
from arena.game import Asked, Counts, Questions, feature_count, rng_key, zero_counts
from arena.kernel.layout import (
    CELLS,
    TALLIES,
    Cell,
    Lineup,
    Sample,
    decision_counts,
    fill_counts,
    new_sample,
)
from arena.kernel.memory import SLOTS, Memory
from arena.kernel.play import run
from arena.kernel.waiting import choose
from arena.rules import RuleTables

SAMPLE_ROOM: Final = 512
"""Remembered answers that are asked again after each run of blocks, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultAt:
    """Where a bot gave no decision.

    Attributes:
        place: of the bot in the match, from 0.
        block: number of the block.
        rotation: within the block.
        question: index in the batch that the bot was asked last.
    """

    place: int
    block: int
    rotation: int
    question: int


OnFault = Callable[[FaultAt], None]


class _StartAnewError(Exception):
    """Answers were used that should not have been remembered; see `Memory.doubt`."""


class Kernel:
    """Plays matches of the same bots on the same ruleset, and remembers their answers.

    Args:
        tables: of the ruleset.
        bots: by place; the same object at two places shares one memory.
        fixed_seats: whether the order of places is the order of seats in every game.
        memory: of the same ruleset and as many seats, where other lineups remember, too; one of
            its own if None.

    Raises:
        OverflowError: points too large for the kernel.
    """

    def __init__(
        self,
        tables: RuleTables,
        bots: Sequence[Asked],
        *,
        fixed_seats: bool = False,
        memory: Memory | None = None,
    ) -> None:
        self._memory = memory or Memory(tables, len(bots))
        self._bots = tuple(bots)
        self._rotations = 1 if fixed_seats else len(bots)
        self._lineup = self._take_seats()
        self._cells = self._memory.cells
        self._chosen = self._memory.chosen

    def _take_seats(self) -> Lineup:
        """The lineup as the memory has it now."""
        memory = self._memory
        numbers = memory.take_in(self._bots)
        return Lineup(
            seats=len(self._bots),
            rotations=self._rotations,
            tree=np.array(numbers, dtype=np.int64),
            sets=memory.trees.sets,
            predicates=memory.trees.predicates,
            features=feature_count(len(self._bots)),
        )

    def play(
        self, dice_key: int, first_block: int, blocks: int, on_fault: OnFault
    ) -> tuple[Counts, NDArray[np.int64]]:
        """Play a run of blocks.

        Args:
            dice_key: key of the match.
            first_block: number of the first block.
            blocks: how many.
            on_fault: is told of every answer that was none, right after the batch. Where a run is
                begun anew (see `Memory.doubt`), faults are told again.

        Returns:
            The counts, and int64[S], how often the bot at each place was asked.
        """
        while True:
            try:
                # Words are meant to overflow; where the code is not compiled NumPy would warn.
                with np.errstate(over="ignore"):
                    return self._play(dice_key, first_block, blocks, on_fault)
            except _StartAnewError:
                continue

    def _play(
        self, dice_key: int, first_block: int, blocks: int, on_fault: OnFault
    ) -> tuple[Counts, NDArray[np.int64]]:
        memory = self._memory
        lineup = self._lineup = self._take_seats()
        memory.doubt()
        counts = zero_counts(blocks=blocks, rotations=lineup.rotations, seats=lineup.seats)
        tallies = np.zeros(lineup.seats * TALLIES, dtype=np.int64)
        keys = np.array([dice_key, rng_key(dice_key)], dtype=np.uint64)
        progress = np.array([0, blocks * lineup.rotations, 0, 0, SLOTS], dtype=np.int64)
        resume = np.zeros(SLOTS, dtype=np.int64)
        waiting = np.zeros(SLOTS, dtype=np.int64)
        free = np.arange(SLOTS, dtype=np.int64)[::-1].copy()
        sample = new_sample(SAMPLE_ROOM, lineup.features)
        asked = np.zeros(lineup.seats, dtype=np.int64)
        decisions = np.zeros(lineup.seats, dtype=np.int64)
        scratch = np.zeros(lineup.features, dtype=np.int64)
        while True:
            run(
                memory.rules,
                memory.trees.entries,
                memory.trees.nodes,
                self._cells,
                lineup,
                tallies,
                counts.rounds,
                counts.winners.reshape(-1),
                sample,
                keys,
                first_block,
                progress,
                resume,
                waiting,
                free,
                scratch,
            )
            if not progress[3]:
                break
            asked += self._ask(waiting, int(progress[3]), first_block, on_fault)
            decisions = self._report(tallies, decisions)
            resume, waiting = waiting, resume
            progress[2] = progress[3]
        self._audit(sample)
        fill_counts(counts, tallies, memory.unit)
        self._report(tallies, decisions)
        return counts, asked

    def _report(self, tallies: NDArray[np.int64], before: NDArray[np.int64]) -> NDArray[np.int64]:
        """Tell the memory of decisions since the last report; int64[S], how many there are."""
        decisions = decision_counts(tallies)
        for bot, new in zip(self._bots, (decisions - before).tolist(), strict=True):
            self._memory.count_decisions(bot, new)
        return decisions

    def _ask(
        self, waiting: NDArray[np.int64], count: int, first_block: int, on_fault: OnFault
    ) -> NDArray[np.int64]:
        """Ask what the waiting games need next, so that they can be resumed.

        Returns:
            int64[S], questions to the bot at each place.
        """
        chosen, memory = self._chosen, self._memory
        memory.wave += 1
        n = choose(
            self._cells,
            self._lineup,
            waiting,
            count,
            memory.trees.noisy,
            memory.trees.marks,
            memory.wave,
            memory.units,
            chosen,
        )
        for number, bot in self._numbered():
            which = np.flatnonzero(chosen.trees[:n] == number)
            if not len(which):
                continue
            rolls = chosen.rolls[which]  # copied, as they may be remembered
            rows = slice(n) if len(which) == n else which  # all of them need not be copied
            questions = Questions(
                rolls=memory.roll_ids(number, rolls),
                features=chosen.features[rows],
                rng_seeds=chosen.seeds[rows],
                slots=chosen.slots[rows] * self._lineup.seats + chosen.seats[rows],
                fresh=chosen.fresh[rows],
            )
            answers = bot.answer(questions)
            leaves = memory.leaves(questions.rolls, answers.codes)
            once = memory.remember(number, rolls, questions, answers, leaves)
            self._cells[chosen.slots[which[once]] * CELLS + Cell.LEAF] = leaves[once]
            memory.trees.noisy[chosen.roots[which[once]]] = True
            for i in np.flatnonzero(answers.codes == FAULT_CODE):
                self._tell_fault(int(which[i]), int(i), first_block, on_fault)
        self._check_trust()
        return np.bincount(chosen.places[:n], minlength=self._lineup.seats)

    def _numbered(self) -> Iterator[tuple[int, Asked]]:
        """Each bot once, with its number in the memory."""
        return iter(dict(zip(self._lineup.tree.tolist(), self._bots, strict=True)).items())

    def _tell_fault(self, i: int, question: int, first_block: int, on_fault: OnFault) -> None:
        game = int(self._cells[self._chosen.slots[i] * CELLS + Cell.GAME])
        block, rotation = divmod(game, self._lineup.rotations)
        place = int(self._chosen.places[i])
        block += first_block
        on_fault(FaultAt(place=place, block=block, rotation=rotation, question=question))

    def _audit(self, sample: Sample) -> None:
        """Ask a sample of the remembered answers again; distrust a bot that answers otherwise."""
        taken = int(sample.taken[0])
        for number, bot in self._numbered():
            which = np.flatnonzero(sample.trees[:taken] == number)
            if not len(which) or not self._memory.begin_audit(number, bot, len(which)):
                continue
            questions = Questions(
                rolls=self._memory.roll_ids(number, sample.rolls[which]),
                features=sample.features[which] * self._memory.units,
                rng_seeds=np.zeros(len(which), dtype=np.uint64),
                slots=np.zeros(len(which), dtype=np.int64),
                fresh=np.ones(len(which), dtype=np.bool_),
            )
            again = self._memory.leaves(questions.rolls, bot.audit(questions))
            differs = np.flatnonzero(again != sample.leaves[which])
            if len(differs):
                bot.distrust(questions.only(differs[:1]))
        self._check_trust()

    def _check_trust(self) -> None:
        if self._memory.doubt():
            raise _StartAnewError

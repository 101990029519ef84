"""The driver: runs the compiled games, asks what they wait for, remembers, and goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.game import FAULT as FAULT_CODE
from arena.game import Answers, Asked, Counts, Questions, feature_count, rng_key, zero_counts
from arena.kernel.layout import (
    ALWAYS,
    CELLS,
    STATES,
    TALLIES,
    Cell,
    Lineup,
    Number,
    Sample,
    decision_leaves,
    feature_units,
    fill_counts,
    fixed_leaves,
    leaves_of,
    new_sample,
    roll_classes,
    rules_struct,
)
from arena.kernel.play import run
from arena.kernel.trees import Trees
from arena.kernel.waiting import choose, room_for
from arena.rules import RuleTables

SLOTS: Final = 4096
"""Games in progress at once."""

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
    """Answers were used that should not have been remembered; see `Kernel._check_trust`."""


class Kernel:
    """Plays matches of the same bots on the same ruleset, and remembers their answers.

    Args:
        tables: of the ruleset.
        bots: by place; the same object at two places shares one memory.
        fixed_seats: whether the order of places is the order of seats in every game.

    Raises:
        OverflowError: points too large for the kernel.
    """

    def __init__(
        self, tables: RuleTables, bots: Sequence[Asked], *, fixed_seats: bool = False
    ) -> None:
        self._rules = rules_struct(tables)
        self._unit = int(self._rules.numbers[Number.UNIT])
        self._bots = list(dict.fromkeys(bots))
        self._hold_first = tables.hold_first
        self._leaves = decision_leaves(tables, self._unit)
        seats = len(bots)
        self._units = feature_units(self._unit, seats)
        classes = roll_classes(tables)
        self._trees = Trees(fixed_leaves(tables), classes, len(self._bots), self._units)
        every_roll = np.arange(len(classes))
        # Roll ids by what the trees of a bot tell apart: some roll of each class, or all rolls.
        self._some_roll = every_roll.copy()
        self._some_roll[classes[::-1]] = every_roll[::-1]
        self._roll_ids = [self._some_roll] * len(self._bots)
        self._shift = np.full(len(self._bots), len(tables.roll_of), dtype=np.int64)
        self._lineup = Lineup(
            seats=seats,
            rotations=1 if fixed_seats else seats,
            tree=np.array([self._bots.index(bot) for bot in bots], dtype=np.int64),
            shift=self._shift,
            predicates=self._trees.predicates,
            features=feature_count(seats),
        )
        roots = len(self._bots) * STATES * len(tables.rolls)
        self._noisy = np.zeros(roots, dtype=np.bool_)
        self._marks = np.full(roots, -1, dtype=np.int64)
        self._wave = 0
        self._believed = [True] * len(self._bots)
        self._cells = np.zeros(SLOTS * CELLS, dtype=np.int64)
        self._chosen = room_for(SLOTS, self._lineup.features)

    @property
    def memory_mib(self) -> float:
        """What its answers and waiting games take."""
        arrays = (self._trees.entries, self._trees.nodes, self._cells)
        return sum(array.nbytes for array in arrays) / (1 << 20)

    def play(
        self, dice_key: int, first_block: int, blocks: int, on_fault: OnFault
    ) -> tuple[Counts, NDArray[np.int64]]:
        """Play a run of blocks.

        Args:
            dice_key: key of the match.
            first_block: number of the first block.
            blocks: how many.
            on_fault: is told of every answer that was none, right after the batch. Where a run is
                begun anew (see `_check_trust`), faults are told again.

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
        self._check_trust(anew=False)
        lineup = self._lineup
        counts = zero_counts(blocks=blocks, rotations=lineup.rotations, seats=lineup.seats)
        tallies = np.zeros(lineup.seats * TALLIES, dtype=np.int64)
        keys = np.array([dice_key, rng_key(dice_key)], dtype=np.uint64)
        progress = np.array([0, blocks * lineup.rotations, 0, 0, SLOTS], dtype=np.int64)
        resume = np.zeros(SLOTS, dtype=np.int64)
        waiting = np.zeros(SLOTS, dtype=np.int64)
        free = np.arange(SLOTS, dtype=np.int64)[::-1].copy()
        sample = new_sample(SAMPLE_ROOM, lineup.features)
        asked = np.zeros(lineup.seats, dtype=np.int64)
        scratch = np.zeros(lineup.features, dtype=np.int64)
        while True:
            run(
                self._rules,
                self._trees.entries,
                self._trees.nodes,
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
            resume, waiting = waiting, resume
            progress[2] = progress[3]
        self._audit(sample)
        fill_counts(counts, tallies, self._unit)
        return counts, asked

    def _ask(
        self, waiting: NDArray[np.int64], count: int, first_block: int, on_fault: OnFault
    ) -> NDArray[np.int64]:
        """Ask what the waiting games need next, so that they can be resumed.

        Returns:
            int64[S], questions to the bot at each place.
        """
        chosen = self._chosen
        self._wave += 1
        n = choose(
            self._rules.numbers[Number.ROLLS],
            self._cells,
            self._lineup,
            waiting,
            count,
            self._noisy,
            self._marks,
            self._wave,
            self._units,
            chosen,
        )
        for tree, bot in enumerate(self._bots):
            which = np.flatnonzero(chosen.trees[:n] == tree)
            if not len(which):
                continue
            rolls = chosen.rolls[which]
            questions = Questions(
                rolls=self._roll_ids[tree][rolls],
                features=chosen.features[which],
                rng_seeds=chosen.seeds[which],
                slots=chosen.slots[which] * self._lineup.seats + chosen.seats[which],
                fresh=chosen.fresh[which],
            )
            answers = bot.answer(questions)
            self._take(tree, rolls, questions, answers, which)
            for i in np.flatnonzero(answers.codes == FAULT_CODE):
                self._tell_fault(int(which[i]), int(i), first_block, on_fault)
        self._check_trust(anew=True)
        return np.bincount(chosen.places[:n], minlength=self._lineup.seats)

    def _take(
        self,
        tree: int,
        rolls: NDArray[np.int64],
        questions: Questions,
        answers: Answers,
        which: NDArray[np.int64],
    ) -> None:
        """Remember what may be remembered; the other answers go to their games."""
        leaves = leaves_of(self._leaves, self._hold_first, questions.rolls, answers.codes)
        once = ~answers.repeatable
        if not once.all():
            once = ~self._trees.remember(tree, rolls, questions.features, answers, leaves)
        self._cells[self._chosen.slots[which[once]] * CELLS + Cell.LEAF] = leaves[once]
        self._noisy[self._chosen.roots[which[once]]] = True

    def _tell_fault(self, i: int, question: int, first_block: int, on_fault: OnFault) -> None:
        game = int(self._cells[self._chosen.slots[i] * CELLS + Cell.GAME])
        block, rotation = divmod(game, self._lineup.rotations)
        place = int(self._chosen.places[i])
        block += first_block
        on_fault(FaultAt(place=place, block=block, rotation=rotation, question=question))

    def _audit(self, sample: Sample) -> None:
        """Ask a sample of the remembered answers again; distrust a bot that answers otherwise."""
        taken = int(sample.taken[0])
        for tree, bot in enumerate(self._bots):
            which = np.flatnonzero(sample.trees[:taken] == tree)
            if not len(which) or not bot.repeatable:
                continue
            questions = Questions(
                rolls=self._roll_ids[tree][sample.rolls[which]],
                features=sample.features[which] * self._units,
                rng_seeds=np.zeros(len(which), dtype=np.uint64),
                slots=np.zeros(len(which), dtype=np.int64),
                fresh=np.ones(len(which), dtype=np.bool_),
            )
            codes = bot.audit(questions)
            again = leaves_of(self._leaves, self._hold_first, questions.rolls, codes)
            differs = np.flatnonzero(again != sample.leaves[which])
            if len(differs):
                bot.distrust(questions.only(differs[:1]))
        self._check_trust(anew=True)

    def _check_trust(self, *, anew: bool) -> None:
        """Forget answers that should not have been remembered; start anew if some were used.

        Those are all answers of a bot that is not repeatable, and those that a bot gave for a class
        of rolls before it looked at the faces.
        """
        lost = False
        for tree, bot in enumerate(self._bots):
            if self._shift[tree] and (bot.sees_dice or not bot.repeatable):
                self._shift[tree] = 0
                self._roll_ids[tree] = np.arange(len(self._some_roll))
                self._trees.tell_rolls_apart(tree)
                lost = True
            if self._believed[tree] and not bot.repeatable:
                self._believed[tree] = False
                self._trees.forget(tree, ALWAYS)
                lost = True
        if lost and anew:
            raise _StartAnewError

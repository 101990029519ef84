"""The compiled kernel as an engine: it asks bots only what they were never asked before."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.bots.asking import LocalAsker
from arena.bots.asking_faults import AskFault
from arena.bots.isolation_asker import HostedAsker
from arena.bots.isolation_hosts import Hosts, HostsByIsolation
from arena.bots.spec import BotSpec
from arena.errors import BotError
from arena.game import FAULT, Answers, Questions, feature_count
from arena.kernel import FaultAt, Kernel
from arena.records import Fault, FaultKind
from arena.rules import rule_tables
from arena.tournament.beginnings import NOBODY, Withdrawn
from arena.tournament.engines import (
    KEPT_FAULTS,
    Forfeits,
    Most,
    Played,
    TooManyFaults,
    withdrawn_message,
)
from arena.tournament.referee_engine import RefereeEngine
from arena.tournament.seated import KEPT_OUTPUT, check_unchanged
from arena.tournament.tasks import ChunkTask

KEPT_KERNELS: Final = 64
KEPT_MIB: Final = 192.0
"""Kernels that a process keeps with all their answers, and the memory that they may take together;
the one that played longest ago goes. A tournament in rounds comes back to the same matches again
and again."""


_Game = tuple[str, int, int, int]
"""Id of a match, block, rotation, and the place of the bot at fault."""


class KernelEngine:
    """Plays chunks with `arena.kernel.Kernel`; what it cannot play goes to the referee."""

    def __init__(self) -> None:
        self._tables: OrderedDict[tuple[object, ...], _Table] = OrderedDict()
        self._hosts = HostsByIsolation()
        self._referee = RefereeEngine(self._hosts)

    def play(
        self, task: ChunkTask, *, withdrawn: Withdrawn = NOBODY, most: Most | None = None
    ) -> Played:
        """Play all blocks of the chunk in all rotations; see `Engine`."""
        try:
            return self._table(task, withdrawn).play(task, most)
        except (KeyboardInterrupt, OverflowError):
            # A bot that raises KeyboardInterrupt passes through every batch (workers ignore the
            # signal); points may be too large for the kernel. The referee minds neither.
            return self._referee.play(task, withdrawn=withdrawn, most=most)

    def _table(self, task: ChunkTask, withdrawn: Withdrawn) -> _Table:
        match = task.chunk.match
        order = "fixed" if match.fixed_seats else "rotated"
        bots = [f"{spec.key} {spec.path}" for spec in task.specs]
        # What a withdrawn bot answered before must not be remembered; so that is another table.
        key = (match.rules_key, order, task.isolation, tuple(withdrawn.items()), *bots)
        hosts = self._hosts.under(task.isolation)
        table = self._tables.pop(key, None) or _Table(task, hosts, withdrawn)
        self._tables[key] = table
        while len(self._tables) > 1 and self._crowded():
            self._tables.popitem(last=False)
        return table

    def _crowded(self) -> bool:
        memory = sum(table.memory_mib for table in self._tables.values())
        return len(self._tables) > KEPT_KERNELS or memory > KEPT_MIB


class _Table:
    """The same bots on the same ruleset, with all that was learnt about them."""

    def __init__(self, task: ChunkTask, hosts: Hosts, withdrawn: Withdrawn) -> None:
        self._hosts = hosts
        self._earlier: dict[_Game, Fault] = {}  # told while a chunk was given up
        self._unrepeatable: set[object] = set()  # bots of which it was told
        self._tables = rule_tables(task.ruleset)
        self._specs = task.specs
        seats = len(task.specs)
        # The same bot at two places has one memory.
        askers = {spec.key: self._asker(spec, seats) for spec in task.specs}
        self._askers = [
            _Silent(FaultKind.WITHDRAWN, withdrawn_message(withdrawn[place]), seats)
            if place in withdrawn
            else askers[spec.key]
            for place, spec in enumerate(task.specs)
        ]
        self._kernel = Kernel(self._tables, self._askers, fixed_seats=task.chunk.match.fixed_seats)

    def _asker(self, spec: BotSpec, seats: int) -> LocalAsker | HostedAsker | _Silent:
        try:
            return self._hosts.asker(spec, self._tables, seats, batched=True)
        except BotError as error:
            check_unchanged(spec)
            return _Silent(FaultKind.LOAD, str(error), seats)

    @property
    def memory_mib(self) -> float:
        """What its answers take."""
        return self._kernel.memory_mib

    def play(self, task: ChunkTask, most: Most | None) -> Played:
        """Play a chunk.

        Raises:
            TooManyFaults: see `most`.
        """
        match = task.chunk.match
        faults: dict[_Game, Fault] = {}
        forfeits = Forfeits(match.seats, most)

        def note(at: FaultAt) -> None:
            game = (match.id, at.block, at.rotation, at.place)
            if len(faults) < KEPT_FAULTS and game not in faults:
                fault = self._fault(at) or self._earlier.get(game)
                if fault is not None:
                    faults[game] = fault
            told = self._told(at)
            forfeits.add(
                at.place,
                at.block,
                at.rotation,
                lost=told is not None and told.lost,
                message=told.message if told else "",
            )

        try:
            counts, questions = self._kernel.play(
                match.dice_key, task.chunk.first_block, task.chunk.blocks, note
            )
        except TooManyFaults:
            self._earlier = faults
            raise
        kept = [faults[game] for game in sorted(faults)]
        return Played(
            counts=counts,
            questions=questions,
            faults=(*kept, *self._newly_unrepeatable()),
            losses=forfeits.losses,
        )

    def _newly_unrepeatable(self) -> Iterator[Fault]:
        """What is told about bots that turned out to be unrepeatable; once for each."""
        for spec, asker in zip(self._specs, self._askers, strict=True):
            if isinstance(asker, _Silent) or asker in self._unrepeatable:
                continue
            for told in asker.faults:
                if told.question < 0:
                    self._unrepeatable.add(asker)
                    yield _fault_of(spec, told, forfeits=False)

    def _fault(self, at: FaultAt) -> Fault | None:
        """What is told about it; None for one of so many that the asker only counts them."""
        spec, asker = self._specs[at.place], self._askers[at.place]
        if isinstance(asker, _Silent):
            return Fault(
                bot=spec.name,
                kind=asker.kind,
                message=asker.message,
                block=at.block,
                rotation=at.rotation,
            )
        told = self._told(at)
        if told is None:
            return None
        return _fault_of(spec, told, block=at.block, rotation=at.rotation)

    def _told(self, at: FaultAt) -> AskFault | None:
        asker = self._askers[at.place]
        return None if isinstance(asker, _Silent) else asker.fault_at(at.question)


def _fault_of(
    spec: BotSpec, told: AskFault, *, block: int = -1, rotation: int = 0, forfeits: bool = True
) -> Fault:
    return Fault(
        bot=spec.name,
        kind=FaultKind(told.kind),
        message=told.message,
        traceback=told.traceback,
        output=told.output[-KEPT_OUTPUT:],
        position=told.position,
        block=block,
        rotation=rotation,
        forfeits=forfeits,
    )


class _Silent:
    """Stands for a bot that cannot be made or was withdrawn: every question is a fault."""

    repeatable = False
    sees_dice = True

    def __init__(self, kind: FaultKind, message: str, seats: int) -> None:
        self.kind = kind
        self.message = message
        self._features = feature_count(seats)

    def answer(self, questions: Questions) -> Answers:
        """No decision, as often as asked."""
        count = len(questions)
        return Answers(
            codes=self.audit(questions),
            repeatable=np.zeros(count, dtype=np.bool_),
            note_first=np.zeros(count + 1, dtype=np.int64),
            note_weights=np.zeros((0, self._features), dtype=np.int64),
            note_low=np.zeros(0, dtype=np.int64),
            note_high=np.zeros(0, dtype=np.int64),
        )

    def audit(self, questions: Questions) -> NDArray[np.int64]:
        """No decision, as often as asked."""
        return np.full(len(questions), FAULT, dtype=np.int64)

    def distrust(self, question: Questions) -> None:
        """It is not trusted anyway."""

    def ask_every_time(self) -> None:
        """So it is."""

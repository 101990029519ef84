"""The compiled kernel as an engine: it asks bots only what they were never asked before."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import replace
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
from arena.kernel import FaultAt, Kernel, Memory
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

KEPT_TABLES: Final = 256
KEPT_MIB: Final = 192.0
"""Tables that a process keeps, and the memory that all remembered answers may take together; what
was used longest ago goes. A tournament in rounds comes back to the same matches again and again."""


ALIKE: Final = (
    "(the bot looks at no face: any dice that offer the same stand for those of the game)"
)
"""Where a bot is asked about one roll for all that offer the same."""

_Game = tuple[str, int, int, int]
"""Id of a match, block, rotation, and the place of the bot at fault."""


class KernelEngine:
    """Plays chunks with `arena.kernel.Kernel`; what it cannot play goes to the referee."""

    def __init__(self) -> None:
        self._tables: OrderedDict[tuple[object, ...], _Table] = OrderedDict()
        self._rooms: OrderedDict[tuple[object, ...], _Room] = OrderedDict()
        self._hosts = HostsByIsolation()
        self._referee = RefereeEngine(self._hosts)

    def begin(self, task: ChunkTask) -> None:
        """Start the processes of all bots of a chunk; see `Engine`."""
        room = self._room(task)
        for spec in task.specs:
            room.asker(spec)

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
        room = self._room(task)
        table = self._tables.pop(key, None)
        if table is None or table.room is not room:
            table = _Table(task, room, withdrawn)
        self._tables[key] = table
        while len(self._tables) > KEPT_TABLES:
            self._tables.popitem(last=False)
        return table

    def _room(self, task: ChunkTask) -> _Room:
        key = (task.chunk.match.rules_key, len(task.specs), task.isolation)
        room = self._rooms.pop(key, None) or _Room(key, task, self._hosts.under(task.isolation))
        self._rooms[key] = room
        while len(self._rooms) > 1 and self._memory_mib() > KEPT_MIB:
            left, _ = self._rooms.popitem(last=False)
            for each in [k for k, table in self._tables.items() if table.room.key == left]:
                del self._tables[each]
        return room

    def _memory_mib(self) -> float:
        return sum(room.memory.mib for room in self._rooms.values())


class _Room:
    """A ruleset for so many players, with all bots that have played on it in this process.

    Attributes:
        key: tells rooms apart.
        tables: of the ruleset.
        memory: what the bots answered.
    """

    def __init__(self, key: tuple[object, ...], task: ChunkTask, hosts: Hosts) -> None:
        self.key = key
        self.tables = rule_tables(task.ruleset)
        self.memory = Memory(self.tables, len(task.specs))
        self._seats = len(task.specs)
        self._hosts = hosts
        self._askers: dict[tuple[str, str], LocalAsker | HostedAsker | _Silent] = {}

    def asker(self, spec: BotSpec) -> LocalAsker | HostedAsker | _Silent:
        """A bot, to be asked; the same one whenever it plays here."""
        key = (spec.key, spec.path)
        if key not in self._askers:
            self._askers[key] = self._new(spec)
        return self._askers[key]

    def _new(self, spec: BotSpec) -> LocalAsker | HostedAsker | _Silent:
        try:
            return self._hosts.asker(spec, self.tables, self._seats, batched=True)
        except BotError as error:
            check_unchanged(spec)
            return _Silent(FaultKind.LOAD, str(error), self._seats)


class _Table:
    """A lineup on a ruleset."""

    def __init__(self, task: ChunkTask, room: _Room, withdrawn: Withdrawn) -> None:
        self.room = room
        self._earlier: dict[_Game, Fault] = {}  # told while a chunk was given up
        self._unrepeatable: set[object] = set()  # bots of which it was told
        self._specs = task.specs
        self._withdrawn = withdrawn
        self._askers = [
            _Silent(FaultKind.WITHDRAWN, withdrawn_message(withdrawn[place]), len(task.specs))
            if place in withdrawn
            else room.asker(spec)
            for place, spec in enumerate(task.specs)
        ]
        self._kernel = Kernel(
            room.tables,
            self._askers,
            fixed_seats=task.chunk.match.fixed_seats,
            memory=room.memory,
        )

    def play(self, task: ChunkTask, most: Most | None) -> Played:
        """Play a chunk.

        Raises:
            TooManyFaults: see `most`.
        """
        match = task.chunk.match
        faults: dict[_Game, Fault] = {}
        forfeits = Forfeits(match.seats, most, self._withdrawn)

        def note(at: FaultAt) -> None:
            game = (match.id, at.block, at.rotation, at.place)
            told = self._told(at)
            if len(faults) < KEPT_FAULTS and game not in faults:
                fault = self._fault(at, told) or self._earlier.get(game)
                if fault is not None:
                    faults[game] = fault
            forfeits.add(
                at.place,
                at.block,
                at.rotation,
                lost=told is not None and told.costly,
                message=told.message if told else "",
            )

        for asker in self._askers:
            if isinstance(asker, HostedAsker):
                asker.patient = most is None  # otherwise nobody waits for the rest of a batch
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

    def _fault(self, at: FaultAt, told: AskFault | None) -> Fault | None:
        """The fault as it is kept; None for one of so many that the asker only counts them."""
        spec, asker = self._specs[at.place], self._askers[at.place]
        if isinstance(asker, _Silent):
            return Fault(
                bot=spec.name,
                kind=asker.kind,
                message=asker.message,
                block=at.block,
                rotation=at.rotation,
            )
        if told is None:
            return None
        fault = _fault_of(spec, told, block=at.block, rotation=at.rotation)
        if fault.position and not asker.sees_dice:
            return replace(fault, position=f"{fault.position}\n{ALIKE}")
        return fault

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
    awake = True

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

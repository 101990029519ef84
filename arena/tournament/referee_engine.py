"""The referee as an engine: game after game, every bot asked every time."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from arena.bots.asking_faults import COSTLY
from arena.bots.isolation import Level
from arena.bots.isolation_hosts import HostsByIsolation
from arena.bots.spec import BotSpec
from arena.game import AddressedDice, Counts, Event, GameResult, play_game, zero_counts
from arena.game.counts import round_bin, score_bin, turn_bin
from arena.game.events import TurnBegins, TurnEnds
from arena.records import Fault, seat_of
from arena.rules import rule_tables
from arena.tournament.beginnings import NOBODY, Withdrawn
from arena.tournament.engines import KEPT_FAULTS, Forfeits, Most, Played
from arena.tournament.seated import SeatedBot
from arena.tournament.seated_apart import SeatedApart
from arena.tournament.seated_out import Withdrawal
from arena.tournament.tasks import ChunkTask

Seated = SeatedBot | SeatedApart | Withdrawal

KEPT_BOTS = 256
"""Bots that a process keeps started; beyond it those that played longest ago are started anew."""


class RefereeEngine:
    """Plays chunks with `arena.game.play_game`."""

    def __init__(self, hosts: HostsByIsolation | None = None) -> None:
        self._seated: OrderedDict[tuple[str, str], SeatedBot] = OrderedDict()
        self._hosts = hosts or HostsByIsolation()

    def begin(self, task: ChunkTask) -> None:
        """Start the processes of all bots of a chunk; see `Engine`."""
        if task.isolation.level is not Level.NONE:
            for spec in task.specs:
                self._hosts.under(task.isolation).host(spec).begin()

    def play(
        self, task: ChunkTask, *, withdrawn: Withdrawn = NOBODY, most: Most | None = None
    ) -> Played:
        """Play all blocks of the chunk in all rotations; see `Engine`."""
        seated = [
            Withdrawal(spec, withdrawn[place]) if place in withdrawn else self._seat(task, spec)
            for place, spec in enumerate(task.specs)
        ]
        with _own_output():
            return _Chunk(task, seated, Forfeits(len(seated), most, withdrawn)).play()

    def _seat(self, task: ChunkTask, spec: BotSpec) -> SeatedBot | SeatedApart:
        if task.isolation.level is Level.NONE:
            return self._bot(spec)
        hosts = self._hosts.under(task.isolation)
        return SeatedApart(spec, hosts, rule_tables(task.ruleset), len(task.specs))

    def _bot(self, spec: BotSpec) -> SeatedBot:
        # A bot that remembers has an instance for each seat, any other may sit in several.
        if spec.remembers:
            return SeatedBot(spec)
        key = (spec.key, spec.path)
        bot = self._seated.pop(key, None) or SeatedBot(spec)
        self._seated[key] = bot
        while len(self._seated) > KEPT_BOTS:
            self._seated.popitem(last=False)
        return bot


@contextmanager
def _own_output() -> Iterator[None]:
    """Bots take over the standard streams while they play; afterwards they are as before."""
    out, err = sys.stdout, sys.stderr
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err


class _Chunk:
    """One chunk while it is played."""

    def __init__(self, task: ChunkTask, bots: Sequence[Seated], forfeits: Forfeits) -> None:
        self.match = task.chunk.match
        self.chunk = task.chunk
        self.tables = rule_tables(task.ruleset)
        self.bots = bots
        self.faults: list[Fault] = []
        self.forfeits = forfeits
        self.counts = zero_counts(
            blocks=task.chunk.blocks, rotations=self.match.rotations, seats=self.match.seats
        )

    def play(self) -> Played:
        for number in range(self.chunk.blocks):
            for rotation in range(self.match.rotations):
                self.play_game(number, rotation)
        asked = self.counts.decisions.copy()  # the referee asks about every one of them
        return Played(
            counts=self.counts,
            questions=asked,
            faults=tuple(self.faults),
            losses=self.forfeits.losses,
        )

    def play_game(self, number: int, rotation: int) -> None:
        """One game; `number` counts the blocks of this chunk from 0."""
        block = self.chunk.first_block + number
        places = [0] * self.match.seats  # place of the bot in each seat
        for place in range(self.match.seats):
            places[seat_of(place, rotation, self.match.seats)] = place
        players = [self.bots[place] for place in places]
        for player in players:
            player.new_game()
        dice = AddressedDice(self.match.dice_key, block)
        listener = _TurnCounter(self.counts, places)
        result = play_game(self.tables, players, dice, rng_seed=dice.rng_seed, listener=listener)
        _count(self.counts, result, places, self.tables.ruleset.target)
        self.counts.winners[number, rotation] = sum(1 << (seat - 1) for seat in result.winners)
        if result.forfeit is not None:
            place = places[result.forfeit.seat - 1]
            self.counts.forfeits[place] += 1
            fault = self.bots[place].fault(result.forfeit, block=block, rotation=rotation)
            if len(self.faults) < KEPT_FAULTS:
                self.faults.append(fault)
            lost = self.bots[place].lost or fault.kind in COSTLY
            self.forfeits.add(place, block, rotation, lost=lost, message=fault.message)


class _TurnCounter:
    """A listener that counts turns by what they wrote."""

    def __init__(self, counts: Counts, places: Sequence[int]) -> None:
        self._turn_points = counts.turn_points
        self._places = places
        self._place = 0

    def __call__(self, event: Event) -> None:
        if type(event) is TurnBegins:
            self._place = self._places[event.seat - 1]
        elif type(event) is TurnEnds:
            self._turn_points[self._place, turn_bin(event.written)] += 1


def _count(counts: Counts, result: GameResult, places: Sequence[int], target: int) -> None:
    for place, tally, score in zip(places, result.tallies, result.scores, strict=True):
        counts.turns[place] += tally.turns
        counts.rolls[place] += tally.rolls
        counts.busts[place] += tally.busts
        counts.written[place] += tally.written
        counts.decisions[place] += tally.decisions
        counts.final_scores[place, score_bin(score, target)] += 1
    counts.rounds[round_bin(result.rounds)] += 1

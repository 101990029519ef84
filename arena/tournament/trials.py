"""Trying bots before they play: who takes part in no match is found out once, not in every match.

A bot is tried on every ruleset, for every number of seats, in games with itself. What comes of it
follows from the bot, the ruleset and the seed, so that a match stays what its id says, whichever
tournament it belongs to and whatever the others in it do.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import Final

from arena.bots.isolation import Isolation
from arena.records import Chunk, Fault, FaultKind, Match, Trial
from arena.tournament.beginnings import NOBODY, Beginning
from arena.tournament.engines import Engine, Played
from arena.tournament.ledger import Ledger
from arena.tournament.tasks import ChunkTask, EngineName, PlannedMatch, TrialTask

LAST_END: Final = 64
"""A bot that has not been withdrawn after so many games with itself takes part."""

KEPT_TRIALS: Final = 4096
"""Bots of which a process knows what came of trying them; others are tried again."""

TOOK_DOWN: Final = "it takes down the process that plays it"


class TrialPlayer:
    """Tries bots with an engine, each once.

    Args:
        engine: which plays.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._known: OrderedDict[tuple[str, Isolation], Trial] = OrderedDict()

    def trial(self, task: TrialTask) -> Trial:
        """What comes of trying this bot.

        A bot that plays its first game to the end takes part, and costs no more than that.

        Raises:
            BotError: its file has changed or is gone.
        """
        key = (task.match.id, task.isolation)
        known = self._known.pop(key, None) or self._tried(task)
        self._known[key] = known
        while len(self._known) > KEPT_TRIALS:
            self._known.popitem(last=False)
        return known

    def _tried(self, task: TrialTask) -> Trial:
        beginning = Beginning(
            task.isolation.limits, rotations=1, places=1, games="games with itself"
        )
        faults: dict[FaultKind, Fault] = {}
        while not beginning.settled and beginning.end < LAST_END:
            played = self._play(task, first=beginning.end, end=beginning.following.end)
            for fault in played.faults:
                faults.setdefault(fault.kind, fault)
            forfeits = int(played.counts.forfeits.sum())
            if not beginning.end and not forfeits:
                break
            told = max(played.losses, key=lambda loss: loss.games)
            beginning.watch(
                forfeits=[forfeits], losses=[sum(n.games for n in played.losses)], last=[told.last]
            )
        why = beginning.withdrawn.get(0, "")
        kept = tuple(_of_no_game(fault, task.match) for fault in faults.values()) if why else ()
        return Trial(id=task.match.id, withdrawn=why, faults=kept)

    def _play(self, task: TrialTask, *, first: int, end: int) -> Played:
        chunk = ChunkTask(
            chunk=Chunk(match=task.match, first_block=first, blocks=end - first),
            ruleset=task.ruleset,
            specs=(task.spec,) * task.match.seats,
            engine=task.engine,
            isolation=task.isolation,
        )
        return self._engine.play(chunk, withdrawn=NOBODY)


def _of_no_game(fault: Fault, match: Match) -> Fault:
    """A fault of a trial as it is told beside a match."""
    position = fault.position
    if fault.block >= 0:
        again = match.replay_command(fault.block, fault.rotation)
        position = f"{position}\nthe game up to there: {again}".lstrip("\n")
    return replace(fault, position=position, block=-1, rotation=0, forfeits=False)


class Trials:
    """Which bots of a run have to be tried, and what came of it.

    Args:
        ledger: knows what came of earlier ones, and gets the new ones.
        engine: which plays.
        isolation: how far bots are kept apart.
    """

    def __init__(self, ledger: Ledger, engine: EngineName, isolation: Isolation) -> None:
        self._ledger = ledger
        self._engine = engine
        self._isolation = isolation
        self._known: dict[str, Trial] = {}
        self._waiting: dict[str, TrialTask] = {}
        self._seen: set[str] = set()
        self._on_their_way: set[str] = set()

    def add(self, planned: PlannedMatch) -> None:
        """Take down that the bots of this match will play."""
        for place in range(planned.match.seats):
            task = self._task(planned, place)
            trial_id = task.match.id
            if trial_id not in self._seen:
                self._seen.add(trial_id)
                known = self._ledger.trial(trial_id)
                if known is None:
                    self._waiting[trial_id] = task
                else:
                    self._known[trial_id] = known

    def _task(self, planned: PlannedMatch, place: int) -> TrialTask:
        return TrialTask(
            match=planned.match.alone(place),
            ruleset=planned.ruleset,
            spec=planned.specs[place],
            engine=self._engine,
            isolation=self._isolation,
        )

    def next_task(self) -> TrialTask | None:
        """The next bot that is to be tried; None when all have been handed out."""
        while self._waiting:
            task = self._waiting.pop(next(iter(self._waiting)))
            if task.match.id not in self._known:
                self._on_their_way.add(task.match.id)
                return task
        return None

    def are_on_their_way(self, match: Match) -> bool:
        """Whether a bot of this match is being tried, so that it should wait for that."""
        if not self._on_their_way:
            return False
        return not self._on_their_way.isdisjoint(match.trial_ids)

    @property
    def told(self) -> str:
        """How far the trials are, for people; empty when nobody is being tried."""
        if not self._on_their_way:
            return ""
        left = len(self._on_their_way) + len(self._waiting)
        return f"{len(self._seen) - left} of {len(self._seen)} bots tried"

    def take(self, trial: Trial) -> None:
        """Keep what came of a trial; of several of one bot the first."""
        self._on_their_way.discard(trial.id)
        if trial.id not in self._known:
            self._ledger.add_trial(trial)
            self._known[trial.id] = trial

    def of(self, match: Match) -> tuple[Trial, ...]:
        """What is known about the bots of a match."""
        ids = dict.fromkeys(match.trial_ids)
        return tuple(self._known[each] for each in ids if each in self._known)

"""Playing chunks so that who is withdrawn from a match depends on the match alone."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from arena.records import Chunk, Fault, FaultKind, MatchStats, Trial
from arena.tournament.beginnings import STAGE_ENDS, Beginning, Stretch
from arena.tournament.engines import (
    KEPT_FAULTS,
    Engine,
    Most,
    Played,
    TooManyFaults,
    withdrawn_message,
)
from arena.tournament.tasks import ChunkTask, TrialTask
from arena.tournament.trials import TrialPlayer

KEPT_BEGINNINGS: Final = 4096
"""Matches of which a process knows how they began; others are watched again."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlayedChunk:
    """A chunk that was played, withdrawals and all.

    Attributes:
        stats: of all its blocks.
        faults: the first ones, in the order of blocks; and one for each bot that was withdrawn.
            Those of the trials of its bots come first, in the first chunk of the match.
        trials: that had to be made.
    """

    stats: MatchStats
    faults: tuple[Fault, ...]
    trials: tuple[Trial, ...]


class WithdrawingPlayer:
    """Plays chunks with an engine, and withdraws bots that are too bad to be played.

    Bots that are tried in vain, see `TrialPlayer`, forfeit the whole match. For those that turn
    out to be bad later a chunk is first played as if nothing could happen. Only where a bot takes
    its process down or forfeits many games the beginning of the match is watched, see `Beginning`;
    wherever the chunk lies, for it may be that the bot was withdrawn before it. So honest bots pay
    no more than the game in which they are tried.

    Args:
        engine: which plays.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._trial_player = TrialPlayer(engine)
        self._beginnings: OrderedDict[tuple[object, ...], Beginning] = OrderedDict()

    def trial(self, task: TrialTask) -> Trial:
        """Try a bot; see `TrialPlayer`."""
        return self._trial_player.trial(task)

    def play(self, task: ChunkTask) -> PlayedChunk:
        """Play all blocks of the chunk in all rotations.

        Raises:
            BotError: the file of a bot has changed or is gone.
        """
        trials = {each.id: each for each in task.trials}
        made = self._made_trials(task, trials)
        by_place = [trials[each] for each in task.match.trial_ids]
        stats, faults = _together(self._parts(task, self._beginning(task, by_place)))
        if not task.chunk.first_block:
            bots = dict(zip(task.match.bots, by_place, strict=True))
            told = [fault for bot, trial in bots.items() for fault in _told(bot, trial)]
            faults = (*told, *faults)
        return PlayedChunk(stats=stats, faults=faults, trials=made)

    def _made_trials(self, task: ChunkTask, known: dict[str, Trial]) -> tuple[Trial, ...]:
        """Try the bots that have not been tried yet, and add what came of it."""
        made = []
        if not known.keys() >= set(task.match.trial_ids):
            self._engine.begin(task)  # all get ready while the first one is tried
        for place, trial_id in enumerate(task.match.trial_ids):
            if trial_id not in known:
                known[trial_id] = self._trial_player.trial(task.trial_task(place))
                made.append(known[trial_id])
        return tuple(made)

    def _parts(self, task: ChunkTask, beginning: Beginning) -> list[Played]:
        """The chunk as it was played, in the order of blocks."""
        known: dict[int, Played] = {}  # by first block
        if not beginning.settled:
            if not beginning.end:
                whole = self._untroubled(task, beginning)
                if whole is not None:
                    return [whole]
            if not beginning.settled:
                self._watch(task, beginning, known)
        return [
            known.get(stretch.first) or self._stretch(task, stretch)
            for stretch in _stretches(task.chunk, beginning, known)
        ]

    def _beginning(self, task: ChunkTask, trials: Sequence[Trial]) -> Beginning:
        match = task.match
        out = {place: trial.withdrawn for place, trial in enumerate(trials) if trial.withdrawn}
        key = (match.id, task.isolation, tuple(out))
        known = self._beginnings.pop(key, None) or Beginning(
            task.isolation.limits, rotations=match.rotations, places=match.seats, withdrawn=out
        )
        self._beginnings[key] = known
        while len(self._beginnings) > KEPT_BEGINNINGS:
            self._beginnings.popitem(last=False)
        return known

    def _untroubled(self, task: ChunkTask, beginning: Beginning) -> Played | None:
        """The whole chunk, if it is the first one and nothing happens that has to be watched.

        Of any other chunk the first blocks of the match are played instead.
        """
        chunk = task.chunk
        limits = task.isolation.limits
        end = STAGE_ENDS[0] if chunk.first_block else chunk.blocks
        try:
            played = self._stretch(
                task,
                Stretch(first=0, end=end, withdrawn=dict(beginning.withdrawn)),
                Most(forfeits=limits.max_faults, losses=1),
            )
        except TooManyFaults:
            return None
        forfeits = played.counts.forfeits.tolist()
        others = sum(n for place, n in enumerate(forfeits) if place not in beginning.withdrawn)
        beginning.pass_over(blocks=end, forfeits=others)
        return None if chunk.first_block else played

    def _watch(self, task: ChunkTask, beginning: Beginning, known: dict[int, Played]) -> None:
        """Watch as much of the beginning as decides who is withdrawn in this chunk."""
        first, end = task.chunk.first_block, task.chunk.first_block + task.chunk.blocks
        while not beginning.settled:
            stretch = beginning.following
            if stretch.end > end or (stretch.end == end and stretch.first < first):
                return
            played = self._stretch(task, stretch)
            beginning.watch(
                forfeits=played.counts.forfeits.tolist(),
                losses=[each.games for each in played.losses],
                last=[each.last for each in played.losses],
            )
            if stretch.first >= first:
                known[stretch.first] = played

    def _stretch(self, task: ChunkTask, stretch: Stretch, most: Most | None = None) -> Played:
        blocks = stretch.end - stretch.first
        chunk = Chunk(match=task.chunk.match, first_block=stretch.first, blocks=blocks)
        part = replace(task, chunk=chunk)
        return self._engine.play(part, withdrawn=stretch.withdrawn, most=most)


def _told(bot: str, trial: Trial) -> Iterator[Fault]:
    """What is told beside a match about a bot that was tried in vain."""
    if trial.withdrawn:
        yield from trial.faults
        yield Fault(
            bot=bot,
            kind=FaultKind.WITHDRAWN,
            message=withdrawn_message(trial.withdrawn),
            forfeits=False,
        )


def _stretches(chunk: Chunk, beginning: Beginning, known: Container[int]) -> list[Stretch]:
    """The chunk in stretches, as few as who is withdrawn and what was played already allow.

    Args:
        chunk: which.
        beginning: of its match.
        known: first blocks of the stretches of the beginning that stay as they are.
    """
    at, end = chunk.first_block, chunk.first_block + chunk.blocks
    rest = Stretch(first=beginning.end, end=end, withdrawn=dict(beginning.withdrawn))
    found: list[Stretch] = []
    for each in [*beginning.stretches, rest]:
        part = replace(each, first=max(each.first, at), end=min(each.end, end))
        if part.first >= part.end:
            continue
        before = found[-1] if found else part
        apart = before.first in known or part.first in known
        if not found or apart or before.withdrawn != part.withdrawn:
            found.append(part)
        else:
            found[-1] = replace(before, end=part.end)
    return found


def _together(parts: list[Played]) -> tuple[MatchStats, tuple[Fault, ...]]:
    stats = [MatchStats.from_counts(part.counts, part.questions) for part in parts]
    total = stats[0]
    for more in stats[1:]:
        total = total + more
    faults: list[Fault] = []
    told: set[tuple[str, FaultKind]] = set()
    for fault in (each for part in parts for each in part.faults):
        news = (fault.bot, fault.kind) not in told
        if fault.is_mark and not news:
            continue  # one of each bot and chunk is told
        if len(faults) < KEPT_FAULTS or fault.is_mark:
            faults.append(fault)
            told.add((fault.bot, fault.kind))
    return total, tuple(faults)

"""Bots are tried before they play, once for all their matches on a ruleset."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.isolation import TRUST, Isolation
from arena.game import zero_counts
from arena.records import Fault, FaultKind, Trial
from arena.store import Store
from arena.tournament import EngineName, MemoryLedger, play_chunk, run_matches
from arena.tournament.beginnings import NOBODY, Withdrawn
from arena.tournament.engines import Forfeits, Most, Played
from arena.tournament.tasks import ChunkTask, TrialTask
from arena.tournament.trials import LAST_END, TOOK_DOWN, TrialPlayer, Trials
from arena.tournament.worker import try_bot
from tests.tournament.playing import planned, stats_of, task

ENGINES = pytest.mark.parametrize("engine", list(EngineName))


class Pretender:
    """An engine in whose games a bot forfeits as was fixed: by number, with or without a loss."""

    def __init__(self, *, raised: set[int] = frozenset(), lost: set[int] = frozenset()) -> None:  # type: ignore[assignment]  # never changed
        self.raised, self.lost = raised, lost
        self.games = 0

    def begin(self, task: ChunkTask) -> None:
        """Nothing has to be started."""

    def play(
        self, task: ChunkTask, *, withdrawn: Withdrawn = NOBODY, most: Most | None = None
    ) -> Played:
        chunk = task.chunk
        self.games += chunk.blocks
        counts = zero_counts(blocks=chunk.blocks, rotations=1, seats=2)
        forfeits = Forfeits(2, most)
        faults = []
        for game in range(chunk.first_block, chunk.first_block + chunk.blocks):
            if game in self.raised | self.lost:
                counts.forfeits[game % 2] += 1
                lost = game in self.lost
                forfeits.add(game % 2, game, 0, lost=lost, message="it hung")
                kind = FaultKind.TIMEOUT if lost else FaultKind.EXCEPTION
                faults.append(Fault(bot="hold", kind=kind, message="it hung", block=game))
        return Played(
            counts=counts,
            questions=counts.turns,
            faults=tuple(faults),
            losses=forfeits.losses,
        )


def _task(bot: str = "hold", engine: EngineName = EngineName.REFEREE) -> TrialTask:
    one = planned(bot, "greedy")
    return TrialTask(
        match=one.match.alone(0), ruleset=one.ruleset, spec=one.specs[0], engine=engine
    )


def test_an_honest_bot_is_tried_in_one_game() -> None:
    engine = Pretender(lost={5})
    player = TrialPlayer(engine)
    assert player.trial(_task()) == player.trial(_task()) == Trial(id=_task().match.id)
    assert engine.games == 1


@pytest.mark.parametrize(
    ("raised", "lost", "games"),
    [({0}, (), 16), (range(0, 99, 2), (), 16), ((), {0, 40}, LAST_END), ((), {0, 15, 50}, 64)],
)
def test_some_faults_withdraw_nobody(raised: range, lost: set[int], games: int) -> None:
    engine = Pretender(raised=set(raised), lost=set(lost))
    assert TrialPlayer(engine).trial(_task()) == Trial(id=_task().match.id)
    assert engine.games == games


def test_a_bot_that_hangs_is_withdrawn_for_its_first_games() -> None:
    engine = Pretender(lost=set(range(99)))
    trial = TrialPlayer(engine).trial(_task())
    assert "took its process down, or nearly, in 3 of the first 3 games with" in trial.withdrawn
    assert engine.games == 3
    [fault] = trial.faults
    assert (fault.kind, fault.block, fault.forfeits) == (FaultKind.TIMEOUT, -1, False)
    assert "arena replay hold hold --rules" in fault.position


def test_a_bot_that_always_raises_is_withdrawn() -> None:
    trial = TrialPlayer(Pretender(raised=set(range(99)))).trial(_task())
    assert trial.withdrawn == "it forfeited 12 of its first 12 games with itself"


@ENGINES
def test_whoever_is_withdrawn_forfeits_all_and_is_told_of_once(engine: EngineName) -> None:
    one = task(planned("hold:points=290", "word", blocks=40), engine=engine)
    first = play_chunk(replace(one, chunk=replace(one.chunk, blocks=4)))
    [passed, failed] = first.trials
    assert not passed.withdrawn
    assert failed.withdrawn
    assert [fault.kind for fault in failed.faults] == [FaultKind.WRONG_TYPE]
    assert "it could have answered" in failed.faults[0].position
    assert first.faults[0] == failed.faults[0]
    assert {fault.kind for fault in first.faults[1:]} == {FaultKind.WITHDRAWN}
    rest = play_chunk(
        replace(one, chunk=replace(one.chunk, first_block=4, blocks=36), trials=first.trials)
    )
    assert rest.trials == ()
    assert {fault.kind for fault in rest.faults} == {FaultKind.WITHDRAWN}
    assert (first.stats + rest.stats).digest == play_chunk(one).stats.digest


@ENGINES
def test_a_match_with_itself_begins_like_the_trial(engine: EngineName) -> None:
    match = planned("word", "word", blocks=3)
    trial = try_bot(_task("word", engine))
    [made] = play_chunk(task(match, engine=engine)).trials
    assert made == trial


def test_a_run_tries_every_bot_once(monkeypatch: pytest.MonkeyPatch) -> None:
    bots = ("hold", "greedy", "word")
    matches = [planned(a, b, blocks=3) for a in bots for b in bots if a < b]
    ledger = MemoryLedger()
    list(run_matches(matches, ledger, engine=EngineName.KERNEL, workers=1, isolation=TRUST))
    trials = [ledger.trial(match.match.alone(place).id) for match in matches for place in (0, 1)]
    assert None not in trials
    assert sorted(bool(each and each.withdrawn) for each in trials) == [False] * 4 + [True] * 2
    again = MemoryLedger()
    for each in trials:
        assert each is not None
        again.add_trial(each)
    monkeypatch.setattr("arena.tournament.worker.try_bot", None)  # workers are forked
    list(run_matches(matches, again, engine=EngineName.KERNEL, workers=2, isolation=TRUST))
    for match in matches:
        assert stats_of(again, match).digest == stats_of(ledger, match).digest


def test_of_two_trials_of_a_bot_the_first_is_kept() -> None:
    ledger = MemoryLedger()
    trials = Trials(ledger, EngineName.REFEREE, Isolation(level=TRUST.level))
    match = planned("hold", "greedy")
    trials.add(match)
    trials.add(match)
    handed_out = trials.next_task()
    assert handed_out is not None
    first = Trial(id=handed_out.match.id, withdrawn=TOOK_DOWN)
    trials.take(first)
    trials.take(Trial(id=first.id))
    assert trials.of(match.match) == (first,)
    assert ledger.trial(first.id) == first
    trials.take(Trial(id=match.match.alone(1).id))  # by whoever played a chunk
    assert trials.next_task() is None


def test_a_result_file_keeps_trials(tmp_path: Path) -> None:
    fault = Fault(bot="b", kind=FaultKind.DIED, message="gone", traceback="t", forfeits=False)
    trial = Trial(id="0123", withdrawn="it was bad", faults=(fault,))
    with Store.write(tmp_path / "r.sqlite") as store:
        assert store.trial("0123") is None
        store.add_trial(trial)
        store.add_trial(Trial(id="0123"))
        assert store.trial("0123") == trial


def test_marks_are_kept_however_many_faults_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.tournament.runner.KEPT_FAULTS", 0)
    match = planned("hold", "word", blocks=40)
    ledger = MemoryLedger()
    for place in range(2):  # they took part, so that one is withdrawn later
        ledger.add_trial(Trial(id=match.match.alone(place).id))
    list(run_matches([match], ledger, engine=EngineName.REFEREE, workers=1, chunk_blocks=5))
    assert {fault.kind for fault in ledger.faults} == {FaultKind.WITHDRAWN}
    assert min(fault.block for fault in ledger.faults) >= 0

"""`carry_out`: the pure function that every executor runs somewhere."""

from __future__ import annotations

import logging
import os
import time

from arena.records import ChunkResult, Trial
from arena.tournament.engines import engine_named
from arena.tournament.tasks import ChunkTask, EngineName, Task, TrialTask
from arena.tournament.withdrawing import WithdrawingPlayer

_players: dict[EngineName, WithdrawingPlayer] = {}
"""With the engines of this process, which keep started bots and what was learnt about them. Results
do not depend on it."""

_log = logging.getLogger("arena.worker")


def carry_out(task: Task) -> ChunkResult | Trial:
    """Play a chunk or try a bot.

    Raises:
        BotError: a bot's file has changed since the run began.
    """
    return play_chunk(task) if isinstance(task, ChunkTask) else try_bot(task)


def try_bot(task: TrialTask) -> Trial:
    """Try a bot before it plays.

    Raises:
        BotError: its file has changed since the run began.
    """
    trial = _player(task.engine).trial(task)
    _tell_trial(trial)
    return trial


def play_chunk(task: ChunkTask) -> ChunkResult:
    """Play a chunk; equal tasks give equal statistics in any process.

    Raises:
        BotError: a bot's file has changed since the run began.
    """
    started = time.perf_counter()
    played = _player(task.engine).play(task)
    result = ChunkResult(
        chunk=task.chunk,
        stats=played.stats,
        faults=played.faults,
        trials=played.trials,
        seconds=time.perf_counter() - started,
        worker=os.getpid(),
    )
    _tell(result)
    return result


def prepare(name: EngineName) -> None:
    """Load an engine before there is anything to play."""
    _player(name)


def _player(name: EngineName) -> WithdrawingPlayer:
    if name not in _players:
        _players[name] = WithdrawingPlayer(engine_named(name))
    return _players[name]


def _tell_trial(trial: Trial) -> None:
    if trial.withdrawn:
        _log.warning("match %s, a bot with itself: withdrawn: %s", trial.id, trial.withdrawn)


def _tell(result: ChunkResult) -> None:
    for trial in result.trials:
        _tell_trial(trial)
    chunk = result.chunk
    _log.info(
        "match %s: blocks %d to %d in %.2f s",
        chunk.match.id, chunk.first_block, chunk.first_block + chunk.blocks - 1, result.seconds,
    )  # fmt: skip
    for fault in result.faults:
        _log.warning(
            "match %s, block %d, rotation %d: %s: %s: %s\n%s",
            chunk.match.id, fault.block, fault.rotation, fault.bot, fault.kind, fault.message,
            fault.traceback,
        )  # fmt: skip

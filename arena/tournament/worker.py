"""`play_chunk`: the pure function that every executor runs somewhere."""

from __future__ import annotations

import logging
import os
import time

from arena.records import ChunkResult
from arena.tournament.engines import engine_named
from arena.tournament.tasks import ChunkTask, EngineName
from arena.tournament.withdrawing import WithdrawingPlayer

_players: dict[EngineName, WithdrawingPlayer] = {}
"""With the engines of this process, which keep started bots and what was learnt about them. Results
do not depend on it."""

_log = logging.getLogger("arena.worker")


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


def _tell(result: ChunkResult) -> None:
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

"""Whole games of a bot with itself, as the last step of a check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.bots.check_advice import special_advice
from arena.bots.check_findings import FIXES, Finding
from arena.bots.isolation import Isolation
from arena.bots.isolation_hosts import HostsByIsolation
from arena.bots.spec import BotSpec
from arena.records import Chunk, Fault, Match
from arena.rules import Ruleset
from arena.tournament import ChunkTask, EngineName

GAMES: Final = 2
"""On each ruleset."""

SEED: Final = 1


def games_with_itself(
    isolation: Isolation,
    spec: BotSpec,
    rulesets: Sequence[Ruleset],
    seats: int,
) -> Finding | None:
    """Play games of a bot with itself; what was wrong with the first that it did not finish.

    Raises:
        BotError: its file has changed or is gone.
        RunError: no process can be started.
    """
    from arena.tournament.referee_engine import RefereeEngine  # it shows the dice as thrown

    hosts = HostsByIsolation()
    engine = RefereeEngine(hosts)
    try:
        for ruleset in rulesets:
            task = _games(spec, ruleset, seats, isolation)
            faults = engine.play(task).faults
            if faults:
                return _finding(faults[0], task.match)
    finally:
        hosts.under(isolation).close()
    return None


def _games(spec: BotSpec, ruleset: Ruleset, seats: int, isolation: Isolation) -> ChunkTask:
    match = Match(
        rules=ruleset.name,
        rules_key=ruleset.key,
        bots=(spec.name,) * seats,
        bot_keys=(spec.key,) * seats,
        seed=SEED,
        fixed_seats=True,
        limits=isolation.limits_text,
    )
    return ChunkTask(
        chunk=Chunk(match=match, first_block=0, blocks=GAMES),
        ruleset=ruleset,
        specs=(spec,) * seats,
        engine=EngineName.REFEREE,
        isolation=isolation,
    )


def _finding(fault: Fault, match: Match) -> Finding:
    again = match.replay_command(fault.block, fault.rotation)
    return Finding(
        what=f"in a game with itself: {fault.message}",
        fix=f"{special_advice(fault.message, fault.traceback) or FIXES[fault.kind.value]}; "
        f"the game up to there: {again}",
        position=fault.position,
        traceback=fault.traceback,
        output=fault.output,
    )

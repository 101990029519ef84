"""A sequential test of every pair; each plays on until its own is decided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from arena.tournament.rounds import Round
from arena.tournament.sequential import block_counts, with_looks
from arena.tournament.stopping import SprtRule
from arena.tournament.table import Lineup, Table, canonical
from arena.tournament.verdicts import said_of_test

if TYPE_CHECKING:
    from arena.stats import Sprt, SprtState

LOOKS: Final = 50
"""Looks that a test takes where it needs most blocks, on independent dice."""


def tested(pairs: Sequence[Lineup], table: Table, rule: SprtRule) -> Iterator[Round]:
    """Rounds that end when every pair's test is decided, or has all its blocks.

    Each pair stands with the bot first that the hypotheses are about.
    """
    from arena.stats import Verdict

    test = with_looks(rule.test(most=table.blocks), looks=LOOKS)
    states: dict[Lineup, SprtState | None] = dict.fromkeys(pairs)
    running = list(pairs)
    while running:
        planned = [
            table.play_to(pair, min(table.asked(pair) + test.look, table.blocks))
            for pair in running
        ]
        told = "1 test undecided" if len(running) == 1 else f"{len(running)} tests undecided"
        yield Round(planned=tuple(planned), told=told)
        states |= {pair: _state(test, table, pair) for pair in running}
        running = [pair for pair in running if _is(states[pair], Verdict.RUNNING)]
    for pair, state in states.items():
        table.tell(said_of_test(rule, pair[0], pair[1], state))


def _state(test: Sprt, table: Table, pair: Lineup) -> SprtState | None:
    """The state of a pair's test; None where nothing of it could be played."""
    from arena.stats import sprt_state

    stats = table.stands(pair)
    if stats is None or stats.blocks < table.asked(pair):
        return None
    points = block_counts(stats)
    return sprt_state(test, points if canonical(pair) == pair else points[::-1])


def _is(state: SprtState | None, verdict: object) -> bool:
    return state is not None and state.verdict is verdict

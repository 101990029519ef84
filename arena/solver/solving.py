"""Solving a ruleset from beginning to end: what `arena solve` does."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from arena.errors import StoreError
from arena.rules import Ruleset
from arena.solver.alone import expected_turns
from arena.solver.cache import (
    PartWriter,
    Stored,
    load_part,
    load_solved,
    load_turns,
    save_solved,
    save_turns,
)
from arena.solver.duel import Matrix, closing_by_need
from arena.solver.graph import turn_graph
from arena.solver.perfect import Unfinished, solve_perfect
from arena.solver.sheets import make_sheets
from arena.solver.turn import USUAL_END, points_turn


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnValues:
    """What one turn can bring, and how many it takes.

    Attributes:
        points: most points a turn, for a player who is open; a turn of `USUAL_END` points ends.
        points_unopened: the same for a player who is not open.
        turns: fewest turns on average until the target is written, alone.
    """

    points: float
    points_unopened: float
    turns: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelValues:
    """Perfect play of two.

    Attributes:
        first_wins: value for the first seat; shared wins count 1/2.
        residual: largest difference between the two sides of the equations.
        known: whether it had been solved before.
        not_kept: why the solution is not on disk, so that `perfect` cannot play it; else empty.
    """

    first_wins: float
    residual: float
    known: bool
    not_kept: str = ""


def turn_values(rules: Ruleset) -> TurnValues:
    """Solve a turn, and the way to the target alone."""
    turns = load_turns(rules)
    if turns is None:
        turns = expected_turns(rules)
        with suppress(StoreError):  # computed again next time
            save_turns(rules, turns)
    points = points_turn(rules, ends_at=USUAL_END)
    return TurnValues(points=points.opened, points_unopened=points.unopened, turns=turns)


def solve_duel(
    rules: Ruleset,
    *,
    workers: int = 1,
    tick: Callable[[int], None] = lambda pairs: None,
    anew: bool = False,
) -> DuelValues:
    """Solve a ruleset for two, or fetch it from disk; goes on where it was interrupted.

    Args:
        rules: one that `size.solve_size` takes.
        workers: threads.
        tick: is told how many more pairs of sheets are done, those of an earlier run included.
        anew: solve it even if it is on disk.
    """
    start = make_sheets(rules).first
    stored = None if anew else load_solved(rules)
    if stored is None:
        writer = PartWriter(rules)
        try:
            found = solve_perfect(
                rules, workers=workers, tick=tick, save=writer, resume=_resume(rules, anew)
            )
        except BaseException:
            writer.write()
            raise
        not_kept = ""
        try:
            save_solved(
                rules,
                Stored(values=found.values, closing=_closing(rules), residual=found.residual),
            )
        except StoreError as error:  # the numbers are worth having all the same
            not_kept = str(error)
        return DuelValues(
            first_wins=found.first_wins,
            residual=found.residual,
            known=False,
            not_kept=not_kept,
        )
    first = float(stored.values[0, 0, start, start])
    return DuelValues(first_wins=first, residual=stored.residual, known=True)


def _resume(rules: Ruleset, anew: bool) -> Unfinished | None:
    part = None if anew else load_part(rules)
    if part is None:
        return None
    return Unfinished(values=part.values, done=part.done, sweep=part.sweep, residual=part.residual)


def _closing(rules: Ruleset) -> Matrix:
    """Values of the last turn, empty where there is none."""
    if rules.end == "first_to_target":
        return np.zeros((2, 1))
    graph = turn_graph(rules)
    return closing_by_need(graph, graph.units(rules.target))[0]

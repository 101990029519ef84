"""The most points that a turn can bring, the end of the game left aside.

Without a bust penalty a turn stands alone: in the equations of `arena.solver.graph`

    stop[p] = p if p reaches the minimum, else 0;   lost[p] = 0, or stop[p] where busts keep.

With a penalty turns hang together through the row of busts b, and what counts is the average over
many turns. With gain g per turn and relative values h[b], h[0] = 0 (Howard, Dynamic Programming
and Markov Processes, 1960, chapter 4):

    g + h[b] = best turn with  stop[p] = p + h[0] if p reaches the minimum, else h[b]
                               lost[p] = h[b + 1], or h[0] - penalty at the end of the row

An instant win ends a turn that writes nothing: it is not part of the average.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.rules import Ruleset
from arena.solver.graph import TurnGraph, turn_graph
from arena.solver.sheets import after_bust, bust_rows
from arena.solver.turn_kernel import TurnTable

USUAL_END: Final = 10_000
"""Published values of a turn (Patch: 542.063223899469) let a turn end that has gathered so much;
without an end it would be 542.063243999. `points_per_turn` keeps to the habit."""

NO_END: Final = 40_000
"""So many points, or 5 times the largest roll, stand for no end at all: the chance of coming so
far is below 1e-12 under best play of all rulesets that come with arena."""

CHANGE: Final = 1e-11
SWEEPS: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PointsTurn:
    """Turns played for points.

    Attributes:
        graph: inside of a turn.
        opened: most points a turn brings on average, for a player who is open; with a bust
            penalty the average over many turns, penalties taken off.
        unopened: the same for the first turn that a player writes, nothing else counted.
        table: values of all positions in points, one lane for each length of a row of busts;
            the last lane is that of a player who is not open.
        rows: lanes of `table` but the last.
    """

    graph: TurnGraph
    opened: float
    unopened: float
    table: TurnTable
    rows: int


def points_turn(rules: Ruleset, *, ends_at: int | None = None) -> PointsTurn:
    """Solve a turn for points; well under a second.

    Args:
        rules: the ruleset; its target plays no part.
        ends_at: a turn ends once it has gathered so many points; None for no such end.
    """
    graph = turn_graph(rules)
    rows = bust_rows(rules)
    top = graph.units(NO_END if ends_at is None else ends_at)
    top = max(top, graph.minimum(is_open=False), 5 * graph.max_gain if ends_at is None else 0)
    table = TurnTable(graph, top, rows + 1)
    h = np.zeros(rows + 1)
    for _ in range(SWEEPS):
        _set_ends(table, rules, h)
        start = table.solve(0.0)
        change = start - start[0]
        change[-1] = 0.0
        settled = float(np.abs(change - h).max()) < CHANGE
        h = change
        if settled:
            break
    return PointsTurn(
        graph=graph,
        opened=float(start[0]),
        unopened=float(start[-1]),
        table=table,
        rows=rows,
    )


def _set_ends(table: TurnTable, rules: Ruleset, h: NDArray[np.float64]) -> None:
    """Values of ending a turn in every lane, in points."""
    graph = table.graph
    points = np.arange(len(table.stop)) * float(graph.unit)
    for lane in range(table.stop.shape[1]):
        is_open = lane < table.stop.shape[1] - 1
        minimum = graph.minimum(is_open=is_open)
        written = np.arange(len(points)) >= minimum
        row, cost = after_bust(rules, lane, table.stop.shape[1] - 1) if is_open else (lane, 0)
        bust = h[row] - cost
        table.stop[:, lane] = np.where(written, points, h[lane])
        table.lost[:, lane] = bust
        if rules.bust == "keep":
            table.lost[written, lane] = points[written]

"""The last turn: one turn to beat a leader.

A challenger needs d units more than it has to equal the leader. With w the value of more than d
written, e that of exactly d (1/2 where equal scores are drawn, 0 where the leader wins them):

    stop[p] = 1 if p > d, e if p = d, 0 if p < d; 0 below the minimum;   lost[p] = 0, or stop[p]

The best value is a function of d and of the minimum alone, whatever the scores.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena.solver.graph import TurnGraph
from arena.solver.turn_kernel import LANES, TurnTable


def closing_values(graph: TurnGraph, longest: int) -> NDArray[np.float64]:
    """Value for the challenger of the last turn under best play.

    Returns:
        float64[2, longest + 1], by whether the player is closed and by d.
    """
    values = np.zeros((2, longest + 1))
    for closed in (0, 1):
        if closed and graph.minimum(is_open=False) == graph.minimum(is_open=True):
            values[1] = values[0]
            continue
        for first in range(0, longest + 1, LANES):
            needs = np.minimum(np.arange(first, first + LANES), longest)
            start = closing_turn(graph, needs, closed=bool(closed)).start
            values[closed, needs] = start
    return values


def closing_turn(
    graph: TurnGraph, needs: NDArray[np.int64], *, closed: bool, extra: int = 0
) -> TurnTable:
    """The solved last turn of a challenger, one lane for each number of units it needs to equal.

    Rolling on is valued in `extra` rows more than needed.
    """
    minimum = graph.minimum(is_open=not closed)
    table = TurnTable(graph, max(int(needs.max()) + 1, minimum) + extra, len(needs))
    p = np.arange(len(table.stop))[:, None]
    equal = 0.5 if graph.rules.tie == "draw" else 0.0
    table.stop[:] = np.where(p > needs, 1.0, np.where(p == needs, equal, 0.0))
    table.stop[:minimum] = 0.0
    table.lost[:] = table.stop if graph.rules.bust == "keep" else 0.0
    table.solve(1.0)
    return table

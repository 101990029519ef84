"""The best turn, compiled, for L score situations side by side.

Solves the equations of `arena.solver.graph` from large turn points to small. All tables have the
situations, called lanes, as their last axis, so that the innermost loops run over neighbours in
memory. Rows 0 to P - 1 are positions where rolling on is considered; from row P on the turn ends,
which is exact where ending it is best there. Where the rules force a roll even so, further points
no longer count and the equations are iterated to their fixed point.

The free re-roll makes the value v of a turn's beginning a fixed point of

    v = c + sum over free groups g of prob[g] * max(best[0, g], v)

whose right-hand side is convex in v with slope below 1; Newton's iteration from below reaches it
in finitely many steps (it is policy iteration: Puterman, Markov Decision Processes, 1994, 6.4).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arena.jit import compiled
from arena.solver.graph import TurnGraph

LANES: Final = 16
"""Situations per call that make the best use of vector instructions."""

SETTLED: Final = 1e-15
MOST_ROUNDS: Final = 100_000


class TurnTable:
    """Memory for the values of one turn in L situations, used again and again.

    Attributes:
        rows: P, rows in which rolling on is considered.
        stop: float64[P + max_gain + 1, L], in: value of ending the turn with so many units.
        lost: float64[P + max_gain + 1, L], in: value of a bust at so many units.
        roll: float64[P * S, L], out: value of rolling from spot s with p units, at `p * S + s`.
        land: float64[(P + max_gain + 1) * Y, L], out: value of landing y with p units, at
            `p * Y + y`.
        start: float64[L], out: value of the turn's beginning.
    """

    def __init__(self, graph: TurnGraph, rows: int, lanes: int = LANES) -> None:
        self.graph = graph
        self.rows = rows
        height = rows + graph.max_gain + 1
        self.stop = np.zeros((height, lanes))
        self.lost = np.zeros((height, lanes))
        self.roll = np.zeros((rows * len(graph.spots), lanes))
        self.land = np.zeros((height * len(graph.landings), lanes))
        self.best = np.zeros((len(graph.arrays.prob), lanes))
        self.start = np.zeros(lanes)

    def solve(self, won: float) -> NDArray[np.float64]:
        """Fill `roll`, `land` and `start` from `stop` and `lost`; `won` is an instant win's value.

        Returns:
            `start`.
        """
        best_turn(
            self.graph.arrays,
            self.rows,
            self.stop,
            self.lost,
            won,
            self.roll,
            self.land,
            self.best,
            self.start,
        )
        return self.start


@compiled
def best_turn(
    graph: Any,
    rows: Any,
    stop: Any,
    lost: Any,
    won: Any,
    roll: Any,
    land: Any,
    best: Any,
    start: Any,
) -> None:
    """Fill the values of all positions of a turn; shapes as in `TurnTable`.

    Args:
        graph: `TurnArrays`.
        rows: P.
        stop: in.
        lost: in.
        won: value of an instant win.
        roll: out.
        land: out.
        best: float64[G, L], scratch.
        start: out.
    """
    forced = False
    for y in range(len(graph.roll_spot)):
        forced |= not graph.may_stop[y]
    for p in range(stop.shape[0] - 1, rows - 1, -1):
        _ended_row(graph, p, stop, land)
        if forced:
            _forced_row(graph, p, stop, lost, won, land)
    for p in range(rows - 1, -1, -1):
        _roll_row(graph, p, len(graph.bust), lost, won, roll, land, best)
        _land_row(graph, p, stop, roll, land)
    _begin(graph, lost, won, roll, land, best, start)


@compiled
def _roll_row(
    graph: Any, p: Any, spots: Any, lost: Any, won: Any, roll: Any, land: Any, best: Any
) -> None:
    """Values of rolling from the first so many spots with p units.

    The best options of the groups stay in `best`. One function with flat loops and unsigned
    indices: calls and tests for negative indices cost more than the work itself.
    """
    bust, win, prob, parent = graph.bust, graph.win, graph.prob, graph.parent
    group_first, option_first, step = graph.group_first, graph.option_first, graph.step
    lanes = lost.shape[1]
    base = np.uint64(p * len(graph.roll_spot))
    for s in range(spots):
        here = np.uint64(p * len(bust) + s)
        for lane in range(lanes):
            roll[here, lane] = bust[s] * lost[p, lane] + win[s] * won
        for group in range(group_first[s], group_first[s + 1]):
            g = np.uint64(group)
            o, end = option_first[group], option_first[group + 1]
            first = base + step[o]
            o += 1
            if parent[group] >= 0:
                inside = np.uint64(parent[group])
                for lane in range(lanes):
                    x, y = land[first, lane], best[inside, lane]
                    best[g, lane] = x if x > y else y
            else:
                for lane in range(lanes):
                    best[g, lane] = land[first, lane]
            while o + 1 < end:
                first, second = base + step[o], base + step[o + 1]
                o += 2
                for lane in range(lanes):
                    x, y, z = land[first, lane], land[second, lane], best[g, lane]
                    m = x if x > y else y
                    best[g, lane] = m if m > z else z
            if o < end:
                first = base + step[o]
                for lane in range(lanes):
                    x, z = land[first, lane], best[g, lane]
                    best[g, lane] = x if x > z else z
            p_group = prob[group]
            for lane in range(lanes):
                roll[here, lane] += p_group * best[g, lane]


@compiled
def _land_row(graph: Any, p: Any, stop: Any, roll: Any, land: Any) -> None:
    """Landings with p units, once rolling from every spot is known."""
    for y in range(len(graph.roll_spot)):
        here = np.uint64(p * len(graph.roll_spot) + y)
        s = graph.roll_spot[y]
        if s < 0:
            for lane in range(stop.shape[1]):
                land[here, lane] = stop[p, lane]
            continue
        on = np.uint64(p * len(graph.bust) + s)
        if graph.may_stop[y]:
            for lane in range(stop.shape[1]):
                a, b = stop[p, lane], roll[on, lane]
                land[here, lane] = b if b > a else a
        else:
            for lane in range(stop.shape[1]):
                land[here, lane] = roll[on, lane]


@compiled
def _ended_row(graph: Any, p: Any, stop: Any, land: Any) -> None:
    """Landings where the turn ends wherever it may."""
    for y in range(len(graph.roll_spot)):
        for lane in range(stop.shape[1]):
            land[p * len(graph.roll_spot) + y, lane] = stop[p, lane]


@compiled
def _forced_row(graph: Any, p: Any, stop: Any, lost: Any, won: Any, land: Any) -> None:
    """Landings that force a roll where further points no longer count: v = A v + b, iterated."""
    base = p * len(graph.roll_spot)
    above = base + len(graph.roll_spot)
    for lane in range(lost.shape[1]):
        if (
            p + 1 < len(stop)
            and stop[p, lane] == stop[p + 1, lane]
            and lost[p, lane] == lost[p + 1, lane]
        ):
            for y in range(len(graph.roll_spot)):
                land[base + y, lane] = land[above + y, lane]
            continue
        for _ in range(MOST_ROUNDS):
            change = 0.0
            for y in range(len(graph.roll_spot)):
                if graph.may_stop[y]:
                    continue
                s = graph.roll_spot[y]
                value = graph.bust[s] * lost[p, lane] + graph.win[s] * won
                for g in range(graph.group_first[s], graph.group_first[s + 1]):
                    value += graph.prob[g] * _flat_best(graph, g, base, land, lane)
                change = max(change, abs(value - land[base + y, lane]))
                land[base + y, lane] = value
            if change < SETTLED:
                break


@compiled
def _flat_best(graph: Any, g: Any, base: Any, land: Any, lane: Any) -> Any:
    """Best option of a group where gains do not count."""
    best = -np.inf
    while g >= 0:
        for o in range(graph.option_first[g], graph.option_first[g + 1]):
            best = max(best, land[base + graph.landing[o], lane])
        g = graph.parent[g]
    return best


@compiled
def _begin(graph: Any, lost: Any, won: Any, roll: Any, land: Any, best: Any, start: Any) -> None:
    """Value of the turn's beginning, the free re-roll included.

    The bests of row 0, computed last, still stand in `best`.
    """
    for lane in range(lost.shape[1]):
        start[lane] = roll[0, lane]
        if graph.reroll_spot[0] == 0:  # rolls are not counted: a fixed point
            start[lane] = _fixed_point(graph, lost, won, best, lane)
        elif graph.reroll_spot[0] > 0:
            start[lane] = _chain(graph, lost, won, roll, best, lane)


@compiled
def _chain(graph: Any, lost: Any, won: Any, roll: Any, best: Any, lane: Any) -> Any:
    """Value of the beginning where re-rolls are counted: from the last one back."""
    length = 0
    s = 0
    while graph.reroll_spot[s] >= 0:
        s = graph.reroll_spot[s]
        length += 1
    again = roll[s, lane]
    for back in range(length - 1, -1, -1):
        s = 0
        for _ in range(back):
            s = graph.reroll_spot[s]
        value = graph.bust[s] * lost[0, lane] + graph.win[s] * won
        for g in range(graph.group_first[s], graph.group_first[s + 1]):
            x = best[g, lane]
            value += graph.prob[g] * (again if graph.free[g] and again > x else x)
        again = value
    return again


@compiled
def _fixed_point(graph: Any, lost: Any, won: Any, best: Any, lane: Any) -> Any:
    """Newton's iteration for a beginning that can return to itself."""
    value = -np.inf
    for _ in range(len(graph.prob) + 1):
        fixed = graph.bust[0] * lost[0, lane] + graph.win[0] * won
        again = 0.0
        for g in range(graph.group_first[0], graph.group_first[1]):
            if graph.free[g] and value > best[g, lane]:
                again += graph.prob[g]
            else:
                fixed += graph.prob[g] * best[g, lane]
        better = fixed / (1.0 - again)
        if better <= value:
            break
        value = better
    return value

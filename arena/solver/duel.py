"""One turn of a game of two, in compiled code: from values of the opponent to values of the mover.

With o[j, i] the value for the opponent, to move on sheet j against sheet i, the turn of a mover on
sheet i is a best turn (see `arena.solver.graph`) with

    stop[p] = 1 - o[j, sheet after writing p]     p reaches the minimum but not the target
              1 - c[j, units above the target]    p reaches the minimum and the target
              1 - o[j, i]                         p is below the minimum: nothing is written
    lost[p] = 1 - o[j, sheet after a bust], or stop[p] where busts keep and p reaches the minimum

where c[j, l] is the value for the opponent of its last turn on sheet j against a leader l units
above the target; 0 where the first to reach the target wins at once. A shared win counts 1/2.

Rolling on is considered up to row P, where stopping is best for certain or practically so: the
target is reached, and either no further lead makes a difference (`flat`), or even a perfect
opponent's chance c is less than what any further roll puts at stake, min over spots of bust[s],
times 1 - lost. Where rolls can be forced only the first will do, since they add to the lead.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.jit import compiled
from arena.solver.closing import closing_values
from arena.solver.graph import TurnGraph
from arena.solver.sheets import Sheets
from arena.solver.turn_kernel import LANES, TurnTable, best_turn

Matrix = NDArray[np.float64]
Indices = NDArray[np.int64]

FLAT: Final = 1e-13
"""A lead is large enough when a larger one changes the last turn's value by less than this."""


class DuelArrays(NamedTuple):
    """What a turn of a duel needs besides the opponent's values. I sheets, L leads.

    Attributes:
        score: int64[I], units.
        minimum: int64[I], units.
        after_bust: int64[I].
        lowest: lowest score in units.
        scores: how many scores there are below the target.
        keep: whether busts keep.
        closing: float64[I, L], c.
        bound: float64[I, L], c of a perfect opponent.
        flat: units of distance beyond which c no longer changes.
        bust: least probability of a bust; see `TurnGraph.stake`.
    """

    score: Indices
    minimum: Indices
    after_bust: Indices
    lowest: int
    scores: int
    keep: bool
    closing: Matrix
    bound: Matrix
    flat: int
    bust: float


def duel_arrays(sheets: Sheets, closing: Matrix | None = None) -> DuelArrays:
    """The arrays of a ruleset.

    Args:
        sheets: of the ruleset.
        closing: c, if the opponent does not play the last turn as well as can be.
    """
    graph = sheets.graph
    best, flat = best_closing(sheets)
    return DuelArrays(
        score=sheets.arrays.score,
        minimum=sheets.arrays.minimum,
        after_bust=sheets.arrays.after_bust,
        lowest=sheets.lowest,
        scores=sheets.scores,
        keep=graph.rules.bust == "keep",
        closing=best if closing is None else closing,
        bound=best,
        flat=flat,
        bust=graph.stake,
    )


def best_closing(sheets: Sheets) -> tuple[Matrix, int]:
    """c for an opponent that plays its last turn as well as can be, and from where on it is flat.

    Returns:
        float64[I, L], and a distance in units.
    """
    graph = sheets.graph
    if graph.rules.end == "first_to_target":
        return np.zeros((len(sheets), 1)), 0
    by_need, flat = closing_by_need(graph, sheets.target)
    leads = np.arange(flat + 1)
    need = leads[None, :] + sheets.target - sheets.arrays.score[:, None]
    closed = sheets.arrays.closed[:, None]
    return np.ascontiguousarray(by_need[closed, np.minimum(need, flat)]), flat


def closing_by_need(graph: TurnGraph, target: int) -> tuple[Matrix, int]:
    """Values of the last turn by need, float64[2, flat + 1], and the need from which it is flat."""
    longest = 2 * target
    while True:
        values = closing_values(graph, longest)
        steep = np.flatnonzero(np.abs(values - values[:, -1:]).max(axis=0) > FLAT)
        flat = int(steep[-1]) + 1 if len(steep) else 1
        if flat < longest * 3 // 4 or longest > 64 * target:
            return values[:, : flat + 1], flat
        longest *= 2


class TurnSolver:
    """Solves turns of many pairs of sheets, on all cores.

    Args:
        sheets: of the ruleset.
        arrays: of the duel.
        workers: threads.
    """

    def __init__(self, sheets: Sheets, arrays: DuelArrays, workers: int) -> None:
        self.graph = sheets.graph
        self.arrays = arrays
        graph = self.graph
        deepest = arrays.scores + arrays.flat + graph.max_gain
        self.most_rows = max(deepest, int(arrays.minimum.max())) + 1
        self._memory = threading.local()
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="solver")
        self.workers = workers

    def close(self) -> None:
        """Let the threads go."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def values(self, opponent: Matrix, own: Indices, other: Indices, *, closing: bool) -> Matrix:
        """Values of N movers.

        Args:
            opponent: float64[I, I], o, by the opponent's sheet and the mover's.
            own: int64[N], sheets of the movers; neighbours should have similar scores.
            other: int64[N], sheets of their opponents.
            closing: False where the mover wins at once by reaching the target, though the ruleset
                has a last turn.

        Returns:
            float64[N].
        """
        chunks = [slice(at, at + LANES) for at in range(0, len(own), LANES)]
        parts = [chunks[worker :: self.workers] for worker in range(self.workers)]
        out = np.zeros(len(own))

        def work(part: Sequence[slice]) -> None:
            table = self.table()
            for chunk in part:
                self._solve(table, opponent, own[chunk], other[chunk], closing, out[chunk])

        if len(chunks) == 1:
            work(chunks)
        else:
            list(self._pool.map(work, parts))
        return out

    def table(self) -> TurnTable:
        """This thread's memory."""
        if not hasattr(self._memory, "table"):
            self._memory.table = TurnTable(self.graph, self.most_rows, LANES)
        table: TurnTable = self._memory.table
        return table

    def _solve(
        self,
        table: TurnTable,
        opponent: Matrix,
        own: Indices,
        other: Indices,
        closing: bool,
        out: Matrix,
    ) -> None:
        if len(own) < LANES:  # empty lanes repeat the last one
            own = np.concatenate([own, np.repeat(own[-1:], LANES - len(own))])
            other = np.concatenate([other, np.repeat(other[-1:], LANES - len(other))])
        solve_turns(
            self.graph.arrays,
            self.graph.max_gain,
            self.arrays,
            opponent,
            own,
            other,
            closing,
            table.stop,
            table.lost,
            table.roll,
            table.land,
            table.best,
            table.start,
        )
        out[:] = table.start[: len(out)]


@compiled
def solve_turns(
    graph: Any,
    max_gain: Any,
    duel: Any,
    opponent: Any,
    own: Any,
    other: Any,
    closing: Any,
    stop: Any,
    lost: Any,
    roll: Any,
    land: Any,
    best: Any,
    start: Any,
    extra: Any = 0,
) -> Any:
    """Best turns of one pair of sheets in each lane; tables as in `TurnTable`.

    Args:
        extra: so many rows more than needed.

    Returns:
        P, the rows that were used of the tables.
    """
    rows = 0
    for lane in range(len(own)):
        rows = max(rows, _rows_needed(duel, opponent, own[lane], other[lane], closing))
    rows += extra
    height = rows + max_gain + 1
    for lane in range(len(own)):
        _fill(duel, opponent, own[lane], other[lane], closing, stop[:height], lost[:height], lane)
    best_turn(
        graph,
        rows,
        stop[:height],
        lost[:height],
        1.0,
        roll,
        land[: height * len(graph.roll_spot)],
        best,
        start,
    )
    return rows


@compiled
def _rows_needed(duel: Any, opponent: Any, i: Any, j: Any, closing: Any) -> Any:
    """P of one lane."""
    to_target = duel.scores + duel.lowest - duel.score[i]
    rows = max(to_target, duel.minimum[i])
    if not closing or duel.flat == 0:
        return rows
    stake = duel.bust * opponent[j, duel.after_bust[i]]
    while True:
        lead = rows - to_target
        distance = rows + duel.score[i] - duel.score[j]
        if distance >= duel.flat or lead >= duel.closing.shape[1] - 1:
            return rows
        if not duel.keep and duel.bound[j, lead] <= stake:
            return rows
        rows += 1


@compiled
def _fill(
    duel: Any, opponent: Any, i: Any, j: Any, closing: Any, stop: Any, lost: Any, lane: Any
) -> None:
    """Values of ending the turn in one lane."""
    minimum = duel.minimum[i]
    place = duel.score[i] - duel.lowest
    nothing = 1.0 - opponent[j, i]
    busted = 1.0 - opponent[j, duel.after_bust[i]]
    leads = duel.closing.shape[1] - 1
    for p in range(stop.shape[0]):
        lost[p, lane] = busted
        if p < minimum:
            stop[p, lane] = nothing
            continue
        to = place + p
        if to < duel.scores:
            stop[p, lane] = 1.0 - opponent[j, to]
        elif closing:
            stop[p, lane] = 1.0 - duel.closing[j, min(to - duel.scores, leads)]
        else:
            stop[p, lane] = 1.0
        if duel.keep:
            lost[p, lane] = stop[p, lane]

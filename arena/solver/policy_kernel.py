"""Best decisions of whole turns, compiled: from the values of `turn_kernel` to decision codes.

A *column* is what is done with one roll, thrown from one spot, for all turn points p: decision
codes by p, which mostly change two or three times. Only the changes are kept, and equal columns
only once: most situations of a game differ in few columns from their neighbours.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.jit import compiled
from arena.rules import REROLL_CODE
from arena.solver.plain import EQUAL

TAKEN, CHANGES = 0, 1
"""Places of `Pool.used`."""


class Pool(NamedTuple):
    """Distinct columns. Room for U columns and N changes.

    Attributes:
        first: int64[U + 1], changes of column u are `first[u]` to the next less one.
        points: uint16[N], p from which on the code holds; 0 for the first of a column.
        codes: uint8[N], decision codes.
        words: uint64[U], hashes of the columns.
        slots: int64[a power of two], table of columns by their hashes; -1 where there is none.
        used: int64[2], columns and changes so far.
    """

    first: NDArray[np.int64]
    points: NDArray[np.uint16]
    codes: NDArray[np.uint8]
    words: NDArray[np.uint64]
    slots: NDArray[np.int64]
    used: NDArray[np.int64]


@compiled
def best_codes(
    graph: Any, rules: Any, rows: Any, stop: Any, roll: Any, land: Any, again: Any, codes: Any
) -> None:
    """What is best with every roll from every spot, for p up to P; ties as in `plain`.

    Args:
        graph: `TurnArrays`.
        rules: `BestRules`.
        rows: P.
        stop, roll, land: solved, as in `TurnTable`.
        again: float64[S, L], what a free re-roll is worth from each spot.
        codes: uint8[P + 1, C, L], out; columns by spot, then by roll.
    """
    walk = rules.walk
    lanes, spots, landings = stop.shape[1], len(graph.dice), len(graph.roll_spot)
    enough = np.empty(lanes)
    for p in range(rows + 1):
        column = 0
        for s in range(spots):
            counted = rules.counted[s]
            for r in range(walk.roll_first[graph.dice[s]], walk.roll_first[graph.dice[s] + 1]):
                first, last = walk.hold_first[r], walk.hold_first[r + 1]
                if walk.instant_win[r] or first == last:
                    continue
                back = p == 0 and walk.goes_on[r] and graph.reroll_spot[s] >= 0
                for lane in range(lanes):
                    enough[lane] = again[s, lane] if back else -np.inf
                for hold in range(first, last):
                    at = (p + walk.hold_units[hold]) * landings + rules.landing[counted, hold]
                    for lane in range(lanes):
                        x, y = land[at, lane], enough[lane]
                        enough[lane] = x if x > y else y
                for lane in range(lanes):
                    enough[lane] -= EQUAL
                    codes[p, column, lane] = REROLL_CODE
                # The first of those that are good enough is written last.
                for hold in range(last - 1, first - 1, -1):
                    q = p + walk.hold_units[hold]
                    y = rules.landing[counted, hold]
                    s_on = graph.roll_spot[y]
                    code = np.uint8(2 * (hold - first) + 1)
                    if s_on < 0:
                        continue
                    if q < rows:
                        for lane in range(lanes):
                            if roll[q * spots + s_on, lane] >= enough[lane]:
                                codes[p, column, lane] = code
                    elif not graph.may_stop[y]:
                        for lane in range(lanes):
                            if land[q * landings + y, lane] >= enough[lane]:
                                codes[p, column, lane] = code
                for hold in range(last - 1, first - 1, -1):
                    q = p + walk.hold_units[hold]
                    if graph.may_stop[rules.landing[counted, hold]]:
                        code = np.uint8(2 * (hold - first))
                        for lane in range(lanes):
                            if stop[q, lane] >= enough[lane]:
                                codes[p, column, lane] = code
                column += 1


@compiled
def keep_columns(codes: Any, rows: Any, lane: Any, pool: Any, index: Any) -> Any:
    """Find or add the columns of one lane.

    Args:
        codes: uint8[P + 1, C, L].
        rows: P.
        lane: which.
        pool: `Pool`, with room for C more columns and C * (P + 1) more changes.
        index: uint32[C], out: numbers of the columns.
    """
    mask = len(pool.slots) - 1
    for column in range(codes.shape[1]):
        number, begin = pool.used[TAKEN], pool.used[CHANGES]
        end = begin
        before = -1
        word = np.uint64(1469598103934665603)
        for p in range(rows + 1):
            code = codes[p, column, lane]
            if code != before:
                pool.points[end] = p
                pool.codes[end] = code
                word = (word ^ np.uint64(p * 256 + code)) * np.uint64(1099511628211)
                word ^= word >> np.uint64(29)
                before = code
                end += 1
        slot = np.int64(word & np.uint64(mask))
        while pool.slots[slot] >= 0:
            there = pool.slots[slot]
            if pool.words[there] == word and _same(pool, there, begin, end):
                break
            slot = (slot + 1) & mask
        if pool.slots[slot] >= 0:
            index[column] = pool.slots[slot]
            continue
        pool.slots[slot] = number
        pool.words[number] = word
        index[column] = number
        pool.first[number + 1] = end
        pool.used[TAKEN] = number + 1
        pool.used[CHANGES] = end


@compiled
def fill_slots(pool: Any) -> None:
    """Put all columns of a pool into its empty table."""
    mask = len(pool.slots) - 1
    for number in range(pool.used[TAKEN]):
        slot = np.int64(pool.words[number] & np.uint64(mask))
        while pool.slots[slot] >= 0:
            slot = (slot + 1) & mask
        pool.slots[slot] = number


@compiled
def _same(pool: Any, number: Any, begin: Any, end: Any) -> Any:
    """Whether a column has exactly the changes from `begin` to `end`."""
    first = pool.first[number]
    if pool.first[number + 1] - first != end - begin:
        return False
    for i in range(end - begin):
        if pool.points[first + i] != pool.points[begin + i]:
            return False
        if pool.codes[first + i] != pool.codes[begin + i]:
            return False
    return True

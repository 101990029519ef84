"""A turn as the written policy plays it: where its probability flows, compiled.

The same as `best_walk`, but the decisions are read instead of found anew from values. Points only
grow along a turn, so that each column of the policy is read from its first change to its last.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import compiled
from arena.rules import MAX_ROLLS_PER_TURN, REROLL_CODE
from arena.solver.turn_walk import ROLLS, TINY, WIN


@compiled
def policy_walk(
    rules: Any,
    policy: Any,
    column_first: Any,
    columns: Any,
    mass: Any,
    stop: Any,
    lost: Any,
    total: Any,
) -> None:
    """Carry the mass of one turn to its ends.

    Args:
        rules: `BestRules`.
        policy: `first`, `points` and `codes` of `Policy`.
        column_first: int64[S + 1], columns of each spot, as `Policy.index` counts them.
        columns: uint32[C], distinct columns of the situation.
        mass: float64[N, S], scratch.
        stop: float64[N], out: mass of turns that ended with so many units, not by a bust.
        lost: float64[N], out: mass of turns that a bust ended.
        total: float64[2], out: see `turn_walk.WIN`.
    """
    mass[:] = 0.0
    stop[:] = 0.0
    lost[:] = 0.0
    total[:] = 0.0
    mass[0, 0] = 1.0
    first = policy[0]
    at = np.empty(len(columns), dtype=np.int64)
    end = np.empty(len(columns), dtype=np.int64)
    for c in range(len(columns)):
        at[c], end[c] = first[columns[c]], first[columns[c] + 1]
    top = len(stop) - 1
    for p in range(top + 1):
        # At the top, where more points no longer count, forced rolls lead back to the same place.
        for _ in range(MAX_ROLLS_PER_TURN if p == top else 1):
            moved = False
            for s in range(len(rules.dice)):  # counted re-rolls lead to later spots
                here = mass[p, s]
                mass[p, s] = 0.0
                if here < TINY:
                    lost[p] += here
                    continue
                moved = True
                place = (s, p, column_first[s])
                back = _policy_roll(rules, policy, at, end, place, here, mass, stop, lost, total)
                if back > 0.0:
                    more = back / (1.0 - back / here)
                    _policy_roll(rules, policy, at, end, place, more, mass, stop, lost, total)
            if not moved:
                break
    for s in range(len(rules.dice)):
        stop[top] += mass[top, s]


@compiled
def _policy_roll(
    rules: Any,
    policy: Any,
    at: Any,
    end: Any,
    place: Any,
    here: Any,
    mass: Any,
    stop: Any,
    lost: Any,
    total: Any,
) -> Any:
    """Carry the mass of one position over all rolls; returns what a re-roll leads back to it."""
    walk, (_, points, codes), (s, p, column) = rules.walk, policy, place
    top = len(stop) - 1
    m = rules.dice[s]
    back = 0.0
    total[ROLLS] += here
    for roll in range(walk.roll_first[m], walk.roll_first[m + 1]):
        flow = here * walk.prob[roll]
        if walk.instant_win[roll]:
            total[WIN] += flow
            continue
        if walk.hold_first[roll] == walk.hold_first[roll + 1]:
            to = min(p + walk.nothing, top)
            if walk.nothing == 0 or m < walk.dice:
                lost[p] += flow
            elif rules.nothing_spot[s] >= 0:
                mass[to, rules.nothing_spot[s]] += flow
            else:
                stop[to] += flow
            continue
        k = at[column]
        while k + 1 < end[column] and points[k + 1] <= p:
            k += 1
        at[column] = k
        column += 1
        code = np.int64(codes[k])
        if code == REROLL_CODE:
            if rules.reroll_spot[s] == s:
                back += flow
            else:
                mass[0, rules.reroll_spot[s]] += flow
            continue
        hold = walk.hold_first[roll] + (code >> 1)
        to = min(p + walk.hold_units[hold], top)
        y = rules.landing[rules.counted[s], hold]
        on = rules.roll_spot[y] >= 0 and (code & 1 == 1 or not rules.may_stop[y])
        if on:
            mass[to, rules.roll_spot[y]] += flow
        else:
            stop[to] += flow
    return back

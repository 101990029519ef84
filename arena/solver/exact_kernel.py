"""Moving the mass of games over turns, compiled; what the arrays mean stands in `exact`."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import compiled


@compiled
def move_mass(
    sheets: Any,
    place: Any,
    ends: Any,
    keep: Any,
    mass: Any,
    ids: Any,
    out: Any,
    lead: Any,
    total: Any,
) -> None:
    """Carry mass over one turn. Adds to `out` and `lead`; `total` is instant wins.

    Neighbouring sheets of the other player at which the turn is the same are moved together.
    """
    for i in range(mass.shape[0]):
        begin = 0
        while begin < mass.shape[1]:
            d = ids[i, begin]
            end = begin + 1
            while end < mass.shape[1] and ids[i, end] == d:
                end += 1
            if d >= 0:
                _move_run(sheets, place, ends, keep, mass, (i, begin, end, d), out, lead, total)
            begin = end


@compiled
def _move_run(
    sheets: Any,
    place: Any,
    ends: Any,
    keep: Any,
    mass: Any,
    run: Any,
    out: Any,
    lead: Any,
    total: Any,
) -> None:
    """Carry the mass of one own sheet and a run of the other's sheets over one turn."""
    lowest, scores = place
    i, begin, end, d = run
    minimum, base = sheets.minimum[i], sheets.score[i] - lowest
    here = mass[i, begin:end]
    weight = here.sum()
    total[0] += weight * ends.win[d]
    nothing = 0.0
    busted = 0.0
    for e in range(ends.first[d], ends.first[d + 1]):
        units, stop, lost = ends.units[e], ends.stop[e], ends.lost[e]
        if units < minimum:
            nothing += stop
            busted += lost
            continue
        written = stop + lost if keep else stop
        if not keep:
            busted += lost
        if written == 0.0:
            continue
        to = base + units
        there = out[to, begin:end] if to < scores else lead[to - scores, begin:end]
        for k in range(len(here)):
            there[k] += here[k] * written
    for_nothing, for_bust = out[i, begin:end], out[sheets.after_bust[i], begin:end]
    for k in range(len(here)):
        for_nothing[k] += here[k] * nothing
        for_bust[k] += here[k] * busted


@compiled
def close_mass(
    sheets: Any,
    ends: Any,
    keep: Any,
    own: Any,
    target: Any,
    here: Any,
    ids: Any,
    out: Any,
    total: Any,
) -> None:
    """Carry mass over last turns. Adds to `out`: higher than the leader, equal, lower."""
    first, units, stop, lost = ends.first, ends.units, ends.stop, ends.lost
    for k in range(len(own)):
        i, mass, d = own[k], here[k], ids[k]
        need = target[k] - sheets.score[i]
        total[0] += mass * ends.win[d]
        for e in range(first[d], first[d + 1]):
            prob = stop[e] + (lost[e] if keep else 0.0)
            if units[e] < sheets.minimum[i] or units[e] < need:
                out[2] += mass * (stop[e] + lost[e])
                continue
            out[0 if units[e] > need else 1] += mass * prob
            if not keep:
                out[2] += mass * lost[e]


@compiled
def close_values(
    sheets: Any, ends: Any, keep: Any, own: Any, target: Any, ids: Any, equal: Any
) -> Any:
    """float64[N]: values of last turns for the players who have them.

    Args:
        sheets: `SheetArrays`.
        ends: `EndArrays`.
        keep: whether busts keep.
        own: int64[N], sheets.
        target: int64[N], the leader's score in units.
        ids: int64[N], distributions.
        equal: value of an equal score.
    """
    values = np.zeros(len(own))
    for k in range(len(own)):
        i, d = own[k], ids[k]
        need = target[k] - sheets.score[i]
        values[k] = ends.win[d]
        for e in range(ends.first[d], ends.first[d + 1]):
            units = ends.units[e]
            if units >= sheets.minimum[i] and units >= need:
                prob = ends.stop[e] + (ends.lost[e] if keep else 0.0)
                values[k] += prob * (1.0 if units > need else equal)
    return values

"""A best turn as it is played: where its probability flows.

Given the values of all positions (`turn_kernel`), the mass of a turn is carried along the best
decisions, as `plain` breaks ties. Points only grow, so each position is met once; a free re-roll
that returns to itself multiplies what leaves by 1 / (1 - the share that returns).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.jit import compiled
from arena.rules import MAX_ROLLS_PER_TURN, rule_tables
from arena.solver.graph import STOP, TurnGraph
from arena.solver.plain import EQUAL
from arena.solver.roll_kinds import roll_kinds
from arena.solver.turn_walk import ROLLS, TINY, WIN, WalkRules

BANK, ROLL, AGAIN = 0, 1, 2


class BestRules(NamedTuple):
    """What the walk needs of a ruleset. S spots, H holds, C + 1 counts of rolls.

    Attributes:
        walk: rolls and holds, rolls that offer the same mostly taken together.
        dice: int64[S], dice of each spot.
        counted: int64[S], number of the next roll from each spot; 0 where rolls do not count.
        landing: int64[C + 1, H], landing of each hold by the number of its roll; -1 if impossible.
        may_stop: bool[Y].
        roll_spot: int64[Y].
        reroll_spot: int64[S].
        nothing_spot: int64[S], spot after a roll that scores nothing but counts; `STOP` for none.
    """

    walk: WalkRules
    dice: NDArray[np.int64]
    counted: NDArray[np.int64]
    landing: NDArray[np.int64]
    may_stop: NDArray[np.bool_]
    roll_spot: NDArray[np.int64]
    reroll_spot: NDArray[np.int64]
    nothing_spot: NDArray[np.int64]


def best_rules(graph: TurnGraph, *, merged: bool = True) -> BestRules:
    """The arrays of a ruleset; if not merged, with every roll apart."""
    tables = rule_tables(graph.rules)
    limit = graph.rules.max_rolls
    counts = range(1, limit + 1) if limit else range(1)
    kinds = roll_kinds(tables, merged=merged)
    rolls = [tables.rolls[roll] for roll in kinds.some]
    landing = np.full((limit + 1, len(kinds.walk.hold_units)), -1, dtype=np.int64)
    at = 0
    for roll in rolls:
        for hold in roll.holds:
            for count in counts:
                try:
                    landing[count, at] = graph.landing(roll, hold, count)
                except ValueError:  # no such roll of so many dice
                    continue
            at += 1
    spots = [(spot.dice, spot.counted) for spot in graph.spots]
    nothing = [
        spots.index((dice, counted + 1 if limit else 0))
        if (dice, counted + 1 if limit else 0) in spots
        else STOP
        for dice, counted in spots
    ]
    return BestRules(
        walk=kinds.walk,
        dice=graph.arrays.dice,
        counted=np.array([counted + 1 if limit else 0 for _, counted in spots], dtype=np.int64),
        landing=landing,
        may_stop=graph.arrays.may_stop,
        roll_spot=graph.arrays.roll_spot,
        reroll_spot=graph.arrays.reroll_spot,
        nothing_spot=np.array(nothing, dtype=np.int64),
    )


class Values(NamedTuple):
    """Values of a turn in one lane of tables, as in `TurnTable`.

    Attributes:
        rows: P.
        stop: float64[N, L]; roll: float64[P * S, L]; land: float64[N * Y, L].
        again: float64[S], value of a free re-roll from each spot.
        lane: which lane.
    """

    rows: int
    stop: NDArray[np.float64]
    roll: NDArray[np.float64]
    land: NDArray[np.float64]
    again: NDArray[np.float64]
    lane: int


@compiled
def best_choice(rules: Any, values: Any, s: Any, p: Any, roll: Any) -> Any:
    """What to do with a roll from spot s after p units.

    Returns:
        BANK, ROLL or AGAIN; the hold; the value.
    """
    first, last = rules.walk.hold_first[roll], rules.walk.hold_first[roll + 1]
    lane, spots, landings = values.lane, len(rules.dice), len(rules.roll_spot)
    stop, rolls, land = values.stop, values.roll, values.land
    top = len(stop) - 1
    best = -np.inf
    bank, bank_hold = -np.inf, -1
    on, on_hold = -np.inf, -1
    for turn in range(2):  # the best values first, then the first holds that reach them
        for hold in range(first, last):
            y = rules.landing[rules.counted[s], hold]
            q = min(p + rules.walk.hold_units[hold], top)
            if rules.may_stop[y]:
                if turn == 0:
                    bank = max(bank, stop[q, lane])
                elif bank_hold < 0 and stop[q, lane] >= best - EQUAL:
                    bank_hold = hold
            if rules.roll_spot[y] >= 0:
                value = -np.inf
                if q < values.rows:
                    value = rolls[q * spots + rules.roll_spot[y], lane]
                elif not rules.may_stop[y]:
                    value = land[q * landings + y, lane]
                if turn == 0:
                    on = max(on, value)
                elif on_hold < 0 and value >= best - EQUAL:
                    on_hold = hold
        if turn == 0:
            best = max(bank, on)
            if p == 0 and rules.walk.goes_on[roll] and rules.reroll_spot[s] >= 0:
                best = max(best, values.again[s])
    if bank_hold >= 0:
        return BANK, bank_hold, best
    if on_hold >= 0:
        return ROLL, on_hold, best
    return AGAIN, -1, best


@compiled
def best_walk(rules: Any, values: Any, mass: Any, stop: Any, lost: Any, total: Any) -> None:
    """Carry the mass of one turn to its ends.

    Args:
        rules: `BestRules`.
        values: `Values`.
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
                back = _best_roll(rules, values, s, p, here, mass, stop, lost, total)
                if back > 0.0:
                    more = back / (1.0 - back / here)
                    _best_roll(rules, values, s, p, more, mass, stop, lost, total)
            if not moved:
                break
    for s in range(len(rules.dice)):
        stop[top] += mass[top, s]


@compiled
def _best_roll(
    rules: Any,
    values: Any,
    s: Any,
    p: Any,
    here: Any,
    mass: Any,
    stop: Any,
    lost: Any,
    total: Any,
) -> Any:
    """Carry the mass of one position over all rolls; returns what a re-roll leads back to it."""
    walk = rules.walk
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
        what, hold, _ = best_choice(rules, values, s, p, roll)
        if what == AGAIN:
            if rules.reroll_spot[s] == s:
                back += flow
            else:
                mass[0, rules.reroll_spot[s]] += flow
            continue
        to = min(p + walk.hold_units[hold], top)
        y = rules.landing[rules.counted[s], hold]
        if what == BANK:
            stop[to] += flow
        else:
            mass[to, rules.roll_spot[y]] += flow
    return back

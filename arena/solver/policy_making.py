"""Writing the policy of a solved ruleset down: every situation solved once more, in compiled code.

See `policy` for what comes out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.rules import Ruleset, rule_tables
from arena.solver.best_walk import BestRules, best_rules
from arena.solver.cache import Stored, load_policy, load_solved, save_policy
from arena.solver.duel import duel_arrays
from arena.solver.graph import TurnGraph
from arena.solver.policy import MOST_CHANGES, Policy, fits
from arena.solver.policy_kernel import CHANGES, Pool, best_codes, fill_slots, keep_columns
from arena.solver.sheets import make_sheets
from arena.solver.situations import Situations
from arena.solver.solved import UnsolvedError
from arena.solver.solved_turns import LaneTables, solved_situations
from arena.solver.turn_kernel import LANES

FIRST_ROOM: Final = 1 << 16
"""Distinct columns for which there is room at first."""

Tick = Callable[[int], None]
"""Is told how many more situations are done."""


def write_policy(rules: Ruleset, *, tick: Tick = lambda done: None, anew: bool = False) -> bool:
    """Write the policy of a solved ruleset to disk, if it is not there yet.

    Returns:
        Whether it is there now; it is not written where it would be too large.

    Raises:
        UnsolvedError: the ruleset has not been solved.
    """
    if not anew and load_policy(rules) is not None:
        return True
    stored = load_solved(rules)
    if stored is None:
        raise UnsolvedError(rules.name)
    policy = make_policy(rules, stored, tick=tick)
    if policy is not None:
        save_policy(rules, policy)
    return policy is not None


def policy_size(rules: Ruleset, stored: Stored) -> int:
    """How many situations there are to write down; 0 where it would be too many."""
    situations = Situations(sheets=make_sheets(rules), needs=stored.closing.shape[1])
    _, columns = _columns(situations.sheets.graph, best_rules(situations.sheets.graph))
    return len(situations) if fits(situations, columns) else 0


def make_policy(rules: Ruleset, stored: Stored, *, tick: Tick = lambda done: None) -> Policy | None:
    """The policy of a ruleset; None if it is too large."""
    sheets = make_sheets(rules)
    graph = sheets.graph
    arrays = duel_arrays(sheets)
    situations = Situations(sheets=sheets, needs=stored.closing.shape[1])
    best = best_rules(graph)
    column, columns = _columns(graph, best)
    if not fits(situations, columns):
        return None
    # Where a roll may be forced, points still make a difference in rows where no roll is chosen.
    forced = not graph.arrays.may_stop.all()
    lanes = LaneTables(sheets, arrays, extra=arrays.flat if forced else 0)
    index = np.zeros((len(situations), columns), dtype=np.uint32)
    height = len(lanes.table.stop)
    pool = _pool(FIRST_ROOM, FIRST_ROOM * 8)
    codes = np.zeros((0, columns, LANES), dtype=np.uint8)
    everything = np.arange(len(situations))
    for numbers, solved in solved_situations(situations, stored.values, lanes, everything):
        values = solved[0]
        again = np.zeros((len(graph.spots), values.stop.shape[1]))
        again[:, : len(solved)] = np.stack([lane.again for lane in solved], axis=1)
        if len(codes) <= values.rows or codes.shape[2] != again.shape[1]:
            codes = np.zeros((max(height, values.rows + 1), *(columns, again.shape[1])), np.uint8)
        best_codes(
            graph.arrays, best, values.rows, values.stop, values.roll, values.land, again, codes
        )
        pool = _with_room(pool, columns * len(numbers), values.rows + 1)
        for lane, number in enumerate(numbers):
            keep_columns(codes, values.rows, lane, pool, index[number])
        if pool.used[CHANGES] > MOST_CHANGES:
            return None
        tick(len(numbers))
    taken, changes = map(int, pool.used)
    return Policy(
        column=column,
        index=index,
        first=pool.first[: taken + 1].astype(np.uint32),
        points=pool.points[:changes].copy(),
        codes=pool.codes[:changes].copy(),
    )


def _columns(graph: TurnGraph, best: BestRules) -> tuple[NDArray[np.int16], int]:
    """`Policy.column`, and C: columns by spot, then by what rolls offer, as `best_codes` counts."""
    tables = rule_tables(graph.rules)
    rolls: dict[object, list[int]] = {}
    for roll in tables.rolls:
        holds = tuple((hold.points, hold.dice_left, hold.hot) for hold in roll.holds)
        key = len(roll.dice), roll.instant_win, roll.goes_on, holds
        rolls.setdefault(key, []).append(roll.id)
    alike = list(rolls.values())  # in the order of `BestRules`
    column = np.full((graph.rules.max_rolls + 1, len(tables.rolls)), -1, dtype=np.int16)
    count = 0
    for spot, counted in zip(graph.spots, best.counted, strict=True):
        for same in alike:
            roll = tables.rolls[same[0]]
            if len(roll.dice) == spot.dice and roll.holds and not roll.instant_win:
                column[counted, same] = count
                count += 1
    return column, count


def _pool(columns: int, changes: int) -> Pool:
    return Pool(
        first=np.zeros(columns + 1, dtype=np.int64),
        points=np.zeros(changes, dtype=np.uint16),
        codes=np.zeros(changes, dtype=np.uint8),
        words=np.zeros(columns, dtype=np.uint64),
        slots=np.full(4 * columns, -1, dtype=np.int64),
        used=np.zeros(2, dtype=np.int64),
    )


def _with_room(pool: Pool, columns: int, height: int) -> Pool:
    """The pool, or a larger one, with room for so many more columns of so many rows."""
    taken, changes = map(int, pool.used)
    need_columns, need_changes = taken + columns, changes + columns * height
    if need_columns <= len(pool.words) and need_changes <= len(pool.points):
        return pool
    room = len(pool.words)
    while room < need_columns:
        room *= 2
    larger = _pool(room, max(2 * len(pool.points), need_changes))
    larger.first[: taken + 1] = pool.first[: taken + 1]
    larger.points[:changes] = pool.points[:changes]
    larger.codes[:changes] = pool.codes[:changes]
    larger.words[:taken] = pool.words[:taken]
    larger.used[:] = pool.used
    fill_slots(larger)
    return larger

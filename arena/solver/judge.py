"""What a bot's decisions cost, compiled: at one table, over all positions of a turn."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.jit import compiled
from arena.rules import REROLL_CODE
from arena.solver.answers import LEAF, TABLE
from arena.solver.best_walk import AGAIN, BANK, best_choice


@compiled
def judge_turn(
    rules: Any,
    trees: Any,
    tree: Any,
    kinds: Any,
    table: Any,
    visit: Any,
    visit_mass: Any,
    values: Any,
    weight: Any,
    cutoff: Any,
    where: Any,
    worth: Any,
) -> Any:
    """Compare every decision of a turn with the best one.

    Args:
        rules: `BestRules`, every roll apart.
        trees: `TreeArrays` of the bot, with all answers that are needed.
        tree: int64[R], the tree of each roll.
        kinds: int64[R], what each roll offers; int64[R], rolls by number of dice, then by that.
        table: int64[F], the position's features; those of the turn are ignored.
        visit: int64[V, 4], positions before a roll, as `turn_walk` notes them.
        visit_mass: float64[V].
        values: `Values` of the best turn.
        weight: how often the table comes up.
        cutoff: decisions that cost less than this are counted but not noted.
        where: int64[B, 6], out: roll, units, number of the roll, what was decided, what is best
            (codes), counted number.
        worth: float64[B, 2], out: how often, what it cost each time.

    Returns:
        cost of all decisions together, number of decisions noted.
    """
    parts = np.zeros(len(trees.weights), dtype=np.int64)
    for w in range(len(parts)):
        for f in range(TABLE, len(table)):
            parts[w] += trees.weights[w, f] * table[f]
    kind, order = kinds
    total = 0.0
    noted = 0
    for k in range(len(visit_mass)):
        p, m, rolls, counted = visit[k]
        s = _spot(rules, m, counted)
        last_kind, last_code = np.int64(-1), np.int64(-1)
        loss, right = 0.0, np.int64(REROLL_CODE)
        for at in range(rules.walk.roll_first[m], rules.walk.roll_first[m + 1]):
            roll = order[at]
            scores = rules.walk.hold_first[roll] < rules.walk.hold_first[roll + 1]
            if rules.walk.instant_win[roll] or not scores:
                continue
            code = _answer(rules, trees, parts, tree[roll], (p, rolls, counted))
            if kind[roll] != last_kind or code != last_code:  # else it is the same decision again
                last_kind, last_code = kind[roll], code
                what, hold, best = best_choice(rules, values, s, p, roll)
                loss = best - _value(rules, values, s, p, roll, code)
                right = np.int64(REROLL_CODE)
                if what != AGAIN:
                    right = 2 * (hold - rules.walk.hold_first[roll]) + (0 if what == BANK else 1)
            if loss <= 0.0:
                continue
            often = weight * visit_mass[k] * rules.walk.prob[roll]
            total += often * loss
            if often * loss >= cutoff and noted < len(worth):
                where[noted] = (roll, p, rolls, code, right, counted)
                worth[noted, 0] = often
                worth[noted, 1] = loss
                noted += 1
    return total, noted


@compiled
def _spot(rules: Any, m: Any, counted: Any) -> Any:
    """The spot from which so many dice were rolled."""
    for s in range(len(rules.dice)):
        if rules.dice[s] == m and (rules.counted[s] == 0 or rules.counted[s] == counted):
            return s
    return 0


@compiled
def _answer(rules: Any, trees: Any, parts: Any, tree: Any, turn: Any) -> Any:
    """The bot's decision code; its answer is known."""
    p, rolls, counted = turn
    at = trees.root[tree]
    while at >= 0:
        w = trees.expression[at]
        value = parts[w] + trees.weights[w, 0] * p * rules.walk.unit
        value += trees.weights[w, 1] * rolls + trees.weights[w, 2] * counted
        at = trees.child[at, int(value >= trees.threshold[at])]
    return LEAF - at


@compiled
def _value(rules: Any, values: Any, s: Any, p: Any, roll: Any, code: Any) -> Any:
    """What a decision is worth if all is played well afterwards."""
    if code == REROLL_CODE:
        return values.again[s]
    hold = rules.walk.hold_first[roll] + (code >> 1)
    y = rules.landing[rules.counted[s], hold]
    q = min(p + rules.walk.hold_units[hold], len(values.stop) - 1)
    on = rules.roll_spot[y] >= 0 and (code & 1 == 1 or not rules.may_stop[y])
    if not on:
        return values.stop[q, values.lane]
    if q < values.rows:
        return values.roll[q * len(rules.dice) + rules.roll_spot[y], values.lane]
    return values.land[q * len(rules.roll_spot) + y, values.lane]

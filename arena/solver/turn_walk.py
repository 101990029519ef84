"""A bot's turn, all of it at once: where its probability flows.

At a given table (scores, round, seat, ...) the mass of all positions of a turn is carried from roll
to roll along the bot's own decisions, until everything has ended. What comes out is the
distribution of the turn's ends, by the points gathered. Along the way every comparison that the
bot's answers rest on says for which other tables it would have come out the same; the tables that
satisfy all of them share the distribution.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.jit import compiled
from arena.rules import MAX_ROLLS_PER_TURN, REROLL_CODE, RuleTables
from arena.solver.answers import LEAF, TABLE, UNKNOWN
from arena.solver.graph import unit_of

TINY: Final = 1e-19
"""Mass below this is not followed; it counts as lost by a bust."""

COUNTED: Final = 64
"""Counted rolls that are told apart where hot dice reset the count."""

DONE, UNANSWERED, TOO_FAR, ENDLESS = 0, 1, 2, 3

NOWHERE: Final = -1

ENDLESS_SHARE: Final = 1e-9
"""A re-roll that returns more than 1 less this share of the mass does not come to an end."""

WIN, ROLLS = 0, 1
"""Places of the totals of a walk: mass of instant wins, expected number of rolls."""


class WalkRules(NamedTuple):
    """What the walk needs of a ruleset, as arrays. R rolls, H holds.

    Attributes:
        unit: points of one unit.
        dice: in the cup.
        max_rolls: 0 for no limit.
        reset: whether hot dice reset the count of rolls.
        hot_end: whether hot dice end the turn.
        hot_must: whether hot dice must roll.
        nothing: units for a roll of all dice that scores nothing; 0 for none.
        widest: most units that one roll can add.
        roll_first: int64[D + 2], rolls of m dice are `roll_first[m]` to the next less one.
        prob: float64[R].
        instant_win: bool[R].
        goes_on: bool[R].
        hold_first: int64[R + 1].
        hold_units: int64[H].
        hold_left: int64[H].
        hold_hot: bool[H].
    """

    unit: int
    dice: int
    max_rolls: int
    reset: bool
    hot_end: bool
    hot_must: bool
    nothing: int
    widest: int
    roll_first: NDArray[np.int64]
    prob: NDArray[np.float64]
    instant_win: NDArray[np.bool_]
    goes_on: NDArray[np.bool_]
    hold_first: NDArray[np.int64]
    hold_units: NDArray[np.int64]
    hold_left: NDArray[np.int64]
    hold_hot: NDArray[np.bool_]


def walk_rules(tables: RuleTables) -> WalkRules:
    """The arrays of a ruleset."""
    rules = tables.ruleset
    unit = unit_of(tables)
    shown = np.bincount(tables.roll_of, minlength=len(tables.rolls))
    return WalkRules(
        unit=unit,
        dice=rules.dice,
        max_rolls=rules.max_rolls,
        reset=rules.rolls_reset_on_hot_dice,
        hot_end=rules.hot_dice == "end",
        hot_must=rules.hot_dice == "must",
        nothing=rules.nothing_scores // unit,
        widest=int(max(tables.hold_points.max(initial=1), rules.nothing_scores)) // unit,
        roll_first=np.searchsorted(tables.roll_dice, np.arange(rules.dice + 2)).astype(np.int64),
        prob=shown / 6.0**tables.roll_dice,
        instant_win=tables.instant_win,
        goes_on=tables.goes_on,
        hold_first=tables.hold_first,
        hold_units=tables.hold_points // unit,
        hold_left=tables.hold_left,
        hold_hot=tables.hold_hot,
    )


class WalkMemory(NamedTuple):
    """Memory of walks. C counts of rolls, D dice, P units that fit, W expressions, Q questions.

    Attributes:
        mass: float64[2, C, D + 1, P], of positions before the next roll, and before the one after.
        stop: float64[P], out: mass of turns that ended with so many units, not by a bust.
        lost: float64[P], out: mass of turns that a bust ended.
        total: float64[2], out: see `WIN`.
        low: int64[W], out: the table part of each expression may be this small ...
        high: int64[W], ... or this large with the same outcome everywhere.
        question_roll: int64[Q], out: rolls of positions that no answer is known for.
        question: int64[Q, 4], out: their points, rolls and counted rolls, and the number of the
            table.
        number: int64[1], of the table, the caller's to set.
        visits: int64[1], out: positions before a roll that were noted, as far as there is room.
        visit: int64[V, 4], out: their units, dice, number of the roll, counted number.
        visit_mass: float64[V], out: their mass.
        begin: int64[K, P], node of each kind of roll from which on the table makes a difference
            after so many units, in all rolls from the last on that are told apart; `NOWHERE` where
            that is not known. It stays true as trees grow.
    """

    mass: NDArray[np.float64]
    stop: NDArray[np.float64]
    lost: NDArray[np.float64]
    total: NDArray[np.float64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    question_roll: NDArray[np.int64]
    question: NDArray[np.int64]
    number: NDArray[np.int64]
    visits: NDArray[np.int64]
    visit: NDArray[np.int64]
    visit_mass: NDArray[np.float64]
    begin: NDArray[np.int64]


def walk_memory(
    rules: WalkRules, *, units: int, expressions: int, questions: int, visits: int
) -> WalkMemory:
    """Memory for turns of up to so many units, with room for so much else."""
    counts = 1  # where hot dice do not reset it, the count follows from the rolls
    if rules.reset:
        counts = rules.max_rolls + 1 if rules.max_rolls else COUNTED
    return WalkMemory(
        mass=np.zeros((2, counts, rules.dice + 1, units)),
        stop=np.zeros(units),
        lost=np.zeros(units),
        total=np.zeros(2),
        low=np.zeros(expressions, dtype=np.int64),
        high=np.zeros(expressions, dtype=np.int64),
        question_roll=np.zeros(questions, dtype=np.int64),
        question=np.zeros((questions, 4), dtype=np.int64),
        number=np.zeros(1, dtype=np.int64),
        visits=np.zeros(1, dtype=np.int64),
        visit=np.zeros((visits, 4), dtype=np.int64),
        visit_mass=np.zeros(visits),
        begin=np.full((len(rules.prob), units), NOWHERE, dtype=np.int64),
    )


@compiled
def walk_turn(
    rules: Any, trees: Any, memory: Any, table: Any, last: Any, step: Any, asked: Any
) -> Any:
    """Carry the mass of one turn to its ends.

    Args:
        rules: `WalkRules`.
        trees: `TreeArrays` of the bot.
        memory: `WalkMemory`.
        table: int64[F], the position's features; those of the turn are ignored.
        last: from this roll on, the number of the roll makes no difference any more.
        step: number of this pass; an unknown leaf is asked about once in a pass.
        asked: questions that stand in the memory already.

    Returns:
        DONE, UNANSWERED, TOO_FAR or ENDLESS; and the number of questions in the memory.
    """
    mass = memory.mass
    tables = _begin(rules, trees, memory, table)
    top, status = 1, DONE
    for rolls in range(1, last):
        now = (rolls - 1) & 1
        moved = False
        for c in range(mass.shape[1]):
            for m in range(1, rules.dice + 1):
                for p in range(top):
                    here = _taken(memory, now, c, m, p)
                    if here == 0.0:
                        continue
                    moved = True
                    place = (1 - now, (c if rules.reset else rolls - 1) + 1, m, p, rolls, False)
                    found, asked = _roll(rules, trees, memory, tables, place, here, step, asked)
                    status = max(status, found)
        if not moved or status == TOO_FAR:
            return status, asked
        top = min(top + rules.widest, mass.shape[3])
    found, asked = _walk_on(rules, trees, memory, tables, (top, last), step, asked)
    return max(status, found), asked


@compiled
def _walk_on(
    rules: Any, trees: Any, memory: Any, tables: Any, start: Any, step: Any, asked: Any
) -> Any:
    """The rest of a turn, all rolls alike: points only grow, so each position is met once.

    Only a free re-roll leads back to itself. With x the mass that returns from one visit, all
    visits together carry 1 / (1 - x) times the mass of the first.
    """
    mass = memory.mass
    top, last = start
    now = (last - 1) & 1
    status = DONE
    alike = mass.shape[1] == 1
    p = 0
    while p < top:
        for c in range(mass.shape[1]):
            for m in range(1, rules.dice + 1):
                here = _taken(memory, now, c, m, p)
                if here == 0.0:
                    continue
                place = (now, (c if rules.reset else last - 1) + 1, m, p, last, alike)
                found, asked = _roll(rules, trees, memory, tables, place, here, step, asked)
                back = _taken(memory, now, c, m, p)
                if back > 0.0:
                    if back > here * (1.0 - ENDLESS_SHARE):
                        return ENDLESS, asked
                    again = back / (1.0 - back / here)
                    more, asked = _roll(rules, trees, memory, tables, place, again, step, asked)
                    memory.mass[now, c, m, p] = 0.0
                    found = max(found, more)
                status = max(status, found)
                if status == TOO_FAR:
                    return status, asked
                top = max(top, min(p + 1 + rules.widest, mass.shape[3]))
        p += 1
    return status, asked


@compiled
def _taken(memory: Any, now: Any, c: Any, m: Any, p: Any) -> Any:
    """Take the mass of a position away; 0 where there is too little to follow."""
    here = memory.mass[now, c, m, p]
    memory.mass[now, c, m, p] = 0.0
    if here < TINY:
        memory.lost[p] += here
        return 0.0
    return here


@compiled
def _begin(rules: Any, trees: Any, memory: Any, table: Any) -> Any:
    """Clear the memory and put all mass at the beginning.

    Returns:
        int64[W], the table's part of every expression; bool[W], whether there is any.
    """
    memory.mass[:] = 0.0
    memory.mass[0, 0, rules.dice, 0] = 1.0
    memory.stop[:] = 0.0
    memory.lost[:] = 0.0
    memory.total[:] = 0.0
    memory.visits[0] = 0
    memory.low[:] = -(np.int64(1) << 61)
    memory.high[:] = np.int64(1) << 61
    parts = np.zeros(len(trees.weights), dtype=np.int64)
    tabled = np.zeros(len(parts), dtype=np.bool_)
    for w in range(len(parts)):
        for f in range(TABLE, len(table)):
            parts[w] += trees.weights[w, f] * table[f]
            tabled[w] |= trees.weights[w, f] != 0
    return parts, tabled


@compiled
def _roll(
    rules: Any,
    trees: Any,
    memory: Any,
    tables: Any,
    place: Any,
    here: Any,
    step: Any,
    asked: Any,
) -> Any:
    """Carry the mass of one position over all rolls of its dice.

    Args:
        tables: see `_begin`.
        place: where the mass goes to; counted number, dice, units and number of the roll; whether
            `begin` holds here.
    """
    then, counted, m, p, rolls, alike = place
    memory.total[ROLLS] += here
    if memory.visits[0] < len(memory.visit):
        memory.visit[memory.visits[0]] = (p, m, rolls, counted)
        memory.visit_mass[memory.visits[0]] = here
        memory.visits[0] += 1
    mass, total, lost, stop = memory.mass, memory.total, memory.lost, memory.stop
    low, high, begin = memory.low, memory.high, memory.begin
    parts, tabled = tables
    weights, expression, threshold, child = (
        trees.weights,
        trees.expression,
        trees.threshold,
        trees.child,
    )
    root, prob, instant_win = trees.root, rules.prob, rules.instant_win
    hold_first, goes_on = rules.hold_first, rules.goes_on
    rolls_left = rolls < MAX_ROLLS_PER_TURN
    limit_left = rules.max_rolls == 0 or counted < rules.max_rolls
    kept = min(counted, mass.shape[1] - 1)
    points = p * rules.unit
    status = DONE
    for roll in range(rules.roll_first[m], rules.roll_first[m + 1]):
        flow = here * prob[roll]
        if instant_win[roll]:
            total[WIN] += flow
            continue
        if hold_first[roll] == hold_first[roll + 1]:
            further = p + rules.nothing
            if m < rules.dice or rules.nothing == 0:
                lost[p] += flow
            elif further >= len(stop):
                return TOO_FAR, asked
            elif rolls_left and limit_left:
                mass[then, kept, rules.dice, further] += flow
            else:
                stop[further] += flow
            continue
        at, node, side = root[roll], np.int64(-1), 0
        skips = alike
        if alike and begin[roll, p] != NOWHERE:
            at = begin[roll, p]
        while at >= 0:
            w = expression[at]
            if skips:
                begin[roll, p] = at
                skips = not tabled[w]
            own = weights[w, 0] * points + weights[w, 1] * rolls + weights[w, 2] * counted
            bound = threshold[at] - own
            node = at
            if parts[w] >= bound:
                side = 1
                if bound > low[w]:
                    low[w] = bound
            else:
                side = 0
                if bound - 1 < high[w]:
                    high[w] = bound - 1
            at = child[at, side]
        if at == UNKNOWN:
            status = max(status, UNANSWERED)
            asked = _ask(trees, memory, roll, node, side, (points, rolls, counted), step, asked)
            continue
        code = LEAF - at
        if code == REROLL_CODE:
            mass[then, kept, rules.dice, p] += flow
            continue
        hold = hold_first[roll] + (code >> 1)
        further = p + rules.hold_units[hold]
        if further >= len(stop):
            return TOO_FAR, asked
        hot = rules.hold_hot[hold]
        can = goes_on[roll] and rolls_left and not (hot and rules.hot_end)
        can = can and (limit_left or (hot and rules.reset))
        if can and (code & 1 == 1 or (hot and rules.hot_must)):
            mass[then, 0 if hot else kept, rules.hold_left[hold], further] += flow
        else:
            stop[further] += flow
    return status, asked


@compiled
def _ask(
    trees: Any, memory: Any, roll: Any, node: Any, side: Any, turn: Any, step: Any, asked: Any
) -> Any:
    """Note a question, one in a pass for each unknown leaf; the number of questions.

    Of all positions that fall into a leaf it is any one, all alike. A bot that looks at exact
    numbers is asked for each of them; asked in their order, its trees would grow into lists.
    """
    mark = trees.root_asked[roll] if node < 0 else trees.asked[node, side]
    if mark[0] != step:
        if asked >= len(memory.question_roll):
            return asked
        mark[0], mark[1], mark[2] = step, asked, 0
        asked += 1
    mark[2] += 1
    if _scattered(mark[1], mark[2]) % np.uint64(mark[2]) == 0:
        points, rolls, counted = turn
        memory.question_roll[mark[1]] = roll
        memory.question[mark[1], 0] = points
        memory.question[mark[1], 1] = rolls
        memory.question[mark[1], 2] = counted
        memory.question[mark[1], 3] = memory.number[0]
    return asked


@compiled
def _scattered(question: Any, count: Any) -> Any:
    """A number that looks like chance (the mixing step of splitmix64; Steele et al., 2014)."""
    z = np.uint64(question) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(count)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))

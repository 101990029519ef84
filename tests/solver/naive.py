"""The solver's naive twin: one player's turn by plain recursion over the rules' own objects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from arena.rules import Roll, Ruleset, rule_tables


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """What a turn's ends are worth, by points: ending it, a bust; and an instant win."""

    stop: Callable[[int], float]
    lost: Callable[[int], float]
    won: float


def best_turn(rules: Ruleset, ends: Ends, *, most: int) -> float:
    """Value of the best turn; a turn of `most` points or more ends where it may.

    Written down from `Turn.can_roll` and its neighbours, one roll at a time. The free re-roll
    that is not counted is iterated.
    """
    tables = rule_tables(rules)

    @cache
    def rolled(points: int, dice: int, counted: int, forced: int) -> float:
        total = 0.0
        for roll in tables.outcomes[dice]:
            total += outcome(roll, points, counted + 1, forced)
        return total / float(6**dice)

    def outcome(roll: Roll, points: int, counted: int, forced: int) -> float:
        rolls_left = not rules.max_rolls or counted < rules.max_rolls
        if roll.instant_win:
            return ends.won
        if roll.bust:
            if len(roll.dice) < rules.dice or not rules.nothing_scores:
                return ends.lost(points)
            return further(points + rules.nothing_scores, rules.dice, counted, rolls_left, forced)
        best = -1e9
        if rules.reroll_all and roll.goes_on and not points and rolls_left:
            best = again[0] if not rules.max_rolls else rolled(0, rules.dice, counted, forced)
        for hold in roll.holds:
            gathered = points + hold.points
            kept = 0 if hold.hot and rules.rolls_reset_on_hot_dice else counted
            may_roll = roll.goes_on and (not rules.max_rolls or kept < rules.max_rolls)
            may_roll &= not (hold.hot and rules.hot_dice == "end")
            must_roll = may_roll and hold.hot and rules.hot_dice == "must"
            if not must_roll:
                best = max(best, ends.stop(gathered))
            if may_roll and (must_roll or gathered < most):
                best = max(best, further(gathered, hold.dice_left, kept, True, forced))
        return best

    def further(points: int, dice: int, counted: int, may: bool, forced: int) -> float:
        if not may:
            return ends.stop(points)
        if points >= most:
            if forced == 0:
                return ends.stop(points)
            forced -= 1
            points = most
        return rolled(points, dice, counted if rules.max_rolls else 0, forced)

    again = [-1e9]
    while True:
        rolled.cache_clear()
        value = rolled(0, rules.dice, 0, 200)
        if abs(value - again[0]) < 1e-13 or not rules.reroll_all or rules.max_rolls:
            return value
        again[0] = value

"""Which points a turn can reach at all."""

from __future__ import annotations

from functools import lru_cache

from arena.rules.holds import Hold
from arena.rules.ruleset import MAX_ROLLS_PER_TURN, Ruleset
from arena.rules.tables import rule_tables


def can_write(ruleset: Ruleset, points: int) -> bool:
    """Whether some dice let a turn be worth at least so many points.

    The most points after k rolls are followed for every state (dice to roll, rolls counted
    against `max_rolls`), for k up to the rolls that a turn can have.
    """
    if points <= 0:
        return True
    best = {(ruleset.dice, 0): 0}
    for _ in range(MAX_ROLLS_PER_TURN):
        after: dict[tuple[int, int], int] = {}
        for (dice, counted), gathered in best.items():
            for gain, state, goes_on in _steps(ruleset, dice, counted):
                if gathered + gain >= points:
                    return True
                if goes_on:
                    after[state] = max(gathered + gain, after.get(state, 0))
        if not after:
            return False
        best = after
    return False


@lru_cache(maxsize=4096)
def _steps(
    ruleset: Ruleset, dice: int, counted: int
) -> tuple[tuple[int, tuple[int, int], bool], ...]:
    """What one roll can bring: points, next state, whether a further roll is possible."""
    steps: dict[tuple[tuple[int, int], bool], int] = {}
    counted = counted + 1 if ruleset.max_rolls else 0
    rolls_left = not ruleset.max_rolls or counted < ruleset.max_rolls
    for roll in dict.fromkeys(rule_tables(ruleset).outcomes[dice]):
        if roll.bust and dice == ruleset.dice and ruleset.nothing_scores:
            step = ((dice, counted), rolls_left)
            steps[step] = max(ruleset.nothing_scores, steps.get(step, 0))
        for hold in roll.holds:
            state, goes_on = _after(ruleset, hold, counted)
            step = (state, goes_on and roll.goes_on)
            steps[step] = max(hold.points, steps.get(step, 0))
    return tuple((gain, state, goes_on) for (state, goes_on), gain in steps.items())


def _after(ruleset: Ruleset, hold: Hold, counted: int) -> tuple[tuple[int, int], bool]:
    if hold.hot and ruleset.rolls_reset_on_hot_dice:
        counted = 0
    goes_on = not ruleset.max_rolls or counted < ruleset.max_rolls
    if hold.hot and ruleset.hot_dice == "end":
        goes_on = False
    return (hold.dice_left, counted), goes_on

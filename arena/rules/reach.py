"""Which points a turn can reach at all."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from arena.rules.holds import Hold
from arena.rules.ruleset import MAX_ROLLS_PER_TURN, Ruleset
from arena.rules.tables import rule_tables


def can_write(ruleset: Ruleset, points: int) -> bool:
    """Whether some dice let a turn end with at least so many points to be written.

    The most points after k rolls are followed for every state (dice to roll, rolls counted
    against `max_rolls`), for k up to the rolls that a turn can have.
    """
    if points <= 0:
        return True
    best = {(ruleset.dice, 0): 0}
    for _ in range(MAX_ROLLS_PER_TURN):
        after: dict[tuple[int, int], int] = {}
        for (dice, counted), gathered in best.items():
            for step in _steps(ruleset, dice, counted):
                if step.may_end and gathered + step.points >= points:
                    return True
                if step.goes_on:
                    after[step.state] = max(gathered + step.points, after.get(step.state, 0))
        if not after:
            return False
        best = after
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """What one roll can bring: points, what is rolled next, and how the turn may go from there."""

    points: int
    state: tuple[int, int]
    goes_on: bool
    may_end: bool


@lru_cache(maxsize=4096)
def _steps(ruleset: Ruleset, dice: int, counted: int) -> tuple[_Step, ...]:
    counted = counted + 1 if ruleset.max_rolls else 0
    best: dict[tuple[object, ...], _Step] = {}
    for roll in dict.fromkeys(rule_tables(ruleset).outcomes[dice]):
        if roll.holds:
            steps = [_held(ruleset, hold, counted, goes_on=roll.goes_on) for hold in roll.holds]
        else:
            steps = [_nothing(ruleset, dice, counted)]
        for step in steps:
            same = (step.state, step.goes_on, step.may_end)
            if same not in best or step.points > best[same].points:
                best[same] = step
    return tuple(best.values())


def _held(ruleset: Ruleset, hold: Hold, counted: int, *, goes_on: bool) -> _Step:
    if hold.hot and ruleset.rolls_reset_on_hot_dice:
        counted = 0
    if hold.hot and ruleset.hot_dice == "end":
        goes_on = False
    goes_on = goes_on and _rolls_left(ruleset, counted)
    return _Step(
        points=hold.points,
        state=(hold.dice_left, counted),
        goes_on=goes_on,
        may_end=not (goes_on and hold.hot and ruleset.hot_dice == "must"),
    )


def _nothing(ruleset: Ruleset, dice: int, counted: int) -> _Step:
    if dice == ruleset.dice and ruleset.nothing_scores:
        goes_on = _rolls_left(ruleset, counted)
        points = ruleset.nothing_scores
        return _Step(points=points, state=(dice, counted), goes_on=goes_on, may_end=not goes_on)
    return _Step(points=0, state=(dice, counted), goes_on=False, may_end=ruleset.bust == "keep")


def _rolls_left(ruleset: Ruleset, counted: int) -> bool:
    return not ruleset.max_rolls or counted < ruleset.max_rolls

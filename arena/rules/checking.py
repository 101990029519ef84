"""From a table of values to a `Ruleset`, with every mistake named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, get_args

from arena.errors import Mistake, RulesetError
from arena.rules.patterns import FACES, canonical, pattern_mistake
from arena.rules.reach import can_write
from arena.rules.ruleset import Bust, BustPenalty, Combination, End, HotDice, Ruleset, Tie
from arena.rules.toml_table import MAX_POINTS, TomlTable

_KEYS = [field.name for field in fields(Ruleset)]
_PENALTY_KEYS = [field.name for field in fields(BustPenalty)]
_NOT_OF_A_TURN = {"name", "title", "source", "end", "tie", "rounds", "bust_penalty", "instant_win"}
_TURN_KEYS = set(_KEYS) - _NOT_OF_A_TURN
"""Keys that say what one turn can be worth."""


def ruleset_from(
    table: dict[str, Any], *, name: str, where: str, mistakes: Sequence[Mistake] = ()
) -> Ruleset:
    """The ruleset that a parsed file describes.

    Args:
        table: keys and values as TOML gives them.
        name: name of the ruleset, overrides included.
        where: the file, for messages.
        mistakes: already found; reported together with those found here.

    Raises:
        RulesetError: with all mistakes.
    """
    found = list(mistakes)
    values = TomlTable(table, "", where, found)
    ruleset = _ruleset(values, name)
    _check_points(values, ruleset)
    if found:
        raise RulesetError(found)
    return ruleset


def _ruleset(table: TomlTable, name: str) -> Ruleset:
    """The ruleset, with defaults in place of what is wrong."""
    table.only(_KEYS)
    stem = name.partition(":")[0]
    if table.values.get("name", stem) != stem:
        table.wrong("name", table.values["name"], f"leave it out, or as the file: {stem!r}")
    dice = table.number("dice", 6, low=1, high=6)
    return Ruleset(
        name=name,
        title=table.text("title"),
        source=table.text("source"),
        dice=dice,
        target=table.number("target", 10_000, low=1),
        opening_minimum=table.number("opening_minimum", 0),
        bank_minimum=table.number("bank_minimum", 0),
        max_rolls=table.number("max_rolls", 0, high=1000),
        rolls_reset_on_hot_dice=table.flag("rolls_reset_on_hot_dice"),
        hot_dice=table.choice("hot_dice", get_args(HotDice), "may"),
        bust=table.choice("bust", get_args(Bust), "forfeit"),
        reroll_all=table.flag("reroll_all"),
        continue_faces=_faces(table),
        end=table.choice("end", get_args(End), "last_round"),
        tie=table.choice("tie", get_args(Tie), "leader"),
        instant_win=_instant_win(table, dice),
        rounds=table.number("rounds", 0, high=1000),
        bust_penalty=_bust_penalty(table),
        nothing_scores=table.number("nothing_scores", 0),
        combinations=_combinations(table, dice),
    )


def _faces(table: TomlTable) -> tuple[int, ...]:
    faces = table.items("continue_faces", "a list of faces, for example [1, 5]; [] is any")
    for face in faces:
        if type(face) is not int or face not in FACES:
            table.wrong("continue_faces", face, "faces are whole numbers from 1 to 6")
            return ()
    return tuple(sorted(set(faces)))


def _instant_win(table: TomlTable, dice: int) -> tuple[str, ...]:
    allowed = 'a list of dice strings, for example ["111111"]'
    good = []
    for pattern in table.items("instant_win", allowed):
        mistake = _pattern_mistake(pattern, dice) if isinstance(pattern, str) else None
        if not isinstance(pattern, str):
            table.wrong("instant_win", pattern, allowed)
        elif mistake:
            table.wrong("instant_win", pattern, mistake)
        else:
            good.append(canonical(pattern))
    return tuple(sorted(set(good)))


def _combinations(table: TomlTable, dice: int) -> tuple[Combination, ...]:
    inner = table.table("combinations", 'a table of dice strings, for example "111" = 1000')
    points: dict[str, int] = {}
    for pattern, value in inner.values.items():
        if type(value) is not int or not 0 <= value <= MAX_POINTS:
            inner.wrong(pattern, value, f"points from 1 to {MAX_POINTS}, 0 takes it out")
        mistake = _pattern_mistake(pattern, dice if value else len(pattern))
        if mistake is None and canonical(pattern) in points:
            mistake = f"is there twice: these are the dice of {canonical(pattern)!r}"
        if mistake:
            inner.wrong(pattern, value, mistake)
        elif type(value) is int:
            points[canonical(pattern)] = value
    return tuple(
        Combination(pattern=key, points=points[key]) for key in sorted(points) if points[key]
    )


def _pattern_mistake(pattern: str, dice: int) -> str | None:
    mistake = pattern_mistake(pattern)
    if mistake is None and len(pattern) > dice:
        mistake = f"is longer than the {dice} dice of this ruleset"
    return mistake


def _bust_penalty(table: TomlTable) -> BustPenalty:
    inner = table.table("bust_penalty", "a table, for example {after = 3, points = 1000}")
    inner.only(_PENALTY_KEYS)
    floor = inner.values.get("floor", "none")
    if floor != "none" and (type(floor) is not int or abs(floor) > MAX_POINTS):
        inner.wrong("floor", floor, f'"none" or points from -{MAX_POINTS} to {MAX_POINTS}')
        floor = "none"
    penalty = BustPenalty(
        after=inner.number("after", 0, high=1000),
        points=inner.number("points", 0),
        resets=inner.flag("resets", True),
        floor=None if floor == "none" else floor,
    )
    for key, partner in (("after", "points"), ("points", "after")):
        if inner.values.get(key) and not inner.values.get(partner):
            inner.wrong(key, inner.values[key], f"needs {partner} too; no penalty without both")
    # One spelling for "no penalty", so that rulesets that play alike have the same key.
    return penalty if penalty.after and penalty.points else BustPenalty()


def _check_points(table: TomlTable, ruleset: Ruleset) -> None:
    """Target and minimums against each other and against what the dice allow.

    Skipped where a value that it needs is wrong: the default in its place would mislead.
    """
    wrong = {mistake.key.partition(".")[0] for mistake in table.mistakes}
    for key in ("opening_minimum", "bank_minimum"):
        minimum = getattr(ruleset, key)
        if minimum > ruleset.target and not wrong & {key, "target"}:
            table.wrong(key, minimum, f"at most the target, {ruleset.target}")
            wrong.add(key)
    if wrong & _TURN_KEYS:
        return
    impossible = "no turn can reach it with these dice, combinations and rolls"
    if not can_write(ruleset, 1):
        table.wrong("target", ruleset.target, impossible)
    elif not can_write(ruleset, ruleset.minimum(is_open=True)):
        table.wrong("bank_minimum", ruleset.bank_minimum, impossible)
    elif not can_write(ruleset, ruleset.minimum(is_open=False)):
        table.wrong("opening_minimum", ruleset.opening_minimum, impossible)

"""A scorer written in another way: every assignment of dice to combinations is tried, no table."""

from __future__ import annotations

from itertools import combinations
from typing import TypeVar

Combos = dict[str, int]
Item = TypeVar("Item")


def stands_for(pattern: str, dice: tuple[int, ...]) -> bool:
    """Whether these dice, all of them, are what the dice string asks for."""
    if len(pattern) != len(dice):
        return False
    rest = list(dice)
    for sign in pattern:
        if sign.isdigit():
            if int(sign) not in rest:
                return False
            rest.remove(int(sign))
    groups = sorted(pattern.count(letter) for letter in set(pattern) if letter.isalpha())
    named = {int(sign) for sign in pattern if sign.isdigit()}
    return groups == sorted(rest.count(face) for face in set(rest)) and not named & set(rest)


def naive_points(dice: tuple[int, ...], combos: Combos) -> int | None:
    """Points of the best split that leaves no die; None if there is none."""
    if not dice:
        return 0
    found = []
    others = range(1, len(dice))
    for size in range(len(dice)):
        for chosen in combinations(others, size):  # the first die is in some combination
            group = tuple(dice[i] for i in (0, *chosen))
            worth = [points for pattern, points in combos.items() if stands_for(pattern, group)]
            rest = naive_points(tuple(dice[i] for i in others if i not in chosen), combos)
            if worth and rest is not None:
                found.append(max(worth) + rest)
    return max(found, default=None)


def naive_holds(dice: tuple[int, ...], combos: Combos) -> set[tuple[int, int]]:
    """All (points, number of dice) that may be held."""
    found = set()
    for size in range(1, len(dice) + 1):
        for kept in set(combinations(dice, size)):
            points = naive_points(kept, combos)
            if points is not None:
                found.add((points, size))
    return found

"""Random rulesets that use every key of the format, from a seeded generator."""

from __future__ import annotations

import random
from typing import Any

from arena.errors import RulesetError
from arena.rules import Ruleset
from arena.rules.checking import ruleset_from

_PATTERNS = ["1", "5", "111", "222", "333", "aaa", "aaaa", "aaaaa", "aabb", "aabbcc", "12345"]


def random_ruleset(rng: random.Random) -> Ruleset:
    """A ruleset that can be played; small targets, so that games are short."""
    while True:
        try:
            return ruleset_from(_table(rng), name=f"random-{rng.random()}", where="random")
        except RulesetError:
            continue


def _table(rng: random.Random) -> dict[str, Any]:
    dice = rng.randint(1, 6)
    step = rng.choice([1, 10, 50, 50, 25])
    patterns = rng.sample(_PATTERNS, rng.randint(1, 6))
    table: dict[str, Any] = {
        "dice": dice,
        "target": step * rng.randint(4, 80),
        "opening_minimum": step * rng.choice([0, 0, 3, 8]),
        "bank_minimum": step * rng.choice([0, 0, 2, 5]),
        "max_rolls": rng.choice([0, 0, 1, 2, 3, 5]),
        "rolls_reset_on_hot_dice": rng.random() < 0.5,
        "hot_dice": rng.choice(["may", "must", "end"]),
        "bust": rng.choice(["forfeit", "keep"]),
        "reroll_all": rng.random() < 0.5,
        "continue_faces": rng.choice([[], [], [1, 5], [1, 2, 3]]),
        "end": rng.choice(["first_to_target", "last_round"]),
        "tie": rng.choice(["leader", "draw"]),
        "instant_win": rng.choice([[], ["a" * dice], ["1" * dice], ["6"]]),
        "rounds": rng.choice([0, 0, 3, 10, 40]),
        "nothing_scores": rng.choice([0, 0, step * 5]),
        "combinations": {
            pattern: step * rng.randint(1, 20) for pattern in patterns if len(pattern) <= dice
        },
    }
    if rng.random() < 0.4:
        table["bust_penalty"] = {
            "after": rng.randint(1, 3),
            "points": step * rng.randint(1, 10),
            "resets": rng.random() < 0.5,
            "floor": rng.choice(["none", 0, -step * 7]),
        }
    return table

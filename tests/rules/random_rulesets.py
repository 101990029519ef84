"""Random rulesets over every key of the format, from a seed."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from arena.errors import RulesetError
from arena.rules import Ruleset
from arena.rules.checking import ruleset_from

_SPARE = ["aaa", "aaaa", "aaaaa", "aaaaaa", "aabb", "aabbcc", "aaaabb", "aaabbb", "12345", "123"]


def random_ruleset(seed: int) -> Ruleset:
    """A ruleset that can be played; about every second key is at its default."""
    rng = random.Random(seed)
    while True:
        try:
            return ruleset_from(_table(rng), name=f"random-{seed}", where=str(Path("random")))
        except RulesetError:
            continue  # some minimum that no turn reaches: throw again


def _table(rng: random.Random) -> dict[str, Any]:
    dice = rng.randint(1, 6)
    target = rng.randrange(300, 2000, 50)
    return {
        "dice": dice,
        "target": target,
        "opening_minimum": _sometimes(rng, rng.randrange(0, min(target, 700) + 1, 50), 0),
        "bank_minimum": _sometimes(rng, rng.randrange(0, min(target, 400) + 1, 50), 0),
        "max_rolls": _sometimes(rng, rng.randint(1, 5), 0),
        "rolls_reset_on_hot_dice": rng.random() < 0.5,
        "hot_dice": rng.choice(["may", "must", "end"]),
        "bust": rng.choice(["forfeit", "keep"]),
        "reroll_all": rng.random() < 0.5,
        "continue_faces": _sometimes(rng, rng.sample(range(1, 7), rng.randint(1, 4)), []),
        "end": rng.choice(["first_to_target", "last_round"]),
        "tie": rng.choice(["leader", "draw"]),
        "instant_win": _sometimes(rng, ["1" * dice, "a" * dice][: rng.randint(1, 2)], []),
        "rounds": _sometimes(rng, rng.randint(1, 30), 0),
        "bust_penalty": _sometimes(rng, _penalty(rng), {}),
        "nothing_scores": _sometimes(rng, rng.randrange(50, 500, 50), 0),
        "combinations": _combinations(rng, dice),
    }


def _sometimes(rng: random.Random, value: Any, default: Any) -> Any:
    return value if rng.random() < 0.5 else default


def _penalty(rng: random.Random) -> dict[str, Any]:
    return {
        "after": rng.randint(1, 4),
        "points": rng.randrange(50, 1000, 50),
        "resets": rng.random() < 0.5,
        "floor": rng.choice(["none", 0, -500, 300]),
    }


def _combinations(rng: random.Random, dice: int) -> dict[str, int]:
    faces = rng.sample("123456", rng.randint(1, 3))
    found = {face: rng.randrange(50, 200, 50) for face in faces}
    for pattern in _SPARE:
        if len(pattern) <= dice and rng.random() < 0.5:
            found[pattern] = rng.randrange(100, 1500, 50)
    return found

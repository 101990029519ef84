"""Random positions and batches of questions for tests of asking."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from arena.game.questions import Feature, Questions, feature_count
from arena.rules import MAX_ROLLS_PER_TURN, MAX_ROUNDS, RuleTables, load_ruleset, rule_tables

RULES = Path(__file__).parents[2] / "configs" / "rules"

RULESETS = [
    "tienduizend",
    "tienduizend:hot_dice=end,bank_minimum=200",
    "zehntausend-1",
    "zehntausend-1:rolls_reset_on_hot_dice=true,opening_minimum=500",
    "zehntausend-2:continue_faces=[1,5]",
    "zehntausend-2:hot_dice=must,end=last_round,reroll_all=true,max_rolls=4",
]


@lru_cache(maxsize=16)
def tables_of(spec: str) -> RuleTables:
    """Tables of a ruleset of this project."""
    return rule_tables(load_ruleset(spec, [RULES]))


@lru_cache(maxsize=16)
def asked_rolls(tables: RuleTables) -> list[int]:
    """Ids of the rolls that a bot is asked about."""
    return [roll.id for roll in tables.rolls if roll.holds and not roll.instant_win]


def random_features(rng: random.Random, tables: RuleTables, seats: int) -> list[int]:
    """A position, likely or not, that satisfies what is true of all."""

    def score() -> int:
        top = rng.choice([200, 2000, 10_000, 12_000])
        return rng.choice([0, 50 * rng.randrange(top // 50), rng.randrange(-500, top)])

    features = [0] * feature_count(seats)
    points = rng.choice([0, 50 * rng.randrange(1, 40), rng.randrange(3000)])
    rolls = 1 if not points and rng.random() < 0.5 else rng.randint(1, 9)
    features[Feature.POINTS] = points
    features[Feature.ROLLS] = rolls
    features[Feature.LIMITED_ROLLS] = rng.randint(1, tables.ruleset.max_rolls or rolls)
    features[Feature.SCORE] = score()
    features[Feature.ROUND] = rng.randint(1, 40)
    features[Feature.SEAT] = rng.randint(1, seats)
    features[Feature.LAST_ROUND] = rng.randint(0, 1)
    features[Feature.BUSTS] = rng.choice([0, 0, 1, 2, 5])
    features[Feature.OPEN] = rng.randint(0, 1)
    features[Feature.OPPONENT :] = [score() for _ in range(seats - 1)]
    return repaired(features, seats)


def repaired(features: list[int], seats: int) -> list[int]:
    """The nearest position that satisfies what is true of all."""
    bounds = {
        Feature.POINTS: (0, 1 << 30),
        Feature.ROLLS: (1, MAX_ROLLS_PER_TURN - 1),
        Feature.LIMITED_ROLLS: (1, MAX_ROLLS_PER_TURN - 1),
        Feature.ROUND: (1, MAX_ROUNDS),
        Feature.SEAT: (1, seats),
        Feature.LAST_ROUND: (0, 1),
        Feature.BUSTS: (0, 1 << 30),
        Feature.OPEN: (0, 1),
    }
    right = list(features)
    for feature, (low, high) in bounds.items():
        right[feature] = min(max(right[feature], low), high)
    right[Feature.TO_BEAT] = max(right[Feature.OPPONENT :])
    return right


def questions_at(rolls: Sequence[int], positions: Sequence[Sequence[int]]) -> Questions:
    """Questions about these positions; each is a game of its own."""
    count = len(rolls)
    return Questions(
        rolls=np.array(rolls, dtype=np.int64),
        features=np.array(positions, dtype=np.int64),
        rng_seeds=np.arange(count, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15),
        slots=np.arange(count, dtype=np.int64),
        fresh=np.ones(count, dtype=np.bool_),
    )


def random_questions(rng: random.Random, tables: RuleTables, seats: int, count: int) -> Questions:
    """A batch of random positions."""
    rolls = [rng.choice(asked_rolls(tables)) for _ in range(count)]
    return questions_at(rolls, [random_features(rng, tables, seats) for _ in range(count)])

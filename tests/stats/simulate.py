"""Simulated matches from known strengths: seats, draws, blocks on the same dice.

Each game has latent luck: a share `same` of the blocks gives both games the same seat-bound luck,
as the same dice do, so that the seat that was lucky wins both and the bots split the block.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from arena.stats import ELO_PER_LOGIT, Results, results_from_matches
from arena.stats.arrays import Floats, Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """True strengths float64[n] and seat advantage in Elo, share of draws, of shared luck."""

    elo: Floats
    seat: float = 0.0
    draws: float = 0.0
    same: float = 0.0


def block_table(world: World, i: int, j: int) -> Floats:
    """Return float64[3,3]: chances of (result of i in seat 1, result of i in seat 2).

    A game is a draw with chance `draws`, else decided by the curve.  With shared luck u, seat 1
    wins where u < its chance.
    """
    gap = (world.elo[i] - world.elo[j]) / ELO_PER_LOGIT
    seat = world.seat / ELO_PER_LOGIT
    p = float(expit(gap + seat)) * (1 - world.draws)
    q = float(expit(-gap + seat)) * (1 - world.draws)
    one = np.array([1 - p - world.draws, world.draws, p])
    two = np.array([q, world.draws, 1 - q - world.draws])
    shared = np.zeros((3, 3))
    edges_one = np.cumsum([0.0, one[2], one[1], one[0]])  # by luck: win, draw, loss of seat 1
    edges_two = np.cumsum([0.0, two[0], two[1], two[2]])
    for a in range(3):
        for b in range(3):
            low = max(edges_one[a], edges_two[b])
            high = min(edges_one[a + 1], edges_two[b + 1])
            shared[2 - a, b] = max(high - low, 0.0)
    return world.same * shared + (1 - world.same) * np.outer(one, two)


def half_point_elo(world: World, i: int, j: int) -> float:
    """Return the Elo of i over j that its true score (seats averaged) stands for."""
    score = true_score(world, i, j)
    return float(ELO_PER_LOGIT * np.log(score / (1 - score)))


def true_score(world: World, i: int, j: int) -> float:
    points = np.add.outer(np.arange(3), np.arange(3)) / 4
    return float((block_table(world, i, j) * points).sum())


def play(
    world: World, first: Ints, second: Ints, blocks: Ints, rng: np.random.Generator
) -> Results:
    tables = np.stack(
        [
            rng.multinomial(b, block_table(world, int(i), int(j)).ravel()).reshape(3, 3)
            for i, j, b in zip(first, second, blocks, strict=True)
        ]
    )
    return results_from_matches(bots=len(world.elo), first=first, second=second, tables=tables)

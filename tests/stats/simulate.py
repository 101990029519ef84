"""Simulated matches from known strengths: seats, draws, blocks on the same dice.

Each game has latent luck: a share `same` of the blocks gives both games the same seat-bound luck,
as the same dice do, so that the seat that was lucky wins both and the bots split the block.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from arena.stats import (
    ELO_PER_LOGIT,
    Results,
    SeatedMatches,
    SeatedOrders,
    results_from_matches,
    seated_matches,
    seated_orders,
)
from arena.stats.arrays import Floats, Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """True strengths float64[n] and seat advantage in Elo, share of draws, of shared luck.

    `draws` is the share of the rarer decisive result, and as much of the other, that is drawn
    instead; so the expected score stays on the Elo curve.
    """

    elo: Floats
    seat: float = 0.0
    draws: float = 0.0
    same: float = 0.0


def block_table(world: World, i: int, j: int) -> Floats:
    """Return float64[3,3]: chances of (result of i in seat 1, result of i in seat 2).

    With shared luck u, seat 1 wins where u is below its chance.
    """
    gap = (world.elo[i] - world.elo[j]) / ELO_PER_LOGIT
    seat = world.seat / ELO_PER_LOGIT
    one = _game(float(expit(gap + seat)), world.draws)
    two = _game(float(expit(-gap + seat)), world.draws)[::-1]
    shared = np.zeros((3, 3))
    edges_one = np.cumsum([0.0, one[2], one[1], one[0]])  # by luck: win, draw, loss of seat 1
    edges_two = np.cumsum([0.0, two[0], two[1], two[2]])
    for a in range(3):
        for b in range(3):
            low = max(edges_one[a], edges_two[b])
            high = min(edges_one[a + 1], edges_two[b + 1])
            shared[2 - a, b] = max(high - low, 0.0)
    return world.same * shared + (1 - world.same) * np.outer(one, two)


def _game(chance: float, draws: float) -> Floats:
    """Chances of loss, draw, win at this expected score."""
    given = draws * min(chance, 1.0 - chance)
    return np.array([1.0 - chance - given, 2.0 * given, chance - given])


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


def play_seated(
    elo: Floats,
    seats: Floats,
    lineups: Ints,
    blocks: Ints,
    rng: np.random.Generator,
    *,
    same: float = 0.0,
) -> tuple[SeatedMatches, SeatedOrders]:
    """Play Plackett-Luce games: the greatest of rating + seat + Gumbel luck of the seat wins.

    In a share `same` of the blocks all rotations have the same luck by seat.
    """
    m, k = lineups.shape
    turn = (np.arange(k)[:, None] + np.arange(k)[None, :]) % k
    sums, cross = np.zeros((m, 2 * k)), np.zeros((m, 2 * k, 2 * k))
    bot, seat, block = [], [], []
    for row, lineup in enumerate(lineups):
        luck = rng.gumbel(size=(int(blocks[row]), k, k))
        shared = rng.random(int(blocks[row])) < same
        luck[shared] = luck[shared][:, :1]
        worth = (elo[lineup] + seats[turn]) / ELO_PER_LOGIT
        worth = worth + np.take_along_axis(luck, np.broadcast_to(turn, luck.shape), axis=2)
        order = np.argsort(-worth, axis=2)
        vector = _block_vectors(order[:, :, 0], turn)
        sums[row], cross[row] = vector.sum(0), vector.T @ vector
        bot.append(lineup[order].reshape(-1, k))
        placed = np.take_along_axis(np.broadcast_to(turn, order.shape), order, axis=2)
        seat.append(placed.reshape(-1, k))
        block.append(np.repeat(np.arange(int(blocks[row])), k))
    matches = seated_matches(bots=len(elo), lineups=lineups, blocks=blocks, sums=sums, cross=cross)
    numbers = np.concatenate([np.full(len(b), i) * 10**6 for i, b in enumerate(block)])
    orders = seated_orders(
        bots=len(elo),
        bot=np.concatenate(bot),
        seat=np.concatenate(seat),
        block=np.concatenate(block) + numbers,
    )
    return matches, orders


def _block_vectors(winner: Ints, turn: Ints) -> Floats:
    """Return float64[blocks,2k] from the winning place of the lineup in each game int[blocks,k]."""
    k = len(turn)
    by_bot = np.stack([(winner == place).sum(1) for place in range(k)], axis=1)
    seat = np.take_along_axis(np.broadcast_to(turn, (len(winner), k, k)), winner[:, :, None], 2)
    by_seat = np.stack([(seat[:, :, 0] == place).sum(1) for place in range(k)], axis=1)
    return np.concatenate([by_bot, by_seat], axis=1).astype(np.float64)

"""Choices among seated bots: the likelihood that all Plackett-Luce fits share.

A choice set holds alternatives (bot, seat) with utility r_bot + s_seat; one of them is chosen with
chance proportional to exp(utility) (Luce 1959).  The winner of a game is one choice; a full order
is a row of choices among those not yet placed (Plackett 1975).  Parameters are float64[bots+seats].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp, softmax

from arena.stats.arrays import Bools, Floats, Ints, sums_by


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceSets:
    """c choice sets of up to n alternatives.

    `bot`, `seat` int64[c,n] are parameter indices (seats stand behind the bots), `open` bool[c,n]
    marks alternatives that exist, `trials` float64[c] how often the choice was made, `points`
    float64[p] how often each parameter was chosen in all.
    """

    bot: Ints
    seat: Ints
    open: Bools
    trials: Floats
    points: Floats


def chances(sets: ChoiceSets, parameters: Floats) -> Floats:
    """Return float64[c,n]: the chance of each alternative, 0 where there is none."""
    return np.asarray(softmax(_utilities(sets, parameters), axis=1))


def log_likelihood(sets: ChoiceSets, parameters: Floats) -> float:
    """Return the log likelihood of all choices."""
    worth = logsumexp(_utilities(sets, parameters), axis=1)
    return float(sets.points @ parameters - sets.trials @ worth)


def slopes(sets: ChoiceSets, parameters: Floats) -> tuple[Floats, Floats]:
    """Return the gradient float64[p] and the information float64[p,p]."""
    size = len(parameters)
    chance = chances(sets, parameters)
    weight = sets.trials[:, None] * chance
    expected = expected_points(sets, weight, size)
    own = np.diag(expected)
    met = sums_by((sets.bot * size + sets.seat).ravel(), weight.ravel(), size**2)
    met = met.reshape(size, size)
    place = np.concatenate([sets.bot, sets.seat], axis=1)
    mean = np.concatenate([chance, chance], axis=1)
    pairs = place[:, :, None] * size + place[:, None, :]
    product = sets.trials[:, None, None] * mean[:, :, None] * mean[:, None, :]
    outer = sums_by(pairs.ravel(), product.ravel(), size**2).reshape(size, size)
    return sets.points - expected, own + met + met.T - outer


def expected_points(sets: ChoiceSets, weight: Floats, size: int) -> Floats:
    """Return float64[size]: `weight` float64[c,n] summed by bot and by seat."""
    flat = weight.ravel()
    return sums_by(sets.bot.ravel(), flat, size) + sums_by(sets.seat.ravel(), flat, size)


def _utilities(sets: ChoiceSets, parameters: Floats) -> Floats:
    return np.where(sets.open, parameters[sets.bot] + parameters[sets.seat], -np.inf)

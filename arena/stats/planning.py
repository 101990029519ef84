"""How many games a question needs, before any is played."""

from __future__ import annotations

import math
from dataclasses import dataclass

from arena.stats.arrays import level
from arena.stats.elo import ELO_PER_LOGIT, score_from_elo
from arena.stats.errors import StatsError
from arena.stats.tails import normal_upper


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Blocks and games that a question needs, and the games it would need without blocks.

    `saving` is the factor between the two numbers of games.
    """

    blocks: int
    games: int
    games_alone: int
    saving: float


def plan_sign(
    elo: float,
    *,
    deviation: float,
    games_per_block: int = 2,
    confidence: float = 0.95,
    power: float = 0.95,
) -> Plan:
    """Return what it takes to be sure which of two bots, `elo` apart, is stronger.

    N = ((z_confidence + z_power) deviation / (score - 1/2))^2 blocks, after which an interval of
    this confidence excludes 1/2 with chance `power`; `deviation` is that of one block's score.
    Raises StatsError for a difference of 0, a deviation that is not positive, or bad chances.
    """
    reach = _normal(confidence) + normal_upper(1.0 - level(power))
    return _plan(abs(_score(elo) - 0.5), reach, _score(elo), deviation, games_per_block)


def plan_half_width(
    half_width: float,
    *,
    deviation: float,
    elo: float = 0.0,
    games_per_block: int = 2,
    confidence: float = 0.95,
) -> Plan:
    """Return what it takes to know the Elo of a match to +- `half_width`, around `elo`.

    N = (z deviation / (half_width slope))^2 blocks, slope = s (1 - s) / 173.7 of the Elo curve.
    Raises StatsError for a width or deviation that is not positive and for a bad confidence.
    """
    score = _score(elo)
    distance = half_width * score * (1.0 - score) / ELO_PER_LOGIT
    return _plan(distance, _normal(confidence), score, deviation, games_per_block)


def _score(elo: float) -> float:
    return float(score_from_elo(elo))


def _normal(confidence: float) -> float:
    return normal_upper((1.0 - level(confidence)) / 2.0)


def _plan(
    distance: float, reach: float, score: float, deviation: float, games_per_block: int
) -> Plan:
    if not (distance > 0.0 and deviation > 0.0 and games_per_block >= 1):
        raise StatsError("a plan needs a difference, a deviation and a block size above 0")
    blocks = max(math.ceil((reach * deviation / distance) ** 2), 1)
    alone = max(math.ceil(score * (1.0 - score) * (reach / distance) ** 2), 1)
    games = blocks * games_per_block
    saving = score * (1.0 - score) / (games_per_block * deviation**2)
    return Plan(blocks=blocks, games=games, games_alone=alone, saving=saving)

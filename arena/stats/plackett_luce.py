"""Ratings of games with more than two seats: Plackett-Luce with seat terms.

On winners (the headline) drawn winners share the point; points by bot and by seat are sufficient
and the slopes of one block are its points less their expectation, so the sandwich needs only sums
and sums of products.  Two seats give Bradley-Terry with half points.  On full orders every place
counts (Plackett 1975; Hunter 2004).
"""

from __future__ import annotations

import numpy as np

from arena.stats.arrays import Bools, Floats, sums_by
from arena.stats.choices import ChoiceSets, chances
from arena.stats.connection import connection_of
from arena.stats.errors import StatsError
from arena.stats.sandwich import PRIOR_BLOCKS, robust_covariance
from arena.stats.seated_fit import SeatedStandings, seated_peak, seated_standings
from arena.stats.seatings import SeatedMatches, SeatedOrders


def fit_plackett_luce(matches: SeatedMatches, *, confidence: float = 0.95) -> SeatedStandings:
    """Fit ratings and seat terms to the winners of all games; covariance over blocks.

    What the games do not bound is kept finite by one virtual drawn game, and marked.  Raises
    StatsError without games and for a confidence outside (0, 1).
    """
    if not matches.blocks.any():
        raise StatsError("there are no games to rate")
    n, k = matches.bots, matches.seats
    games = sums_by(
        matches.lineups.ravel(), np.repeat(matches.blocks * matches.rotations, k).astype(float), n
    )
    connection = connection_of(_took(matches), games)
    sets = _winner_sets(matches)
    peak = seated_peak(sets, connection, k)
    places = np.concatenate(
        [matches.lineups, np.broadcast_to(n + np.arange(k), matches.lineups.shape)], axis=1
    )
    runaway = np.asarray(connection.unbounded[matches.lineups].any(1))
    matter, freedom = _winner_matter(matches, chances(sets, peak.parameters), runaway)

    def lever(part: slice) -> Floats:
        return np.asarray(peak.inverse[places[part]])

    cover, free = robust_covariance(matter, freedom, lever, size=n + k)
    return seated_standings(
        peak, cover, free, games.astype(np.int64), connection, confidence=confidence
    )


def fit_plackett_luce_orders(orders: SeatedOrders, *, confidence: float = 0.95) -> SeatedStandings:
    """Fit ratings and seat terms to full finishing orders; covariance over blocks.

    Raises StatsError for a confidence outside (0, 1).
    """
    n, k = orders.bots, orders.seats
    games = sums_by(orders.bot.ravel(), np.repeat(orders.weight, k), n)
    connection = connection_of(_placed_before(orders), games)
    stages = _stage_sets(orders)
    sets = _merged(stages)
    peak = seated_peak(sets, connection, k)
    score = _block_scores(orders, stages, peak.parameters)
    count = len(score)
    cover = peak.inverse @ (score.T @ score) @ peak.inverse * count / max(count - 1, 1)
    freedom = np.full(n + k, float(max(count - 1, 1)))
    played = np.rint(games).astype(np.int64)
    return seated_standings(peak, cover, freedom, played, connection, confidence=confidence)


def _took(matches: SeatedMatches) -> Bools:
    """Return bool[n,n]: i took points in a lineup with j."""
    took = np.zeros((matches.bots, matches.bots), dtype=np.bool_)
    won = matches.sums[:, : matches.seats] > 0.0
    for place in range(matches.seats):
        rows = np.nonzero(won[:, place])[0]
        took[matches.lineups[rows, place][:, None], matches.lineups[rows]] = True
    np.fill_diagonal(took, False)
    return took


def _winner_sets(matches: SeatedMatches) -> ChoiceSets:
    """One choice set for each rotation of each lineup, rotations of a lineup side by side."""
    n, k, turns = matches.bots, matches.seats, matches.rotations
    bot = np.repeat(matches.lineups, turns, axis=0)
    points = sums_by(matches.lineups.ravel(), matches.sums[:, :k].ravel(), n + k)
    points[n:] = matches.sums[:, k:].sum(0)
    return ChoiceSets(
        bot=bot,
        seat=n + np.tile(matches.seat_of, (len(matches.lineups), 1)),
        open=np.ones(bot.shape, dtype=np.bool_),
        trials=np.repeat(matches.blocks, turns).astype(np.float64),
        points=points,
    )


def _winner_matter(matches: SeatedMatches, chance: Floats, runaway: Bools) -> tuple[Floats, Floats]:
    """Return the covariance float64[m,2k,2k] of each lineup's summed points, and its freedom.

    Centred within the lineup and pulled, with the weight of one block, towards independent games
    with the dispersion found over all lineups.  Lineups in `runaway` bool[m] have bots that won or
    lost everything and no variance to show; they carry that of independent games.
    """
    m, k, turns = len(matches.lineups), matches.seats, matches.rotations
    p = chance.reshape(m, turns, k)
    seated = np.concatenate(
        [np.broadcast_to(np.eye(k), (turns, k, k)), np.eye(k)[matches.seat_of]], axis=2
    )
    own = np.einsum("mtk,tka,tkb->mab", p, seated, seated)
    mean = np.einsum("mtk,tka->mta", p, seated)
    expected = own - np.einsum("mta,mtb->mab", mean, mean)
    blocks = matches.blocks.astype(np.float64)
    outer = matches.sums[:, :, None] * matches.sums[:, None, :]
    scatter = matches.cross - outer / np.maximum(blocks, 1.0)[:, None, None]
    spare = np.maximum(blocks - 1.0, 0.0)
    size = np.einsum("maa->m", expected)
    found = float(np.einsum("maa->", scatter)) + float(size.mean())
    dispersion = found / (float(spare @ size) + float(size.mean()))
    freedom = spare + PRIOR_BLOCKS
    pulled = scatter + PRIOR_BLOCKS * dispersion * expected
    matter = pulled * (blocks / freedom)[:, None, None]
    matter[runaway] = (blocks[:, None, None] * expected)[runaway]
    return matter, freedom


def _placed_before(orders: SeatedOrders) -> Bools:
    took = np.zeros((orders.bots, orders.bots), dtype=np.bool_)
    for ahead in range(orders.seats):
        for behind in range(ahead + 1, orders.seats):
            took[orders.bot[:, ahead], orders.bot[:, behind]] = True
    return took


def _stage_sets(orders: SeatedOrders) -> ChoiceSets:
    """The k-1 choices of each order, stage by stage, in the order of the games."""
    g, k = orders.bot.shape
    open_ = np.concatenate([np.tile(np.arange(k) >= stage, (g, 1)) for stage in range(k - 1)])
    size = orders.bots + k
    chosen = np.repeat(orders.weight, k - 1)
    points = sums_by(orders.bot[:, : k - 1].ravel(), chosen, size)
    points += sums_by(orders.bots + orders.seat[:, : k - 1].ravel(), chosen, size)
    return ChoiceSets(
        bot=np.tile(orders.bot, (k - 1, 1)),
        seat=orders.bots + np.tile(orders.seat, (k - 1, 1)),
        open=open_,
        trials=np.tile(orders.weight, k - 1),
        points=points,
    )


def _merged(sets: ChoiceSets) -> ChoiceSets:
    """The same likelihood with equal choice sets counted once."""
    key = np.concatenate([sets.bot, sets.seat, sets.open], axis=1)
    _, kept, index = np.unique(key, axis=0, return_index=True, return_inverse=True)
    return ChoiceSets(
        bot=sets.bot[kept],
        seat=sets.seat[kept],
        open=sets.open[kept],
        trials=sums_by(index.ravel(), sets.trials, len(kept)),
        points=sets.points,
    )


def _block_scores(orders: SeatedOrders, stages: ChoiceSets, parameters: Floats) -> Floats:
    """Return float64[blocks,p]: the slope of each block's log likelihood."""
    g, k = orders.bot.shape
    size = len(parameters)
    block, index = np.unique(orders.block, return_inverse=True)
    miss = -chances(stages, parameters)
    stage = np.repeat(np.arange(k - 1), g)
    miss[np.arange(len(miss)), stage] += 1.0
    miss *= stages.trials[:, None]
    row = np.tile(index.ravel(), k - 1)[:, None] * size
    total = sums_by((row + stages.bot).ravel(), miss.ravel(), len(block) * size)
    total += sums_by((row + stages.seat).ravel(), miss.ravel(), len(block) * size)
    return total.reshape(len(block), size)

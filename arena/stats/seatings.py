"""Blocks of games with any number of seats as arrays: the input of Plackett-Luce."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from arena.stats.arrays import Floats, Ints, counts, numbers
from arena.stats.errors import StatsError
from arena.stats.pairs import BlockMoments

PRECISION = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedMatches:
    """m lineups of n seats each, in blocks of all n rotations on the same dice.

    `bots` is the number of bots there are; `lineups` int64[m,n] names the bots of each lineup;
    `blocks` int64[m]; `sums` float64[m,2n] and `cross` float64[m,2n,2n] are sums and sums of
    products over blocks of the block vector: the points of each of the n bots in the block, then
    the points won by each of the n seats.  A game gives 1 to its sole winner or 1/k to each of k,
    so both halves of the block vector sum to the games of a block: n, or 1 where `rotated` is
    false and every lineup keeps its seats.  Raises StatsError where that does not hold.
    """

    bots: int
    lineups: Ints
    blocks: Ints
    sums: Floats
    cross: Floats
    rotated: bool = True

    def __post_init__(self) -> None:
        lineups = counts(self.lineups, name="lineups", shape=(None, None))
        m, n = lineups.shape
        blocks = counts(self.blocks, name="blocks", shape=(m,))
        sums, cross = numbers(self.sums, name="sums"), numbers(self.cross, name="cross")
        if m == 0 or n < 2:
            raise StatsError("at least one lineup of at least two bots is needed")
        if sums.shape != (m, 2 * n) or cross.shape != (m, 2 * n, 2 * n):
            raise StatsError(
                f"{m} lineups of {n} need sums [{m},{2 * n}] and cross [{m},{2 * n},{2 * n}], "
                f"not {list(sums.shape)} and {list(cross.shape)}"
            )
        if int(lineups.max()) >= self.bots:
            raise StatsError(f"a lineup names bot {int(lineups.max())} of {self.bots} bots")
        if any(len(set(lineup)) < n for lineup in lineups.tolist()):
            raise StatsError("a bot sits twice in one lineup; such games say nothing about ratings")
        halves = np.stack([sums[:, :n].sum(1), sums[:, n:].sum(1)])
        games = self.rotations * blocks
        off = np.abs(halves - games).max()
        if sums.min() < -PRECISION or off > PRECISION * (1.0 + games.max()):
            raise StatsError(f"every block must share out exactly {self.rotations} points")
        checked = (lineups, blocks, sums, cross)
        for name, array in zip(("lineups", "blocks", "sums", "cross"), checked, strict=True):
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @property
    def seats(self) -> int:
        """Seats of each game."""
        return int(np.shape(self.lineups)[1])

    @property
    def rotations(self) -> int:
        """Games of each block."""
        return self.seats if self.rotated else 1

    @property
    def seat_of(self) -> Ints:
        """Seat of each bot of the lineup in each game of a block, int64[rotations,seats]."""
        shift = np.arange(self.rotations)[:, None] + np.arange(self.seats)[None, :]
        return shift % self.seats


def seated_matches(
    *,
    bots: int,
    lineups: ArrayLike,
    blocks: ArrayLike,
    sums: ArrayLike,
    cross: ArrayLike,
    rotated: bool = True,
) -> SeatedMatches:
    """Return checked SeatedMatches; shapes as described there."""
    return SeatedMatches(
        bots=bots,
        lineups=counts(lineups, name="lineups", shape=(None, None)),
        blocks=counts(blocks, name="blocks", shape=(None,)),
        sums=numbers(sums, name="sums"),
        cross=numbers(cross, name="cross"),
        rotated=rotated,
    )


def seated_moments(matches: SeatedMatches, match: int, place: int) -> BlockMoments:
    """Return the moments of the score of the bot at `place` (from 0) of one lineup.

    The block score is its points in the block over the block's games; its par is 1/seats.
    """
    n = matches.rotations
    return BlockMoments(
        blocks=int(matches.blocks[match]),
        total=float(matches.sums[match, place]) / n,
        squares=float(matches.cross[match, place, place]) / n**2,
        games_per_block=n,
        players=matches.seats,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedOrders:
    """g full finishing orders of games with k seats.

    `bot` int64[g,k]: the bots from first place to last; `seat` int64[g,k]: the seat of each, from
    0; `block` int64[g]: games with the same number belong to one block; `weight` float64[g]: 1, or
    a share where a tied game is given as all the orders that its tie allows.  Raises StatsError
    for indices out of range, a bot or seat twice in a game, or a weight that is not positive.
    """

    bots: int
    bot: Ints
    seat: Ints
    block: Ints
    weight: Floats

    def __post_init__(self) -> None:
        bot = counts(self.bot, name="bot", shape=(None, None))
        g, k = bot.shape
        if g == 0 or k < 2:
            raise StatsError("at least one order of at least two bots is needed")
        seat = counts(self.seat, name="seat", shape=(g, k))
        if int(bot.max()) >= self.bots:
            raise StatsError(f"an order names bot {int(bot.max())} of {self.bots} bots")
        if np.any(np.sort(seat, axis=1) != np.arange(k)):
            raise StatsError(f"every order must name each of the seats 0 to {k - 1} once")
        if np.any(np.diff(np.sort(bot, axis=1), axis=1) == 0):
            raise StatsError("a bot stands twice in one order; each has one place")
        if np.shape(self.block) != (g,) or np.shape(self.weight) != (g,):
            raise StatsError("each order needs one block and one weight")
        if np.any(numbers(self.weight, name="weight") <= 0.0):
            raise StatsError("the weight of an order must be positive")

    @property
    def seats(self) -> int:
        """Seats of each game."""
        return int(np.shape(self.bot)[1])


def seated_orders(
    *,
    bots: int,
    bot: ArrayLike,
    seat: ArrayLike,
    block: ArrayLike,
    weight: ArrayLike | None = None,
) -> SeatedOrders:
    """Return checked SeatedOrders; every weight is 1 unless given."""
    places = counts(bot, name="bot", shape=(None, None))
    return SeatedOrders(
        bots=bots,
        bot=places,
        seat=counts(seat, name="seat", shape=(None, None)),
        block=counts(block, name="block", shape=(None,)),
        weight=np.ones(len(places)) if weight is None else numbers(weight, name="weight"),
    )

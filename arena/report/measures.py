"""Numbers that follow from the counts of matches alone: records, style of play, seats, length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.game.counts import ROUND_BINS, SCORE_BINS_TO_TARGET, TURN_BIN_POINTS
from arena.records import Match, MatchStats, seat_of
from arena.report.model import Duel, Histogram, Play, Seat, Span
from arena.stats import BlockMoments, Estimate, estimate_moments

LOSS, DRAW, WIN = 0, 1, 2
ELO_DIGITS, SHARE_DIGITS, RATE_DIGITS = 2, 6, 4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Played:
    """One match with its results.

    Attributes:
        bots: index in the report of the bot at each place.
    """

    match: Match
    stats: MatchStats
    bots: tuple[int, ...]

    @property
    def with_itself(self) -> bool:
        """Whether some bot sits at the table more than once."""
        return len(set(self.bots)) < len(self.bots)


Where = tuple[Played, int]
"""A match and the place of the bot in it."""


def span(estimate: Estimate, digits: int) -> Span:
    """Round an estimate; the only place where numbers of a report lose digits."""
    return Span(
        value=round(estimate.value, digits) + 0.0,  # no minus zero
        low=round(estimate.low, digits) + 0.0,
        high=round(estimate.high, digits) + 0.0,
    )


def places_of(bot: int, played: Sequence[Played]) -> list[Where]:
    """Every place at which a bot played."""
    return [(each, p) for each in played for p, who in enumerate(each.bots) if who == bot]


def results_of(where: Sequence[Where]) -> NDArray[np.int64]:
    """int64[3]: losses, draws and wins."""
    total = np.zeros(3, dtype=np.int64)
    for each, place in where:
        total += each.stats.results[:, place].sum(axis=0)
    return total


def forfeits_of(where: Sequence[Where]) -> int:
    """Games lost by faults."""
    return sum(int(each.stats.forfeits[place]) for each, place in where)


def moments_of(columns: Sequence[Where], players: int, rotations: int) -> BlockMoments:
    """Sums of block scores in [0, 1] over columns of block vectors (bots, then seats)."""
    blocks, total, squares = 0, 0.0, 0.0
    for each, column in columns:
        most = each.stats.unit * each.stats.rotations
        blocks += each.stats.blocks
        total += int(each.stats.block_sums[column]) / most
        squares += int(each.stats.block_products[column, column]) / most**2
    return BlockMoments(
        blocks=blocks, total=total, squares=squares, games_per_block=rotations, players=players
    )


def play_of(where: Sequence[Where], target: int) -> Play:
    """Style of play of one bot."""

    def total(name: str) -> int:
        return sum(int(getattr(each.stats, name)[place]) for each, place in where)

    games = sum(each.stats.games for each, _ in where)
    turns, decisions = total("turns"), total("decisions")
    points = sum((each.stats.turn_points[place] for each, place in where), _no_bins())
    scores = sum((each.stats.final_scores[place] for each, place in where), _no_bins())
    asked = _ratio(total("questions"), decisions)
    return Play(
        decisions=decisions,
        points_per_turn=_ratio(total("written"), turns),
        bust_rate=_ratio(total("busts"), turns, SHARE_DIGITS),
        turns_per_game=_ratio(turns, games),
        rolls_per_turn=_ratio(total("rolls"), turns),
        questions_per_million=_ratio(total("questions") * 1_000_000, decisions)
        if asked is not None
        else None,
        turn_points=Histogram(
            counts=tuple(int(n) for n in points[1:]),
            first=TURN_BIN_POINTS,
            width=TURN_BIN_POINTS,
            below=int(points[0]),
        ),
        final_scores=Histogram(
            counts=tuple(int(n) for n in scores),
            first=0,
            width=max(target // SCORE_BINS_TO_TARGET, 1),
            mark=target,
        ),
    )


def _no_bins() -> NDArray[np.int64]:
    return np.zeros(64, dtype=np.int64)


def _ratio(part: int, whole: int, digits: int = RATE_DIGITS) -> float | None:
    return round(part / whole, digits) if whole else None


def seats_of(played: Sequence[Played], players: int, elos: Sequence[Span] = ()) -> tuple[Seat, ...]:
    """Each seat over the matches in which the bots changed seats; empty without any."""
    rotated = [each for each in played if not each.match.fixed_seats]
    if not sum(each.stats.blocks for each in rotated):
        return ()
    found = []
    for seat in range(players):
        drawn = won = games = 0
        for each in rotated:
            for rotation in range(each.stats.rotations):
                place = next(p for p in range(players) if seat_of(p, rotation, players) == seat)
                counts = each.stats.results[rotation, place]
                drawn, won = drawn + int(counts[DRAW]), won + int(counts[WIN])
                games += int(counts.sum())
        moments = moments_of([(each, players + seat) for each in rotated], players, players)
        score = span(estimate_moments(moments).score, SHARE_DIGITS)
        elo = elos[seat] if elos else None
        found.append(Seat(seat=seat + 1, games=games, wins=won, draws=drawn, score=score, elo=elo))
    return tuple(found)


def rounds_sentence(played: Sequence[Played]) -> str:
    """How long the games were; empty without games."""
    counts = sum((each.stats.rounds for each in played), np.zeros(ROUND_BINS, dtype=np.int64))
    games = int(counts.sum())
    if not games:
        return ""
    climb = np.cumsum(counts) / games
    low, middle, high = (int(np.searchsorted(climb, q)) for q in (0.05, 0.5, 0.95))
    open_end = " or more" if high == ROUND_BINS - 1 else ""
    return (
        f"Half of the games were over after {middle} rounds; "
        f"nine of ten lasted {low} to {high}{open_end} rounds."
    )


def share_between(first: int, second: int, played: Sequence[Played]) -> tuple[int, Span] | None:
    """Games that two bots played at one table, and the share of the first in what either won.

    The share is R = X / (X + Y), X and Y the block scores of the two; its variance is that of the
    residuals x - R (x + y) over blocks (the ratio estimator; Cochran, Sampling Techniques, ch. 6),
    with one pseudo-block so that it never is zero. For two players R is the score.
    """
    shared = [each for each in played if first in each.bots and second in each.bots]
    games = sum(each.stats.games for each in shared)
    mine = theirs = xx = xy = yy = 0.0
    for each in shared:
        a, b = each.bots.index(first), each.bots.index(second)
        most = each.stats.unit * each.stats.rotations
        mine += int(each.stats.block_sums[a]) / most
        theirs += int(each.stats.block_sums[b]) / most
        products = each.stats.block_products / most**2
        xx, xy, yy = xx + products[a, a], xy + products[a, b], yy + products[b, b]
    both = mine + theirs
    if not both:
        return None
    share = (mine + 0.5) / (both + 1.0)
    residuals = (1 - share) ** 2 * xx - 2 * share * (1 - share) * xy + share**2 * yy + 0.25
    half = 1.959964 * float(np.sqrt(max(residuals, 0.0))) / (both + 1.0)
    value = mine / both
    low, high = min(max(share - half, 0.0), value), max(min(share + half, 1.0), value)
    return games, span(Estimate(value=value, low=low, high=high), SHARE_DIGITS)


def duels_of(played: Sequence[Played], sure: dict[tuple[int, int], float]) -> tuple[Duel, ...]:
    """Every ordered pair of bots that met.

    A pair of players that only ever met at one table together with the same others is told apart
    all the same: the share is of what either of the two won.
    """
    met: dict[tuple[int, int], list[Played]] = {}
    for each in played:
        for a in set(each.bots):
            for b in set(each.bots) - {a}:
                met.setdefault((a, b), []).append(each)
    found = []
    for (a, b), shared in sorted(met.items()):
        between = share_between(a, b, shared)
        if between is not None:
            games, score = between
            found.append(Duel(bot=a, other=b, games=games, score=score, sure=sure.get((a, b))))
    return tuple(found)

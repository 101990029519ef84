"""The numbers of one match, as a JSON document and as rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.cli.output import count, elo_text, percent
from arena.cli.told_faults import fault_document
from arena.records import Fault, Match, MatchStats, seat_of

if TYPE_CHECKING:
    from arena.stats import PairEstimate

NO_VARIANCE = 1e-12
"""A variance of block scores below this is rounding noise."""

Rows = tuple[list[str], list[list[str]]]


def match_document(match: Match, stats: MatchStats, faults: Sequence[Fault]) -> dict[str, Any]:
    """The document of `arena match --json`; of the faults the first ones are kept."""
    return {
        "rules": match.rules,
        "games": stats.games,
        "blocks": stats.blocks,
        "seed": match.seed,
        "digest": stats.digest,
        "bots": [_bot(match, stats, place) for place in range(stats.seats)],
        "seats": [
            {"seat": seat + 1, "wins": wins, "draws": draws}
            for seat, (wins, draws) in enumerate(_by_seat(stats))
        ],
        "faults": [fault_document(fault, match) for fault in faults],
    }


def _bot(match: Match, stats: MatchStats, place: int) -> dict[str, Any]:
    losses, draws, wins = (int(number) for number in stats.results[:, place].sum(axis=0))
    estimate = estimate_of(stats, place)
    turns = int(stats.turns[place])
    return {
        "bot": match.bots[place],
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "forfeits": int(stats.forfeits[place]),
        "score": estimate.score.value,
        "score_low": estimate.score.low,
        "score_high": estimate.score.high,
        "elo": estimate.elo.value,
        "elo_low": estimate.elo.low,
        "elo_high": estimate.elo.high,
        "points_per_turn": int(stats.written[place]) / max(turns, 1),
        "turns_per_game": turns / max(stats.games, 1),
        "bust_rate": int(stats.busts[place]) / max(turns, 1),
        "decisions": int(stats.decisions[place]),
        "questions": int(stats.questions[place]),
    }


def estimate_of(stats: MatchStats, place: int) -> PairEstimate:
    """Score and Elo of the bot at a place, with intervals from blocks.

    From `stats.seats` on the places stand for seats; they mean something where the seats changed.
    """
    from arena.stats import BlockMoments, estimate_moments  # scipy takes long to import

    best = stats.unit * stats.rotations  # units of a block in which the bot wins everything
    moments = BlockMoments(
        blocks=stats.blocks,
        total=int(stats.block_sums[place]) / best,
        squares=int(stats.block_products[place, place]) / best**2,
        games_per_block=stats.rotations,
        players=stats.seats,
    )
    return estimate_moments(moments)


def remarks(match: Match, stats: MatchStats) -> list[str]:
    """What the numbers of the match do not say by themselves."""
    from arena.stats import MatchStatus

    if match.fixed_seats or not stats.blocks:
        return []
    if stats.seats == 2 and estimate_of(stats, 0).status is MatchStatus.IDENTICAL:
        first, second = match.bots
        return [f"{first} and {second} play alike on {match.rules}: every block is one half"]
    saving = saving_of(stats)
    if saving is None:
        return []
    alone = count(round(saving * stats.games))
    return [f"blocks save x{saving:.1f}: without the same dice it would take {alone} games"]


def saving_of(stats: MatchStats) -> float | None:
    """How many times more games on independent dice give the same precision, over all bots.

    None where every block was alike.
    """
    draws_as_half = np.array([0.0, 0.5, 1.0])
    share = stats.results / max(stats.blocks, 1)
    games = share @ draws_as_half**2 - (share @ draws_as_half) ** 2
    best = stats.unit * stats.rotations
    scores = stats.block_sums[: stats.seats] / best / max(stats.blocks, 1)
    squares = np.diag(stats.block_products)[: stats.seats] / best**2 / max(stats.blocks, 1)
    found = float((squares - scores**2).sum())
    alone = float(games.sum()) / stats.rotations**2
    return alone / found if found > NO_VARIANCE else None


def _by_seat(stats: MatchStats) -> list[tuple[int, int]]:
    """Wins and draws by seat."""
    by_seat = np.zeros((stats.seats, 3), dtype=np.int64)
    for rotation in range(stats.rotations):
        for place in range(stats.seats):
            by_seat[seat_of(place, rotation, stats.seats)] += stats.results[rotation, place]
    return [(int(wins), int(draws)) for _, draws, wins in by_seat]


def bot_rows(match: Match, stats: MatchStats) -> Rows:
    """One line for each bot."""
    head = ["bot", "score", "95 % interval", "Elo", "95 % interval", "wins", "draws", "losses"]
    head += ["forfeits", "points/turn", "turns/game", "bust rate"]
    rows = []
    for bot in match_document(match, stats, ())["bots"]:
        score = f"{percent(bot['score_low'])} to {percent(bot['score_high'])}"
        rows.append(
            [
                bot["bot"],
                percent(bot["score"]),
                score,
                elo_text(bot["elo"]),
                f"{elo_text(bot['elo_low'])} to {elo_text(bot['elo_high'])}",
                count(bot["wins"]),
                count(bot["draws"]),
                count(bot["losses"]),
                count(bot["forfeits"]),
                f"{bot['points_per_turn']:.1f}",
                f"{bot['turns_per_game']:.1f}",
                percent(bot["bust_rate"]),
            ]
        )
    return head, rows


def seat_rows(stats: MatchStats) -> Rows:
    """One line for each seat; the score has its interval where the bots changed seats."""
    rotated = stats.rotations == stats.seats and stats.blocks > 0
    rows = []
    for seat, (wins, draws) in enumerate(_by_seat(stats)):
        row = [str(seat + 1), count(wins), count(draws), percent(wins / max(stats.games, 1))]
        if rotated:
            score = estimate_of(stats, stats.seats + seat).score
            row += [percent(score.value), f"{percent(score.low)} to {percent(score.high)}"]
        rows.append(row)
    head = ["seat", "wins", "draws", "won"]
    return head + (["score", "95 % interval"] if rotated else []), rows

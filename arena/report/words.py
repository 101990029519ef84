"""Sentences of the report that say what the numbers mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from arena.report.measures import Played
from arena.report.model import Seat, Span, Standing
from arena.report.ratings import Ratings

MOST_NAMES = 3
"""More bots than this are counted instead of named."""


def listed(names: Sequence[str], last: str = "and") -> str:
    """`A`, `A and B`, `A, B and C`."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def verdict(
    standings: Sequence[Standing], level: Sequence[int], names: Sequence[str], *, out: int = 0
) -> str:
    """One sentence: who leads, and who cannot be told apart from the leader.

    Args:
        standings: best first.
        level: bots that cannot be told apart from the best one.
        names: of all bots.
        out: how many bots were withdrawn and are not in the standings.
    """
    if not standings and out:
        return "No two bots were left to be compared: the others were withdrawn."
    if not standings:
        return "No two different bots have met yet, so nobody leads."
    best = standings[0]
    everyone = len(level) == len(standings) - 1
    if everyone and all(row.elo.value == best.elo.value for row in standings):
        return f"{listed([names[row.bot] for row in standings])} came out exactly even."
    leader = names[best.bot]
    if not level:
        return f"{leader} leads, surely stronger than {_rest(standings, names)}."
    if everyone and len(level) > 1:
        return f"{leader} is ahead, but not surely stronger than any other bot."
    if len(level) > MOST_NAMES:
        return f"{leader} is ahead, but cannot be told apart from {len(level)} other bots."
    return f"{leader} is ahead, but cannot be told apart from {listed([names[b] for b in level])}."


def _rest(standings: Sequence[Standing], names: Sequence[str]) -> str:
    if len(standings) == 2:
        return names[standings[1].bot]
    return "both others" if len(standings) == 3 else f"all {len(standings) - 1} others"


def seat_sentence(played: Sequence[Played], seats: Sequence[Seat], seat_elo: Span | None) -> str:
    """What sitting first is worth, or why that cannot be said."""
    if not seats:
        if any(each.match.fixed_seats for each in played):
            return (
                "All games were played with fixed seats, so the share of a seat is only the share "
                "of the bots that sat there."
            )
        return "There are no games to tell what a seat is worth."
    fair = 1 / len(seats)
    off = [seat for seat in seats if not seat.score.low <= fair <= seat.score.high]
    if not off:
        return "No seat is surely better than another: every interval holds the fair share."
    best = max(seats, key=lambda seat: seat.score.value)
    worth = ""
    if seat_elo is not None and len(seats) == 2 and best.seat == 1:
        worth = f" Moving first is worth {seat_elo.value:.0f} Elo."
    return (
        f"Seat {best.seat} is the best: it takes {best.score.value:.1%} of the points, where "
        f"{fair:.1%} would be fair.{worth} Seats are changed within every block, so no bot gains "
        "by it."
    )


def warnings(
    played: Sequence[Played],
    ratings: Ratings | None,
    names: Sequence[str],
    out: Sequence[int] = (),
) -> tuple[str, ...]:
    """What these games cannot tell, one sentence each; `out` are bots that were withdrawn."""
    found = []
    if out:
        single, many = len(out) == 1, len(out) > MOST_NAMES
        whom = f"{len(out)} bots" if many else listed([names[bot] for bot in out])
        found.append(
            f"{whom} {'was' if single else 'were'} withdrawn and cannot be rated; games with "
            f"{'it' if single else 'them'} are left out of all that is said about the others."
        )
    fixed = sum(each.match.fixed_seats for each in played)
    if fixed:
        found.append(
            f"{matches_text(fixed)} had fixed seats: the scores hold the advantage of the seat."
        )
    mirrors = sum(each.with_itself for each in played)
    if mirrors:
        found.append(
            f"{matches_text(mirrors)} had one bot at two seats: a check of the program that says "
            "nothing about strength, and is left out of the standings."
        )
    if ratings is None:
        return tuple(found)
    if ratings.left_out:
        found.append(
            f"{matches_text(ratings.left_out)} with fixed seats are left out of the ratings."
        )
    if ratings.groups > 1:
        found.append(
            f"The bots fall into {ratings.groups} groups that never met. Ratings compare only "
            "within a group."
        )
    for bound, what, side in (("above", "won", "upper"), ("below", "lost", "lower")):
        who = [names[each.bot] for each in ratings.bots if each.bound == bound]
        if who:
            found.append(
                f"{listed(who)} {what} everything there was to {'win' if what == 'won' else 'lose'}"
                f" against the others, so the rating has no {side} bound. The number shown is "
                "what one virtual draw makes of it."
            )
    if not ratings.seats_known and not fixed:
        found.append("These games do not tell what a seat is worth.")
    return tuple(found)


def forfeit_sentence(played: Sequence[Played], names: Sequence[str]) -> str:
    """Games lost by faults, and by whose; empty where there were none."""
    lost = Counter[int]()
    for each in played:
        for place, bot in enumerate(each.bots):
            lost[bot] += int(each.stats.forfeits[place])
    who = [f"{games:,} by {names[bot]}" for bot, games in lost.most_common() if games]
    if not who:
        return ""
    total = lost.total()
    return f"{total:,} game{' was' if total == 1 else 's were'} forfeited: {listed(who)}."


def matches_text(number: int) -> str:
    """`1 match`, `2 matches`."""
    return f"{number} match{'' if number == 1 else 'es'}"

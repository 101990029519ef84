"""One ruleset of a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

from arena.report.bots import Roster
from arena.report.measures import (
    DRAW,
    ELO_DIGITS,
    LOSS,
    SHARE_DIGITS,
    WIN,
    Played,
    duels_of,
    forfeits_of,
    moments_of,
    places_of,
    play_of,
    results_of,
    rounds_sentence,
    seats_of,
    span,
)
from arena.report.model import MatchLine, Rules, Section, Standing, Unrated
from arena.report.ratings import Rating, Ratings
from arena.report.withdrawals import without
from arena.report.words import seat_sentence, verdict, warnings
from arena.rules import Ruleset
from arena.stats import estimate_moments, estimate_pair_table
from arena.stats.pairs import PairEstimate
from arena.store import StoredMatch


def played_of(stored: StoredMatch, roster: Roster) -> Played:
    """A match with its bots as numbers of the roster."""
    bots = tuple(roster.index[key] for key in stored.match.bot_keys)
    return Played(match=stored.match, stats=stored.stats, bots=bots)


def section_of(
    matches: Sequence[StoredMatch],
    ratings: Ratings | None,
    roster: Roster,
    *,
    out: Sequence[int] = (),
    name_players: bool,
) -> Section:
    """Everything about the matches of one ruleset with one number of players.

    Args:
        matches: all of them.
        ratings: of their bots.
        roster: numbers the bots.
        out: bots that were withdrawn from each.
        name_players: whether the heading tells how many play.
    """
    ruleset, players = matches[0].ruleset, matches[0].match.seats
    played = [played_of(each, roster) for each in matches]
    full = without(played, out)
    standings = standings_of(full, ratings.bots if ratings else (), players, target=ruleset.target)
    seats = seats_of(full, players, ratings.seat_elos if ratings else ())
    seat_elo = ratings.seat_elo if ratings else None
    return Section(
        name=f"{ruleset.name}, {players} players" if name_players else ruleset.name,
        rules=rules_of(ruleset),
        players=players,
        games=sum(each.stats.games for each in played),
        standings=standings,
        unrated=unrated_of(played, out, players),
        duels=duels_of(played, ratings.sure if ratings else {}),
        matches=tuple(line for each in played for line in _lines(each)),
        seats=seats,
        verdict=verdict(standings, ratings.level if ratings else (), roster.names, out=len(out)),
        method=ratings.method if ratings else "",
        seat_elo=seat_elo,
        seat_note=seat_sentence(full, seats, seat_elo),
        rounds=rounds_sentence(full),
        explained=ratings.explained if ratings else "",
        surprises=ratings.surprises if ratings else (),
        rings=ratings.rings if ratings else (),
        warnings=warnings(played, ratings, roster.names, out),
    )


def standings_of(
    played: Sequence[Played], ratings: Sequence[Rating], players: int, *, target: int | None = None
) -> tuple[Standing, ...]:
    """A line for each rating, with the results of the matches; `target` where there is only one."""
    found = []
    for rating in ratings:
        where = [w for w in places_of(rating.bot, played) if not w[0].with_itself]
        counts = results_of(where)
        moments = moments_of(where, players, players)
        found.append(
            Standing(
                bot=rating.bot,
                rank_low=rating.rank_low,
                rank_high=rating.rank_high,
                elo=rating.elo,
                bound=rating.bound,
                score=span(estimate_moments(moments).score, SHARE_DIGITS),
                games=int(counts.sum()),
                wins=int(counts[WIN]),
                draws=int(counts[DRAW]),
                losses=int(counts[LOSS]),
                forfeits=forfeits_of(where),
                play=None if target is None else play_of(where, target),
            )
        )
    return tuple(found)


def unrated_of(played: Sequence[Played], bots: Sequence[int], players: int) -> tuple[Unrated, ...]:
    """A line for each of these bots that met another one."""
    found = []
    for bot in bots:
        where = [w for w in places_of(bot, played) if not w[0].with_itself]
        counts = results_of(where)
        if counts.any():
            moments = moments_of(where, players, players)
            found.append(
                Unrated(
                    bot=bot,
                    score=span(estimate_moments(moments).score, SHARE_DIGITS),
                    games=int(counts.sum()),
                    wins=int(counts[WIN]),
                    draws=int(counts[DRAW]),
                    losses=int(counts[LOSS]),
                    forfeits=forfeits_of(where),
                )
            )
    return tuple(found)


def _lines(played: Played) -> list[MatchLine]:
    match, stats = played.match, played.stats
    found = []
    for place, bot in enumerate(played.bots):
        counts = results_of([(played, place)])
        estimate = _estimate(played, place)
        found.append(
            MatchLine(
                match=match.id,
                place=place,
                bot=bot,
                others=tuple(b for p, b in enumerate(played.bots) if p != place),
                seed=match.seed,
                fixed_seats=match.fixed_seats,
                blocks=stats.blocks,
                games=stats.games,
                wins=int(counts[WIN]),
                draws=int(counts[DRAW]),
                losses=int(counts[LOSS]),
                forfeits=int(stats.forfeits[place]),
                score=span(estimate.score, SHARE_DIGITS),
                elo=span(estimate.elo, ELO_DIGITS),
                los=round(estimate.los, SHARE_DIGITS),
                saving=None if estimate.saving is None else round(estimate.saving, 2),
                status=estimate.status.value,
                digest=stats.digest,
            )
        )
    return found


def _estimate(played: Played, place: int) -> PairEstimate:
    stats = played.stats
    if stats.rotations == stats.seats == 2:
        table = stats.pair_table
        return estimate_pair_table(table if place == 0 else table.T[::-1, ::-1])
    return estimate_moments(moments_of([(played, place)], stats.seats, stats.rotations))


def rules_of(ruleset: Ruleset) -> Rules:
    """A ruleset for people, its keys as they stand in a ruleset file."""
    apart = {"name", "title", "source", "combinations", "bust_penalty"}
    settings = [(f.name, _text(getattr(ruleset, f.name))) for f in fields(ruleset)]
    penalty = ruleset.bust_penalty
    floor = "none" if penalty.floor is None else str(penalty.floor)
    charged = (
        f"after {penalty.after} in a row {penalty.points} points, "
        f"{'then the row starts anew' if penalty.resets else 'then for every further bust'}, "
        f"floor {floor}"
    )
    return Rules(
        name=ruleset.name,
        title=ruleset.title,
        source=ruleset.source.strip(),
        key=ruleset.key,
        settings=(
            *(pair for pair in settings if pair[0] not in apart),
            ("bust_penalty", charged if penalty.after else "none"),
        ),
        combinations=tuple((each.pattern, each.points) for each in ruleset.combinations),
    )


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value)

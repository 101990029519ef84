"""The numbers of a report for other programs: two CSV tables and a JSON document."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from arena.report.formats import raw
from arena.report.model import MatchLine, Play, ReportData, Section, Standing, Unrated

STANDINGS_COLUMNS = (
    "ruleset",
    "players",
    "bot",
    "bot_key",
    "rank_low",
    "rank_high",
    "elo",
    "elo_low",
    "elo_high",
    "elo_bound",
    "score",
    "score_low",
    "score_high",
    "games",
    "wins",
    "draws",
    "losses",
    "forfeits",
    "points_per_turn",
    "bust_rate",
    "turns_per_game",
    "rolls_per_turn",
    "decisions",
    "questions_per_million",
    "withdrawn",
    "any_ruleset_elo",
    "any_ruleset_low",
    "any_ruleset_high",
    "spread",
)
MATCHES_COLUMNS = (
    "ruleset",
    "players",
    "match",
    "seed",
    "fixed_seats",
    "blocks",
    "games",
    "place",
    "bot",
    "against",
    "wins",
    "draws",
    "losses",
    "forfeits",
    "score",
    "score_low",
    "score_high",
    "elo",
    "elo_low",
    "elo_high",
    "superiority",
    "saving",
    "status",
    "digest",
)
ALL_RULESETS = "all"
"""What stands in the column `ruleset` for the standings over all rulesets."""

Cell = str | int | float | bool | None


def standings_csv(report: ReportData) -> str:
    """One row for each bot and ruleset, and for each bot over all where there are several."""
    rows: list[list[Cell]] = []
    if report.overall:
        found = report.overall
        players = report.sections[0].players
        for row, any_ruleset, spread in zip(
            found.standings, found.beyond, found.spread, strict=True
        ):
            beyond = [any_ruleset.value, any_ruleset.low, any_ruleset.high, spread.value]
            rows.append([*_standing(row, ALL_RULESETS, players, report), *beyond])
        rows += [_unrated(row, ALL_RULESETS, players, report) for row in found.unrated]
    for section in report.sections:
        name, players = section.rules.name, section.players
        rows += [
            [*_standing(row, name, players, report), None, None, None, None]
            for row in section.standings
        ]
        rows += [_unrated(row, name, players, report) for row in section.unrated]
    return _csv(STANDINGS_COLUMNS, rows)


def matches_csv(report: ReportData) -> str:
    """One row for each match and bot in it."""
    rows = [_match(line, s, report) for s in report.sections for line in s.matches]
    return _csv(MATCHES_COLUMNS, rows)


def report_json(report: ReportData) -> str:
    """The whole report as one document; bots are named by their place in `bots`, from 0."""
    return json.dumps(asdict(report), indent=1, ensure_ascii=True, allow_nan=False) + "\n"


def _standing(row: Standing, ruleset: str, players: int, report: ReportData) -> list[Cell]:
    bot = report.bots[row.bot]
    return [
        ruleset,
        players,
        bot.name,
        bot.key,
        row.rank_low,
        row.rank_high,
        row.elo.value,
        row.elo.low,
        row.elo.high,
        row.bound,
        row.score.value,
        row.score.low,
        row.score.high,
        row.games,
        row.wins,
        row.draws,
        row.losses,
        row.forfeits,
        *_style(row.play),
        row.withdrawn,
    ]


def _unrated(row: Unrated, ruleset: str, players: int, report: ReportData) -> list[Cell]:
    bot = report.bots[row.bot]
    cells: dict[str, Cell] = {
        "ruleset": ruleset,
        "players": players,
        "bot": bot.name,
        "key": bot.key,
        "bound": "unrated",
        "score": row.score.value,
        "score_low": row.score.low,
        "score_high": row.score.high,
        "games": row.games,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "forfeits": row.forfeits,
        "withdrawn": True,
    }
    return [cells.get(name) for name in STANDINGS_COLUMNS]


def _style(play: Play | None) -> list[Cell]:
    if play is None:
        return [None] * 6
    return [
        play.points_per_turn,
        play.bust_rate,
        play.turns_per_game,
        play.rolls_per_turn,
        play.decisions,
        play.questions_per_million,
    ]


def _match(line: MatchLine, section: Section, report: ReportData) -> list[Cell]:
    return [
        section.rules.name,
        section.players,
        line.match,
        line.seed,
        line.fixed_seats,
        line.blocks,
        line.games,
        line.place,
        report.bots[line.bot].name,
        "; ".join(report.bots[other].name for other in line.others),
        line.wins,
        line.draws,
        line.losses,
        line.forfeits,
        line.score.value,
        line.score.low,
        line.score.high,
        line.elo.value,
        line.elo.low,
        line.elo.high,
        line.los,
        line.saving,
        line.status,
        line.digest,
    ]


def _csv(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: Cell) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or isinstance(value, int | float):
        return raw(value)
    text = value.encode("utf-8", "backslashreplace").decode()
    # A spreadsheet would run a text that begins like a formula; the apostrophe makes it a text.
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text

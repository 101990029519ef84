"""The standings of a report as plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from arena.cli.output import count, elo_text, percent, rank_text, text_table

if TYPE_CHECKING:
    from arena.report import ReportData
    from arena.report.model import Standing, Unrated


def print_standings(report: ReportData) -> None:
    """One table for each ruleset, and one over all where there are several."""
    names = [bot.label for bot in report.bots]
    for section in report.sections:
        click.echo(f"\n{section.name}: {count(section.games)} games")
        click.echo(_table(section.standings, section.unrated, names))
        click.echo(section.verdict)
        for warning in section.warnings:
            click.echo(warning)
    if report.overall is not None:
        click.echo("\nover all rulesets")
        click.echo(_table(report.overall.standings, report.overall.unrated, names))
        click.echo(report.overall.verdict)
    for course in report.courses:
        click.echo(f"\n{course.title}")
        for line in course.lines:
            click.echo(f"  {line}")
    forfeits = sum(line.forfeits for section in report.sections for line in section.matches)
    if forfeits:
        click.echo(
            f"\n{count(forfeits)} games were forfeited by faults of bots; the report shows them."
        )


def _table(standings: tuple[Standing, ...], unrated: tuple[Unrated, ...], names: list[str]) -> str:
    rows = []
    for row in standings:
        rows.append(
            [
                rank_text(row.rank_low, row.rank_high),
                names[row.bot],
                elo_text(row.elo.value)
                + {"above": " or more", "below": " or less"}.get(row.bound, ""),
                f"{elo_text(row.elo.low)} to {elo_text(row.elo.high)}",
                percent(row.score.value),
                count(row.games),
            ]
        )
    for out in unrated:
        score, games = percent(out.score.value), count(out.games)
        rows.append(["-", names[out.bot], "withdrawn", "", score, games])
    return text_table(["rank", "bot", "Elo", "95 % interval", "score", "games"], rows)

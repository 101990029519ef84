"""Bots that were withdrawn, and the marks that a report makes of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from arena.records import FaultKind
from arena.report.measures import Played
from arena.report.model import Overall, ReportData, Section, Standing
from arena.store import StoredMatch

WORDS = "the bot was withdrawn in this match"


def withdrawals(matches: Sequence[StoredMatch]) -> dict[str, Mapping[str, str]]:
    """Why each withdrawn bot was withdrawn: by its key, then by the matches it happened in."""
    found: dict[str, dict[str, str]] = {}
    for each in matches:
        for fault in each.faults:
            if fault.kind is FaultKind.WITHDRAWN and fault.bot in each.match.bots:
                key = each.match.bot_keys[each.match.bots.index(fault.bot)]
                found.setdefault(key, {}).setdefault(each.match.id, fault.message)
    return dict(found)


def withdrawn_everywhere(
    played: Sequence[Played], keys: Sequence[str], withdrawn: Mapping[str, Mapping[str, str]]
) -> tuple[int, ...]:
    """Bots that were withdrawn from all of these matches.

    Args:
        played: the matches.
        keys: of the bots, by number.
        withdrawn: see `withdrawals`.
    """
    matches: dict[int, list[str]] = {}
    for each in played:
        for bot in each.bots:
            matches.setdefault(bot, []).append(each.match.id)
    return tuple(
        bot
        for bot, ids in matches.items()
        if all(each in withdrawn.get(keys[bot], {}) for each in ids)
    )


def without(played: Sequence[Played], out: Collection[int]) -> list[Played]:
    """The matches without those in which one of these bots sat.

    They say nothing about the others, of whom everything is then as if it had not been there.
    """
    return [each for each in played if not set(each.bots).intersection(out)]


def marked(report: ReportData, withdrawn: Mapping[str, Mapping[str, str]]) -> ReportData:
    """The report with its withdrawn bots and their matches marked."""
    if not withdrawn:
        return report
    pages = tuple(
        replace(page, withdrawn=next(iter(withdrawn.get(page.key, {}).values()), page.withdrawn))
        for page in report.bots
    )
    out = {i for i, page in enumerate(pages) if page.key in withdrawn}
    ids = {i: withdrawn[pages[i].key] for i in out}
    return replace(
        report,
        bots=pages,
        sections=tuple(_section(section, ids) for section in report.sections),
        overall=_overall(report.overall, out),
    )


def _section(section: Section, ids: Mapping[int, Mapping[str, str]]) -> Section:
    here = {line.bot for line in section.matches if line.match in ids.get(line.bot, {})}
    lines = tuple(
        replace(line, status=WORDS if line.status == "ok" else f"{line.status}; {WORDS}")
        if line.match in ids.get(line.bot, {})
        else line
        for line in section.matches
    )
    return replace(section, standings=_rows(section.standings, here), matches=lines)


def _overall(overall: Overall | None, out: set[int]) -> Overall | None:
    return None if overall is None else replace(overall, standings=_rows(overall.standings, out))


def _rows(rows: tuple[Standing, ...], out: set[int]) -> tuple[Standing, ...]:
    return tuple(replace(row, withdrawn=row.bot in out) for row in rows)

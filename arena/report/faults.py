"""The faults of a report: those that are alike are told once, with their number."""

from __future__ import annotations

from collections.abc import Sequence

from arena.records import Fault
from arena.report.bots import Roster
from arena.report.model import FaultGroup
from arena.store import StoredMatch

_Alike = tuple[str, str, str, str]


def fault_groups(matches: Sequence[StoredMatch], roster: Roster) -> tuple[FaultGroup, ...]:
    """Faults by bot, kind, message and traceback; most forfeits first."""
    groups: dict[_Alike, list[tuple[StoredMatch, Fault]]] = {}
    for each in matches:
        for fault in each.faults:
            name = _name(each, fault, roster)
            alike = (name, fault.kind.value, fault.message, fault.traceback)
            groups.setdefault(alike, []).append((each, fault))
    found = [_group(alike, group) for alike, group in groups.items()]
    return tuple(sorted(found, key=lambda group: (-group.forfeits, -group.count, group.bot)))


def _group(alike: _Alike, group: Sequence[tuple[StoredMatch, Fault]]) -> FaultGroup:
    name, kind, message, traceback = alike
    match, first = group[0]
    return FaultGroup(
        bot=name,
        kind=kind,
        message=message,
        traceback=traceback,
        output=first.output,
        position=first.position,
        where=_where(match, first),
        replay=match.match.replay_command(first.block, first.rotation) if first.block >= 0 else "",
        count=len(group),
        forfeits=sum(fault.forfeits for _, fault in group),
    )


def _name(match: StoredMatch, fault: Fault, roster: Roster) -> str:
    """The name under which the report shows the bot."""
    if fault.bot in match.match.bots:
        key = match.match.bot_keys[match.match.bots.index(fault.bot)]
        return roster.names[roster.index[key]]
    return fault.bot


def _where(match: StoredMatch, fault: Fault) -> str:
    table = " against ".join(match.match.bots)
    if fault.block < 0:
        return f"{match.match.rules}, {table}, before a game"
    return (
        f"{match.match.rules}, {table}, block {fault.block}, game {fault.rotation + 1} of "
        f"{match.match.rotations}"
    )

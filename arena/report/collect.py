"""From a result file to `ReportData`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from arena.errors import ReportError
from arena.report.bots import roster_of
from arena.report.faults import fault_groups
from arena.report.model import Course, Overall, ReportData, Run, Section
from arena.report.overall import overall_of
from arena.report.ratings import rate
from arena.report.sections import played_of, section_of
from arena.report.withdrawals import marked, withdrawals, withdrawn_everywhere, without
from arena.report.words import forfeit_sentence, matches_text
from arena.store import Store, StoredBot, StoredMatch, StoredRun


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What a result file holds, as far as a report needs it.

    Attributes:
        name: of the result file, for people.
        matches: all that were begun.
        bots: by key.
        runs: oldest first.
    """

    name: str
    matches: Sequence[StoredMatch]
    bots: Mapping[str, StoredBot]
    runs: Sequence[StoredRun]


def read_store(store: Store) -> Stored:
    """All that the report needs, read at once.

    Raises:
        StoreError: the file cannot be read.
    """
    return Stored(
        name=str(store.path),
        matches=tuple(store.matches()),
        bots=store.bots(),
        runs=store.runs(),
    )


def _under_same_limits(matches: list[StoredMatch], runs: Sequence[StoredRun]) -> list[StoredMatch]:
    """The matches under the limits of the newest run; under others they were played as well."""
    asked = set(runs[-1].matches) if runs else set()
    limits = {each.match.limits for each in matches if each.match.id in asked}
    return [each for each in matches if each.match.limits in limits] if limits else matches


def report_data(stored: Stored, *, title: str = "") -> ReportData:
    """The whole report as values.

    Args:
        stored: what was played.
        title: heading; by default that of the newest tournament.

    Raises:
        ReportError: nothing was played.
    """
    current = [each for each in stored.matches if each.stats.blocks]
    if not current:
        raise ReportError(
            f"{stored.name}: there are no finished games to report; play some first, for example "
            "with `arena run configs/quick.toml`"
        )
    newest = max(each.match.engine for each in current)
    kept = [each for each in current if each.match.engine == newest]
    kept = _under_same_limits(kept, stored.runs)
    roster = roster_of(kept, stored.bots, stored.runs[-1].matches if stored.runs else ())
    groups = _grouped(kept)
    rules_keys = Counter(group[0].match.rules_key for group in groups)
    played = [[played_of(each, roster) for each in group] for group in groups]
    withdrawn = withdrawals(kept)
    keys = [page.key for page in roster.pages]
    out = [withdrawn_everywhere(each, keys, withdrawn) for each in played]
    full = [without(each, gone) for each, gone in zip(played, out, strict=True)]
    ratings = [rate(each, group[0].match.seats) for each, group in zip(full, groups, strict=True)]
    sections = tuple(
        section_of(
            group, found, roster, out=gone, name_players=rules_keys[group[0].match.rules_key] > 1
        )
        for group, found, gone in zip(groups, ratings, out, strict=True)
    )
    every = [match for each in played for match in each]
    overall = overall_of(sections, ratings, every, [p for each in full for p in each], roster.names)
    report = ReportData(
        title=title or _title(stored.runs),
        made=_made(stored.runs),
        bots=roster.pages,
        order=_order(sections, overall, len(roster.pages)),
        sections=sections,
        overall=overall,
        faults=fault_groups(kept, roster),
        forfeits=forfeit_sentence(every, roster.names),
        runs=tuple(_run(each) for each in stored.runs),
        settings=_settings(stored, kept, left_out=len(current) - len(kept)),
        courses=_courses(stored.runs),
    )
    return marked(report, withdrawn)


def _grouped(matches: Sequence[StoredMatch]) -> list[list[StoredMatch]]:
    """Matches by ruleset and number of players, in the order in which they were scheduled."""
    groups: dict[tuple[str, int], list[StoredMatch]] = {}
    for each in matches:
        groups.setdefault((each.match.rules_key, each.match.seats), []).append(each)
    return list(groups.values())


def _order(sections: Sequence[Section], overall: Overall | None, bots: int) -> tuple[int, ...]:
    """Bots as in the overall standings, or as in the first section that they are in."""
    parts: Sequence[Section | Overall] = [overall] if overall else sections
    rows = [row.bot for part in parts for row in part.standings]
    unrated = [row.bot for part in parts for row in part.unrated]
    last = [bot for bot in range(bots) if bot not in unrated]
    return tuple(dict.fromkeys([*rows, *last, *unrated]))


def _title(runs: Sequence[StoredRun]) -> str:
    """The title of the newest tournament, or the name of its file."""
    title = dict(runs[-1].info.settings).get("title", "") if runs else ""
    if title:
        return title
    if not runs or not runs[-1].info.config_path:
        return "Tournament"
    return PurePath(runs[-1].info.config_path).stem.replace("_", " ").capitalize()


def _made(runs: Sequence[StoredRun]) -> str:
    return max((each.finished or each.info.started for each in runs), default="")


def _courses(runs: Sequence[StoredRun]) -> tuple[Course, ...]:
    finished = [run for run in runs if run.finished]
    told = finished[-1].courses if finished else ()
    return tuple(Course(title=each.title, lines=each.lines) for each in told)


def _run(run: StoredRun) -> Run:
    info = run.info
    facts = (
        ("started", _moment(info.started)),
        ("finished", _moment(run.finished) or "not yet, or stopped before its end"),
        ("matches", f"{len(run.matches):,}".replace(",", "\u2009")),
        ("configuration file", info.config_path or "none"),
        ("version of arena", info.version),
        ("Python", info.python),
        ("platform", info.platform),
        ("cores", str(info.cpus)),
        ("workers", str(info.workers)),
    )
    return Run(
        command=info.command,
        facts=facts,
        settings=info.settings,
        config=info.config,
    )


def _moment(iso: str) -> str:
    """`2026-01-02 03:04:05+00:00`."""
    return iso.replace("T", " ", 1)


def _settings(
    stored: Stored, matches: Sequence[StoredMatch], *, left_out: int
) -> tuple[tuple[str, str], ...]:
    """What holds for all games."""
    seeds = sorted({each.match.seed for each in matches})
    engines = str(matches[0].match.engine)
    if left_out:
        engines += f" ({matches_text(left_out)} of older engine versions left out)"
    return (
        ("result file", stored.name),
        ("seeds", ", ".join(map(str, seeds))),
        ("engine version", engines),
        ("time of all workers", f"{sum(each.seconds for each in matches):.0f} s"),
    )

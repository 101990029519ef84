"""The place of a bot in a league, as a document and as text."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.bots.spec import BotSpec
from arena.cli.output import elo_text, percent, rank_text
from arena.cli.run import PAGE

if TYPE_CHECKING:
    from arena.report import ReportData
    from arena.report.model import Section, Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class _Score:
    """The score against another bot, with its interval."""

    other: int
    value: float
    low: float
    high: float


def place_document(report: ReportData, spec: BotSpec, folder: Path) -> dict[str, Any]:
    """The place of a bot on every ruleset; its own earlier versions are told apart.

    Args:
        report: of the league.
        spec: the bot, which has played.
        folder: of the report.
    """
    bot = next(i for i, page in enumerate(report.bots) if page.key == spec.key)
    earlier = {
        i
        for i, page in enumerate(report.bots)
        if page.earlier and page.name.rpartition(" [")[0] == spec.name
    }
    names = [page.name for page in report.bots]
    places = []
    for section in report.sections:
        rows = {row.bot: row for row in section.standings}
        if bot in rows:
            scores = list(_scores(bot, section))
            place = {
                "rules": section.name,
                "bots": len(rows),
                **_row(rows[bot]),
                **_duels([each for each in scores if each.other not in earlier], names),
                "earlier": [
                    {
                        "bot": names[row.bot],
                        **_row(row),
                        "new_against_it": next(
                            (each.value for each in scores if each.other == row.bot), None
                        ),
                    }
                    for row in section.standings
                    if row.bot in earlier
                ],
            }
            places.append(place)
        elif any(row.bot == bot for row in section.unrated):
            places.append({"rules": section.name, "withdrawn": report.bots[bot].withdrawn})
    return {
        "bot": names[bot],
        "source_hash": spec.source_hash,
        "places": places,
        "report": str(folder / PAGE),
    }


def place_text(title: str, place: dict[str, Any]) -> str:
    """What `place_document` gave, for people, as wide as the terminal."""
    lines = ["", f"{place['bot']} in {title}"]
    for row in place["places"]:
        if "withdrawn" in row:
            lines.append(f"  {row['rules']}: no place; {row['withdrawn']}")
            continue
        lines.append(
            f"  {row['rules']}: place {_rank(row)} of {row['bots']}, Elo {elo_text(row['elo'])} "
            f"({elo_text(row['elo_low'])} to {elo_text(row['elo_high'])})"
        )
        for old in row["earlier"]:
            met = old["new_against_it"]
            duel = "" if met is None else f"; new against old: {percent(met)}"
            lines.append(
                f"    your earlier version {old['bot']}: place {_rank(old)}, "
                f"Elo {elo_text(old['elo'])}{duel}"
            )
        for verb in ("beat", "lost_to"):
            told = [f"{each['bot']} {percent(each['score'], 0)}" for each in row[verb]]
            lines += _listed(verb.replace("_", " "), told)
        lines += _listed("too close to call", row["open"])
    return "\n".join([*lines, "", f"Report: {place['report']}"])


def _listed(what: str, told: list[str]) -> list[str]:
    """Lines of a list; what belongs together is not torn apart."""
    if not told:
        return []
    glued = ", ".join(each.replace(" ", "\xa0") for each in told)
    lines = textwrap.wrap(
        f"{what}: {glued}",
        width=max(shutil.get_terminal_size().columns, 40),
        initial_indent="    ",
        subsequent_indent="      ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace("\xa0", " ") for line in lines]


def _rank(row: dict[str, Any]) -> str:
    return rank_text(row["rank_low"], row["rank_high"]).replace("-", " to ")


def _row(row: Standing) -> dict[str, Any]:
    return {
        "rank_low": row.rank_low,
        "rank_high": row.rank_high,
        "elo": row.elo.value,
        "elo_low": row.elo.low,
        "elo_high": row.elo.high,
        "games": row.games,
        "forfeits": row.forfeits,
    }


def _scores(bot: int, section: Section) -> Iterator[_Score]:
    """The scores against the others, the strongest first."""
    found: dict[int, _Score] = {}
    for duel in section.duels:
        value, low, high = duel.score.value, duel.score.low, duel.score.high
        if duel.bot == bot:
            score = _Score(other=duel.other, value=value, low=low, high=high)
        elif duel.other == bot:
            score = _Score(other=duel.bot, value=1 - value, low=1 - high, high=1 - low)
        else:
            continue
        found.setdefault(score.other, score)
    for row in section.standings:
        if row.bot in found:
            yield found[row.bot]


def _duels(scores: list[_Score], names: list[str]) -> dict[str, Any]:
    """Whom it beat, to whom it lost, and where that is not sure."""

    def told(each: _Score) -> dict[str, Any]:
        return {"bot": names[each.other], "score": each.value}

    return {
        "beat": [told(each) for each in scores if each.low > 0.5],
        "lost_to": [told(each) for each in scores if each.high < 0.5],
        "open": [names[each.other] for each in scores if each.low <= 0.5 <= each.high],
    }

"""`arena report --blunders`: the pages of blunders that a report links."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from arena.bots.isolation import Isolation
from arena.bots.spec import BotSpec
from arena.cli.blunders import blunder_page
from arena.cli.computing import computed_specs, is_perfect, share_bar
from arena.cli.output import note
from arena.errors import ArenaError
from arena.report.blunder_links import page_name
from arena.rules import Ruleset
from arena.store import Store

if TYPE_CHECKING:
    from arena.report import ReportData
    from arena.report.blunder_page import BlunderPage

MOST = 100
"""Blunders on a page."""


def write_blunder_pages(
    report: ReportData,
    store: Store,
    folder: Path,
    *,
    workers: int,
    isolation: Isolation,
    quiet: bool,
) -> None:
    """Compute the blunders of all bots that can be computed, as pages beside the report.

    A page that is there stays: its name tells ruleset and bot by content. What cannot be computed
    is told and left out.

    Args:
        report: says which bots stand where.
        store: has the bots and the rulesets.
        folder: of the report.
        workers: threads that compute.
        isolation: under which the bots are asked.
        quiet: show no progress.
    """
    from arena.report.blunder_page import write_blunders
    from arena.solver.solved import is_solved

    wanted = list(_to_compute(report, store, folder))
    unsolved = {each.name for each in {rules for rules, _ in wanted} if not is_solved(each)}
    wanted = [(rules, spec) for rules, spec in wanted if rules.name not in unsolved]
    if wanted and not quiet:
        note(
            f"{len(wanted)} pages of blunders are to be computed, which takes up to some minutes "
            "each; those that are finished stay when you stop"
        )
    for number, (ruleset, spec) in enumerate(wanted, start=1):
        if not quiet:
            note(f"{number} of {len(wanted)}: blunders of {spec.name} in {ruleset.name}")
        try:
            page = _computed(spec, ruleset, workers=workers, isolation=isolation, quiet=quiet)
        except ArenaError as error:
            first = str(error).partition("\n")[0]
            note(f"no blunders of {spec.name} in {ruleset.name}: {first}")
            continue
        write_blunders(page, folder / page_name(ruleset.key, spec.key))
    for name in sorted(unsolved):
        note(f"no blunders in {name}: it is not solved yet; run: arena solve '{name}'")


def _to_compute(
    report: ReportData, store: Store, folder: Path
) -> Iterator[tuple[Ruleset, BotSpec]]:
    """Bots of games of two that have no page yet, but perfect play, ruleset by ruleset."""
    rulesets = {each.ruleset.key: each.ruleset for each in store.matches()}
    bots = store.bots()
    for section in report.sections:
        if section.players != 2:
            continue
        for row in section.standings:
            key = report.bots[row.bot].key
            there = (folder / page_name(section.rules.key, key)).exists()
            if not there and not is_perfect(bots[key].spec):
                yield rulesets[section.rules.key], bots[key].spec


def _computed(
    spec: BotSpec, ruleset: Ruleset, *, workers: int, isolation: Isolation, quiet: bool
) -> BlunderPage:
    from arena.solver.blunders import find_blunders
    from arena.solver.distributions import BotTurns
    from arena.solver.size import exact_size

    exact_size(ruleset)  # refuses what is too large before the bot is started
    with (
        computed_specs([spec], ruleset, isolation=isolation) as [turns],
        share_bar("turns judged", quiet) as tick,
    ):
        assert isinstance(turns, BotTurns)  # perfect play is not asked for
        found = find_blunders(ruleset, turns, None, most=MOST, workers=workers, tick=tick)
    return blunder_page(ruleset, spec.name, None, found, report="../index.html")

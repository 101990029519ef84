"""Bots that are computed instead of played, for the commands that do so."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tqdm import tqdm

from arena.bots.isolation import Isolation
from arena.bots.isolation_hosts import Hosts
from arena.bots.loader import find_bots, resolve
from arena.bots.places import is_shipped
from arena.bots.spec import BotSpec
from arena.cli.told_faults import fault_text
from arena.errors import BotError
from arena.records import Fault, FaultKind
from arena.rules import Ruleset, RuleTables, rule_tables

if TYPE_CHECKING:
    from arena.bots.asking import LocalAsker
    from arena.bots.asking_together import AskedTogether
    from arena.solver.distributions import Turns


PROCESSES: Final = 2
"""Of each bot, which answers thousands of questions at once."""


@contextmanager
def computed_bots(
    names: Sequence[str], rules: Ruleset, *, sources: Sequence[Path], isolation: Isolation
) -> Iterator[list[Turns]]:
    """The bots' turns, as far as they will be asked for; their processes end afterwards.

    Raises:
        BotError: there is no such bot, or it cannot be computed.
        UnsolvedError: a perfect bot on a ruleset that was not solved.
    """
    index = find_bots(sources, isolation=isolation)
    specs = [resolve(name, index) for name in names]
    with computed_specs(specs, rules, isolation=isolation) as bots:
        yield bots


@contextmanager
def computed_specs(
    specs: Sequence[BotSpec], rules: Ruleset, *, isolation: Isolation
) -> Iterator[list[Turns]]:
    """The same for bots that were found before.

    Raises:
        BotError: one cannot be computed, or its file has changed.
        UnsolvedError: a perfect bot on a ruleset that was not solved.
    """
    from arena.solver.distributions import BotTurns
    from arena.solver.solved_turns import SolvedTurns

    hosts = [Hosts(isolation) for _ in range(PROCESSES)]
    made: dict[str, Turns] = {}
    tables = rule_tables(rules)
    try:
        for spec in specs:
            if spec.remembers:
                raise BotError(
                    f"{spec.name} cannot be computed: it keeps notes during a game; simulate it "
                    "with `arena match`"
                )
            if spec.key in made:
                continue
            if is_perfect(spec):
                made[spec.key] = SolvedTurns(rules)
            else:
                asker = _asker(spec, hosts, tables)
                explain = partial(_fault_text, spec.name, asker)
                made[spec.key] = BotTurns(tables, asker, spec.name, explain)
        yield [made[spec.key] for spec in specs]
    finally:
        for each in hosts:
            each.close()


def _asker(spec: BotSpec, hosts: Sequence[Hosts], tables: RuleTables) -> LocalAsker | AskedTogether:
    """The bot in as many processes, or in this one where it is trusted."""
    from arena.bots.asking import LocalAsker
    from arena.bots.asking_together import AskedTogether

    askers = []
    for each in hosts:
        asker = each.asker(spec, tables, 2)
        if isinstance(asker, LocalAsker):
            return asker
        askers.append(asker)
    return AskedTogether(askers)


def _fault_text(name: str, asker: LocalAsker | AskedTogether, question: int) -> str:
    """What a bot did wrong at a question of the last batch; empty if that is not known."""
    fault = asker.fault_at(question)
    if fault is None:
        return ""
    return fault_text(
        Fault(
            bot=name,
            kind=FaultKind(fault.kind),
            message=fault.message,
            traceback=fault.traceback,
            output=fault.output,
            position=fault.position,
        )
    )


def is_perfect(spec: BotSpec) -> bool:
    """Whether it is the bot that plays solved rulesets; its turns are known without asking it."""
    return spec.class_name == "Perfect" and is_shipped(Path(spec.path))


@contextmanager
def share_bar(what: str, quiet: bool) -> Iterator[Callable[[float], None]]:
    """A progress bar for a share from 0 to 1."""
    hidden = quiet or not sys.stderr.isatty()
    form = "{l_bar}{bar}| {elapsed}<{remaining}"
    with tqdm(total=1.0, desc=what, bar_format=form, disable=hidden, leave=False) as bar:

        def tick(share: float) -> None:
            bar.n = min(share, 1.0)
            bar.refresh()

        yield tick

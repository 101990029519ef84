"""Before the first game: what the bot `perfect` needs is there, or is computed, or is asked for."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress

import click

from arena.bots.spec import BotSpec
from arena.cli.computing import is_perfect
from arena.cli.output import note
from arena.cli.solve import solve_shown, write_shown
from arena.errors import UsageError
from arena.rules import Ruleset


def prepare_perfect(
    specs: Iterable[BotSpec],
    rulesets: Sequence[Ruleset],
    *,
    seats: int,
    workers: int,
    quiet: bool,
    solve: bool,
) -> None:
    """See to it that `perfect` can play, if it is among the bots.

    Where a ruleset is not solved, it is solved if that is wished; a person at a terminal is asked.

    Args:
        specs: all bots that will play.
        rulesets: on which.
        seats: players in a game.
        workers: threads that may compute.
        quiet: show no progress, and ask nothing.
        solve: whether to solve without asking.

    Raises:
        UsageError: it cannot play; says why, and what to do.
    """
    if not any(map(is_perfect, specs)):
        return
    if seats != 2:
        raise UsageError(
            f"perfect plays games of two only, and this is one of {seats}: perfect play of more "
            "cannot be computed; leave perfect out"
        )
    need_solved(rulesets, "perfect", workers=workers, quiet=quiet, solve=solve)
    for rules in rulesets:
        write_shown(rules, quiet=quiet)


def need_solved(
    rulesets: Sequence[Ruleset], who: str, *, workers: int, quiet: bool, solve: bool
) -> None:
    """See to it that rulesets are solved; the arguments as above.

    Args:
        who: needs it, for the message.

    Raises:
        UsageError: one is not solved and shall not be, or cannot be.
    """
    from arena.solver.solved import is_solved

    missing = [rules for rules in rulesets if not is_solved(rules)]
    if missing and not solve:
        _ask(missing, who, quiet)
    for rules in missing:
        solve_shown(rules, workers=workers, quiet=quiet)


def _ask(missing: Sequence[Ruleset], who: str, quiet: bool) -> None:
    """Ask whether the rulesets may be solved now.

    Raises:
        UsageError: nobody can be asked, or the answer is no, or one of them cannot be solved.
    """
    from arena.solver.size import solve_size

    sizes = [f"{rules.name}: {solve_size(rules)}" for rules in missing]
    commands = "; ".join(f"arena solve '{rules.name}'" for rules in missing)
    what = f"{who} needs perfect play to be computed first ({'; '.join(sizes)})"
    if not quiet and sys.stdin.isatty() and sys.stderr.isatty():
        note(f"{what}.")
        with suppress(click.Abort):
            if click.confirm("Compute it now?", default=True, err=True):
                return
    raise UsageError(f"{what}; run: {commands}; or give --solve to do so at once")

"""Before the first game: bots play with so many, and what they need is there or is computed."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress

import click

from arena.bots.spec import BotSpec, seats_text
from arena.cli.output import note
from arena.cli.solve import solve_shown, write_shown
from arena.errors import UsageError
from arena.rules import Ruleset


def refuse_seats(specs: Iterable[BotSpec], seats: int) -> None:
    """See to it that all bots play games of so many.

    Raises:
        UsageError: some do not; names all of them.
    """
    wrong = {spec.name: spec.seats for spec in specs if not spec.plays(seats)}
    if wrong:
        lines = [f"{name} plays games of {seats_text(known)} only" for name, known in wrong.items()]
        raise UsageError(
            f"{'; '.join(lines)}, and this is one of {seats}; leave "
            f"{'it' if len(wrong) == 1 else 'them'} out"
        )


def prepare_bots(
    specs: Iterable[BotSpec],
    rulesets: Sequence[Ruleset],
    *,
    seats: int,
    workers: int,
    quiet: bool,
    solve: bool,
) -> None:
    """See to it that all bots can play, those too that play solved rulesets only.

    Where a ruleset is not solved, it is solved if that is wished; a person at a terminal is asked.

    Args:
        specs: all bots that will play.
        rulesets: on which.
        seats: players in a game.
        workers: threads that may compute.
        quiet: show no progress, and ask nothing.
        solve: whether to solve without asking.

    Raises:
        UsageError: one cannot play; says why, and what to do.
    """
    specs = tuple(specs)
    refuse_seats(specs, seats)
    who = list(dict.fromkeys(spec.name for spec in specs if spec.solved_only))
    if not who:
        return
    need_solved(rulesets, " and ".join(who), workers=workers, quiet=quiet, solve=solve)
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
    need = "need" if " and " in who else "needs"
    what = f"{who} {need} perfect play to be computed first ({'; '.join(sizes)})"
    if not quiet and sys.stdin.isatty() and sys.stderr.isatty():
        note(f"{what}.")
        with suppress(click.Abort):
            if click.confirm("Compute it now?", default=True, err=True):
                return
    raise UsageError(f"{what}; run: {commands}; or give --solve to do so at once")

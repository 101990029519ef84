"""`arena solve`: compute perfect play of a ruleset."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click
from tqdm import tqdm

from arena.cli.options import json_option, quiet_option, worker_count, workers_option
from arena.cli.output import note, print_json
from arena.rules import Ruleset, load_ruleset
from arena.rules.places import rules_folders

if TYPE_CHECKING:
    from arena.solver.solving import DuelValues, TurnValues


@click.command()
@click.argument("rules", metavar="RULES")
@click.option("--turn", "only_turn", is_flag=True, help="Only the turn, not the game of two.")
@click.option("--anew", is_flag=True, help="Compute it again even if it is known.")
@workers_option()
@quiet_option()
@json_option()
def command(
    rules: str, only_turn: bool, anew: bool, workers: int, quiet: bool, as_json: bool
) -> None:
    """Compute perfect play of a ruleset.

    \b
    arena solve tienduizend
    arena solve facebook --turn
    arena solve zilch:bust_penalty.floor=-2500

    Prints the most points that a turn can bring, the fewest turns to the target, and how often the
    first of two perfect players wins. The bot `perfect` plays what was computed; it is kept in the
    user's cache folder. An interrupted solve goes on where it was.
    """
    from arena.solver.solving import turn_values

    ruleset = load_ruleset(rules, rules_folders())
    turn = turn_values(ruleset)
    duel = None if only_turn else solve_shown(ruleset, workers=workers, quiet=quiet, anew=anew)
    if as_json:
        print_json(
            {
                "rules": ruleset.name,
                "points_per_turn": turn.points,
                "points_per_turn_unopened": turn.points_unopened,
                "expected_turns": turn.turns,
                "first_player_wins": None if duel is None else duel.first_wins,
                "residual": None if duel is None else duel.residual,
            }
        )
    else:
        click.echo(_text(ruleset, turn, duel))


def solve_shown(
    rules: Ruleset, *, workers: int, quiet: bool, anew: bool = False
) -> DuelValues | None:
    """Solve a ruleset for two with a progress bar; None, with a note, if it cannot be solved."""
    from arena.solver.size import UnsolvableError, solve_size
    from arena.solver.solving import solve_duel
    from arena.solver.solving_lock import solving_alone

    try:
        size = solve_size(rules)
    except UnsolvableError as error:
        note(str(error))
        return None
    note(f"{rules.name}: {size}")

    def waits(who: str) -> None:
        note(f"{rules.name}: {who} is solving it; this one waits, to take what it finds.")

    try:
        with solving_alone(rules, waits):
            with _bar(size.pairs, quiet) as tick:
                found = solve_duel(rules, workers=worker_count(workers), tick=tick, anew=anew)
            if found.not_kept:
                note(found.not_kept)
                return found
            write_shown(rules, quiet=quiet, anew=anew or not found.known)
    except KeyboardInterrupt:
        note(f"Stopped; arena solve '{rules.name}' goes on where it was.")
        raise click.exceptions.Exit(130) from None
    return found


def write_shown(rules: Ruleset, *, quiet: bool, anew: bool = False) -> None:
    """Write the decisions of a solved ruleset down, for `perfect`, with a progress bar."""
    from arena.solver.cache import has_policy, load_solved

    if has_policy(rules) and not anew:
        return
    stored = load_solved(rules)
    if stored is None:
        return
    from arena.solver.policy_making import policy_size, write_policy

    size = policy_size(rules, stored)
    if not size:
        note(f"{rules.name}: too large for all decisions to be written down; perfect plays slowly.")
        return
    note(f"{rules.name}: the decisions in {size:,} situations are written down, once")
    with _bar(size, quiet, what="decisions", unit=" situations") as tick:
        write_policy(rules, tick=tick, anew=anew)


@contextmanager
def _bar(
    pairs: int, quiet: bool, *, what: str = "", unit: str = " pairs"
) -> Iterator[Callable[[int], None]]:
    """A bar that begins anew when all pairs are done, as penalties make it happen."""
    hidden = quiet or not sys.stderr.isatty()
    with tqdm(
        total=pairs, desc=what, unit=unit, unit_scale=True, disable=hidden, leave=False
    ) as bar:

        def tick(more: int) -> None:
            if bar.n >= pairs:
                bar.reset(pairs)
                bar.set_description("once more")
            bar.update(more)

        yield tick


def _text(rules: Ruleset, turn: TurnValues, duel: DuelValues | None) -> str:
    lines = [
        f"{rules.name}",
        f"  most points a turn           {turn.points:.6f}",
    ]
    if rules.minimum(is_open=False) != rules.minimum(is_open=True):
        lines.append(f"  the same before the opening  {turn.points_unopened:.6f}")
    lines += [
        f"  fewest turns to the target   {turn.turns:.6f}",
    ]
    if duel is not None:
        lines.append(f"  first of two perfect wins    {duel.first_wins:.9f}")
        lines.append(f"  equations hold to            {duel.residual:.1e}")
    return "\n".join(lines)

"""`arena blunders`: show where a bot loses win probability."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from arena.cli.computing import computed_bots, share_bar
from arena.cli.options import (
    ComputingChoice,
    computing_options,
    json_option,
    rules_option,
    worker_count,
    workers_option,
)
from arena.cli.output import print_json, text_table
from arena.errors import BotError
from arena.rules import Ruleset, load_ruleset
from arena.rules.places import rules_folders

if TYPE_CHECKING:
    from arena.solver.blunders import Blunder, Blunders, Habit

SHOWN = 15


@click.command()
@click.argument("bot", metavar="BOT")
@rules_option()
@click.option("--against", metavar="B", help="The opponent; perfect play by default.")
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Blunders that --json lists.",
)
@workers_option()
@computing_options()
@json_option()
def command(
    bot: str,
    rules: str,
    against: str | None,
    most: int,
    workers: int,
    how: ComputingChoice,
    as_json: bool,
) -> None:
    """Show where BOT loses win probability, worst first.

    \b
    arena blunders hold --rules zehntausend-2
    arena blunders chaser --rules tienduizend --against hold --json

    Each decision is compared with the best one: how often the bot comes there in one game, and how
    much it loses each time. All of it together is exactly what separates the bot from perfect
    play, which `arena solve` must have computed, or with --against from the best answer to B.
    """
    from arena.solver.blunders import find_blunders
    from arena.solver.distributions import BotTurns

    ruleset = load_ruleset(rules, rules_folders())
    names = [bot] if against is None or against == "perfect" else [bot, against]
    with computed_bots(
        names, ruleset, sources=how.sources, isolation=how.isolation.chosen()
    ) as bots:
        if not isinstance(bots[0], BotTurns):
            raise BotError(f"{bot} makes no blunders: it is perfect play")
        with share_bar("turns judged", how.quiet) as tick:
            found = find_blunders(
                ruleset,
                bots[0],
                bots[1] if len(bots) > 1 else None,
                most=most,
                workers=worker_count(workers),
                tick=tick,
            )
    if as_json:
        print_json(_document(ruleset, bot, against or "perfect", found))
    else:
        click.echo(_text(ruleset, bot, against, found))


def _document(rules: Ruleset, bot: str, against: str, found: Blunders) -> dict[str, Any]:
    return {
        "rules": rules.name,
        "bot": bot,
        "against": against,
        "best": found.best,
        "value": found.value,
        "lost": found.lost,
        "decisions": found.decisions,
        "habits": [asdict(habit) for habit in found.habits],
        "blunders": [{**asdict(blunder), "cost": blunder.cost} for blunder in found.worst],
    }


def _text(rules: Ruleset, bot: str, against: str | None, found: Blunders) -> str:
    opponent = "perfect play" if against is None else against
    head = (
        f"{rules.name}: {bot} against {opponent}\n"
        f"  wins {found.value:.6f} of its games, best play {found.best:.6f}; "
        f"its decisions lose {found.lost:.6f}"
    )
    habits = text_table(
        ["costs", "a game", "points", "dice", "it", "best"],
        [_habit(habit) for habit in found.habits[:SHOWN]],
    )
    single = text_table(
        ["costs", "each", "score", "other", "last", "points", "dice", "it", "best"],
        [_blunder(blunder) for blunder in found.worst[:SHOWN]],
    )
    return f"{head}\n\nAt all scores together\n\n{habits}\n\nSingle positions\n\n{single}"


def _habit(habit: Habit) -> list[str]:
    return [
        f"{habit.cost:.6f}",
        f"{habit.frequency:.4f}",
        str(habit.points),
        " ".join(map(str, habit.dice)),
        habit.did,
        habit.best,
    ]


def _blunder(blunder: Blunder) -> list[str]:
    return [
        f"{blunder.cost:.6f}",
        f"{blunder.loss:.4f}",
        str(blunder.score),
        str(blunder.opponent),
        "yes" if blunder.last_round else "no",
        str(blunder.points),
        " ".join(map(str, blunder.dice)),
        blunder.did,
        blunder.best,
    ]

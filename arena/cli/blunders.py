"""`arena blunders`: show where a bot loses win probability."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
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
from arena.cli.output import note, print_json, text_table
from arena.errors import BotError
from arena.rules import Ruleset, load_ruleset
from arena.rules.places import rules_folders

if TYPE_CHECKING:
    from arena.report.blunder_page import BlunderPage, BlunderShown
    from arena.solver.blunders import Blunder, Blunders
    from arena.solver.habits import Habit

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
    help="Blunders that --json and --html list.",
)
@click.option(
    "--html",
    "page",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also write them as a page, with the dice drawn.",
)
@workers_option()
@computing_options()
@json_option()
def command(
    bot: str,
    rules: str,
    against: str | None,
    most: int,
    page: Path | None,
    workers: int,
    how: ComputingChoice,
    as_json: bool,
) -> None:
    """Show where BOT loses win probability, worst first.

    \b
    arena blunders hold --rules zehntausend-2
    arena blunders chaser --rules tienduizend --against hold --json
    arena blunders hold --rules zehntausend-2 --html hold.html

    Each decision is compared with the best one: how often the bot comes there in one game, and how
    much it loses each time. All of it together is exactly what separates the bot from perfect
    play, which `arena solve` must have computed, or with --against from the best answer to B.
    """
    from arena.solver.blunders import find_blunders
    from arena.solver.distributions import BotTurns
    from arena.solver.size import exact_size

    ruleset = load_ruleset(rules, rules_folders())
    size = exact_size(ruleset)  # before any bot is started
    if not how.quiet:
        note(f"{ruleset.name}: {size} in each seat; with large targets this takes minutes")
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
    if page is not None:
        from arena.report.blunder_page import write_blunders

        write_blunders(blunder_page(ruleset, bot, against, found), page)
        note(f"wrote {page}")
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
        "habits": [_plain(habit) for habit in found.habits],
        "blunders": [{**_plain(blunder), "cost": blunder.cost} for blunder in found.worst],
    }


def _plain(found: Habit | Blunder) -> dict[str, Any]:
    """All fields, decisions in words."""
    return {**asdict(found), "did": str(found.did), "best": str(found.best)}


def blunder_page(
    rules: Ruleset, bot: str, against: str | None, found: Blunders, *, report: str = ""
) -> BlunderPage:
    """What the page shows; `report` is where the report lies that links it, if one does."""
    from arena.report.blunder_page import BlunderPage

    words = ["arena", "blunders", bot, "--rules", rules.name]
    return BlunderPage(
        bot=bot,
        rules=rules.name,
        against=_opponent(against),
        value=found.value,
        best=found.best,
        lost=found.lost,
        decisions=found.decisions,
        habits=tuple(_shown(habit, habit.cost, ()) for habit in found.habits),
        single=tuple(_shown(each, each.cost, _place(each)) for each in found.worst),
        command=shlex.join([*words, *(["--against", against] if against else [])]),
        report=report,
    )


def _shown(found: Habit | Blunder, cost: float, place: tuple[tuple[str, str], ...]) -> BlunderShown:
    from arena.report.blunder_page import BlunderShown, ChoiceShown, kept_of

    did, best = (
        ChoiceShown(kept=kept_of(found.dice, choice.keeps), banks=choice.banks, words=str(choice))
        for choice in (found.did, found.best)
    )
    return BlunderShown(
        cost=cost,
        frequency=found.frequency,
        points=found.points,
        dice=found.dice,
        did=did,
        best=best,
        place=place,
    )


def _place(blunder: Blunder) -> tuple[tuple[str, str], ...]:
    """Where a blunder happens, in words and numbers."""
    place = [("seat", str(blunder.seat))]
    if blunder.round:
        place.append(("round", str(blunder.round)))
    place += [("score", f"{blunder.score:,}"), ("against", f"{blunder.opponent:,}")]
    if blunder.rolls:
        place.append(("roll", str(blunder.rolls)))
    if blunder.last_round:
        place.append(("in the", "last round"))
    return tuple(place)


def _opponent(against: str | None) -> str:
    return "perfect play" if against in (None, "perfect") else str(against)


def _text(rules: Ruleset, bot: str, against: str | None, found: Blunders) -> str:
    head = (
        f"{rules.name}: {bot} against {_opponent(against)}\n"
        f"  wins {found.value:.6f} of its games, best play {found.best:.6f}; "
        f"its decisions lose {found.lost:.6f}"
    )
    if not found.worst:
        return f"{head}\n\nNo decision loses anything worth counting."
    habits = text_table(
        ["costs", "a game", "points", "dice", "it", "best"],
        [_habit(habit) for habit in found.habits[:SHOWN]],
    )
    rounds = any(blunder.round for blunder in found.worst)
    single = text_table(
        [
            *("costs", "each", "seat"),
            *(["round"] * rounds),
            *("score", "other", "last", "points", "dice", "it", "best"),
        ],
        [_blunder(blunder, rounds) for blunder in found.worst[:SHOWN]],
    )
    return f"{head}\n\nAt all scores together\n\n{habits}\n\nSingle positions\n\n{single}"


def _habit(habit: Habit) -> list[str]:
    return [
        f"{habit.cost:.6f}",
        f"{habit.frequency:.4f}",
        str(habit.points),
        " ".join(map(str, habit.dice)),
        str(habit.did),
        str(habit.best),
    ]


def _blunder(blunder: Blunder, rounds: bool) -> list[str]:
    return [
        f"{blunder.cost:.6f}",
        f"{blunder.loss:.4f}",
        str(blunder.seat),
        *([str(blunder.round)] * rounds),
        str(blunder.score),
        str(blunder.opponent),
        "yes" if blunder.last_round else "no",
        str(blunder.points),
        " ".join(map(str, blunder.dice)),
        str(blunder.did),
        str(blunder.best),
    ]

"""`arena score`: what one roll is worth and what may be kept of it."""

from __future__ import annotations

from collections.abc import Sequence

import click

from arena.cli.options import json_option
from arena.cli.output import count, print_json, text_table
from arena.errors import UsageError
from arena.rules import Roll, Ruleset, load_ruleset, rule_tables
from arena.rules.places import rules_folders


@click.command()
@click.argument("rules", metavar="RULES")
@click.argument("dice", nargs=-1, required=True, metavar="DICE...")
@json_option()
def command(rules: str, dice: tuple[str, ...], as_json: bool) -> None:
    """Show what a roll is worth and what may be kept.

    \b
    arena score tienduizend 1 1 5 5 5 2
    arena score tienduizend:combinations.aaaabb=1000 433343
    arena score zehntausend-2 1 2 5          (three dice left to roll)
    """
    ruleset = load_ruleset(rules, rules_folders())
    roll = rule_tables(ruleset).roll(_faces(dice, ruleset))
    if as_json:
        print_json(_document(ruleset, roll))
    else:
        _print_text(ruleset, roll)


def _faces(words: Sequence[str], ruleset: Ruleset) -> list[int]:
    faces = "".join(words)
    for sign in faces:
        if sign not in "123456":
            raise UsageError(
                f"{sign!r} is no face of a die: write faces from 1 to 6, "
                "apart or as one word, for example 1 1 5 or 115"
            )
    if not 1 <= len(faces) <= ruleset.dice:
        raise UsageError(
            f"{len(faces)} dice are given; a roll of {ruleset.name} has 1 to {ruleset.dice} dice"
        )
    return [int(face) for face in faces]


def _document(ruleset: Ruleset, roll: Roll) -> dict[str, object]:
    return {
        "rules": ruleset.name,
        "dice": list(roll.dice),
        "bust": roll.bust,
        "instant_win": roll.instant_win,
        "best": roll.holds[0].points if roll.holds else 0,
        "holds": [
            {"dice": list(hold.dice), "points": hold.points, "dice_left": hold.dice_left}
            for hold in roll.holds
        ],
    }


def _print_text(ruleset: Ruleset, roll: Roll) -> None:
    click.echo(f"{ruleset.name}: {_spaced(roll.dice)}\n")
    if roll.instant_win:
        click.echo("wins the game at once")
    if not roll.goes_on:
        click.echo(f"no rolling on: it shows none of the faces {_spaced(ruleset.continue_faces)}")
    if roll.bust:
        click.echo(_nothing(ruleset, len(roll.dice)))
        return
    rows = [
        [_spaced(hold.dice), count(hold.points), f"{hold.dice_left}{' (hot dice)' * hold.hot}"]
        for hold in roll.holds
    ]
    click.echo(text_table(["keep", "points", "dice left"], rows, left=("keep",)))


def _nothing(ruleset: Ruleset, dice: int) -> str:
    if dice == ruleset.dice and ruleset.nothing_scores:
        return f"nothing scores, which counts {ruleset.nothing_scores}; all dice roll on"
    return "bust"


def _spaced(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces))

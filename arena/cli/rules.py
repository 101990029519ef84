"""`arena rules`: which rulesets there are, and one of them in full."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arena.cli.options import json_option
from arena.cli.output import note, print_json, text_table
from arena.errors import RulesetError, UsageError
from arena.rules import BustPenalty, Ruleset, load_ruleset, ruleset_files, split_spec
from arena.rules.meanings import MEANINGS
from arena.rules.places import rules_folders

COLUMNS = 4
"""Columns in which combinations are shown."""


@click.command()
@click.argument("name", required=False, metavar="[NAME:key=value,...]")
@click.option("--path", "only_path", is_flag=True, help="Print where the file of NAME lies.")
@json_option()
def command(name: str | None, only_path: bool, as_json: bool) -> None:
    """List rulesets, or show one with all its keys and what they mean.

    \b
    arena rules
    arena rules zehntausend-2
    arena rules tienduizend:hot_dice=end,combinations.aaaabb=1000

    Rulesets are TOML files in ./configs/rules, in arena/rules of the user's configuration folder,
    and those that come with arena; a name may also be a path that ends in .toml.
    """
    if name is None:
        if only_path:
            raise UsageError("--path needs the name of a ruleset; arena rules lists them")
        _list(as_json)
        return
    ruleset, path = load_ruleset(name, rules_folders()), _path(name)
    if only_path:
        click.echo(path)
    elif as_json:
        print_json(_document(ruleset, path))
    else:
        _print_text(ruleset, path)


def _path(spec: str) -> Path:
    """The file of a ruleset that was loaded."""
    name, _ = split_spec(spec)
    return Path(name) if name.endswith(".toml") else ruleset_files(rules_folders())[name]


def _list(as_json: bool) -> None:
    """All rulesets; one that cannot be played is told and hides no other."""
    found: list[tuple[Ruleset, Path]] = []
    for name, path in sorted(ruleset_files(rules_folders()).items()):
        try:
            found.append((load_ruleset(name, [path.parent]), path))
        except RulesetError as error:
            note(f"{name}: {error}")
    if as_json:
        print_json({"rulesets": [_document(ruleset, path) for ruleset, path in found]})
        return
    rows = [
        [ruleset.name, str(ruleset.dice), str(ruleset.target), ruleset.title, str(path)]
        for ruleset, path in found
    ]
    if not rows:
        raise UsageError(f"no ruleset (*.toml) lies in {', '.join(map(str, rules_folders()))}")
    click.echo(text_table(["rules", "dice", "target", "title", "file"], rows))


def _document(ruleset: Ruleset, path: Path) -> dict[str, Any]:
    values = {key: getattr(ruleset, key) for key in MEANINGS}
    values["bust_penalty"] = _penalty(ruleset.bust_penalty)
    values["combinations"] = {each.pattern: each.points for each in ruleset.combinations}
    about = {"title": ruleset.title, "source": ruleset.source.strip(), "file": str(path)}
    return {"rules": ruleset.name, "rules_key": ruleset.key} | about | values


def _penalty(penalty: BustPenalty) -> dict[str, Any]:
    floor = "none" if penalty.floor is None else penalty.floor
    return {
        "after": penalty.after,
        "points": penalty.points,
        "resets": penalty.resets,
        "floor": floor,
    }


def _print_text(ruleset: Ruleset, path: Path) -> None:
    click.echo(f"{ruleset.name}: {ruleset.title}\n{path}\n")
    if ruleset.source:
        click.echo(f"{ruleset.source.strip()}\n")
    rows = [[key, _shown(ruleset, key), meaning] for key, meaning in MEANINGS.items()]
    click.echo(text_table(["key", "value", "meaning"], rows))
    click.echo("")
    click.echo(_combinations(ruleset))


def _shown(ruleset: Ruleset, key: str) -> str:
    """A value as it is written on the command line."""
    value = getattr(ruleset, key)
    if key == "combinations":
        return "see below"
    if isinstance(value, BustPenalty):
        inner = ", ".join(f"{name} = {_word(part)}" for name, part in _penalty(value).items())
        return f"{{{inner}}}" if value.after else "none"
    return _word(value)


def _word(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    return str(value)


def _combinations(ruleset: Ruleset) -> str:
    """Combinations with their points, from top to bottom in columns."""
    cells = [(each.pattern, str(each.points)) for each in ruleset.combinations]
    dice = max(len(pattern) for pattern, _ in cells)
    points = max(len(worth) for _, worth in cells)
    shown = [f"{pattern.ljust(dice)} = {worth.rjust(points)}" for pattern, worth in cells]
    height = -(-len(shown) // COLUMNS)
    lines = ["    ".join(shown[row::height]) for row in range(height)]
    return "\n".join(["combinations", *(f"  {line}" for line in lines)])

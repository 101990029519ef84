"""`arena new-bot`: write a bot file to start from."""

from __future__ import annotations

from pathlib import Path

import click

from arena.bots.isolation import choose_isolation
from arena.bots.loader import find_bots
from arena.bots.template import new_bot
from arena.errors import UsageError


@click.command()
@click.argument("name")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("bots"),
    show_default=True,
    help="Where the file is written; made if it is not there.",
)
def command(name: str, folder: Path) -> None:
    """Write a commented bot that plays, to be changed into your own.

    No file is ever overwritten.
    """
    bot = new_bot(name)
    path = folder / bot.file_name
    if path.exists():
        raise UsageError(f"{path} is there already and is not overwritten; choose another name")
    known = find_bots(isolation=choose_isolation()).bots.get(bot.name)
    if known is not None:
        raise UsageError(f"{known.path} defines the bot {bot.name!r}; choose another name")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(bot.text)
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(f"{path} cannot be written: {reason}; choose another --folder") from None
    shown = bot.name if folder == Path("bots") else str(path)
    click.echo(
        f"{path} is written. It plays already; now make it yours:\n"
        f"  arena check {path}\n"
        f"  arena match {shown} hold --rules tienduizend"
    )

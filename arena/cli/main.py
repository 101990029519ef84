"""`arena`: the group of commands, each imported only when it is used."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from difflib import get_close_matches

import click

from arena.cli.mistyped import message_of
from arena.errors import ArenaError, UsageError

COMMANDS = {
    "run": ("arena.cli.run", "Run a tournament from a TOML file and write its report."),
    "match": ("arena.cli.match", "Play bots against each other on one ruleset."),
    "submit": ("arena.cli.submit", "Check a bot file and place it in a league."),
    "check": ("arena.cli.check", "Find out whether a bot file is fit to play."),
    "bots": ("arena.cli.bots", "List the bots that are found."),
    "new-bot": ("arena.cli.new_bot", "Write a bot file to start from."),
    "rules": ("arena.cli.rules", "List rulesets, or show one."),
    "score": ("arena.cli.score", "Show what a roll is worth and what may be kept."),
    "replay": ("arena.cli.replay", "Replay a transcript, or a game of a match."),
    "report": ("arena.cli.report", "Write the report of a result file again."),
    "rate": ("arena.cli.rate", "Rate players from a table of results."),
    "sprt": ("arena.cli.sprt", "Play until it is sure which bot is stronger."),
    "plan": ("arena.cli.plan", "Say how many games a difference needs."),
    "solve": ("arena.cli.solve", "Compute perfect play of a ruleset."),
    "exact": ("arena.cli.exact", "Compute how two bots play, without chance."),
    "exploit": ("arena.cli.exploit", "Compute the best answer to a bot."),
    "luck": ("arena.cli.luck", "Tell how much of a match was dice and how much was play."),
    "blunders": ("arena.cli.blunders", "Show where a bot loses win probability."),
    "init": ("arena.cli.init", "Lay out a working folder."),
    "bench": ("arena.cli.bench", "Measure how fast this machine plays."),
}
"""Command: module whose attribute `command` it is, and one line of help. The line stands here so
that `arena --help` imports none of the modules."""


class LazyGroup(click.Group):
    """A group that imports a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Commands in the order of `COMMANDS`, as far as their module exists."""
        return [name for name in COMMANDS if _exists(name)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command."""
        if cmd_name not in COMMANDS or not _exists(cmd_name):
            return None
        command: click.Command = importlib.import_module(COMMANDS[cmd_name][0]).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant.

        Raises:
            UsageError: there is none of this name.
        """
        name, known = args[0], self.list_commands(ctx)
        if name not in known and not name.startswith("-"):
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise UsageError(f"there is no command {name!r}; {hint}known: {', '.join(known)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands in `--help`, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.list_commands(ctx)])


def _exists(name: str) -> bool:
    """Whether the module of a command is there, found without importing it."""
    return importlib.util.find_spec(COMMANDS[name][0]) is not None


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="arena-10000", prog_name="arena")
def cli() -> None:
    """Tournaments for bots that play the dice game 10,000 (Farkle, Zilch, Zehntausend)."""


def main() -> None:
    """Run the command line; every `ArenaError` becomes a message and an exit code."""
    try:
        code = cli(standalone_mode=False)
        sys.stdout.flush()
        if isinstance(code, int) and code:
            sys.exit(code)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(2)
    except click.ClickException as error:
        click.echo(message_of(error), err=True)
        sys.exit(2)
    except click.Abort:
        click.echo("Stopped.", err=True)
        sys.exit(130)
    except BrokenPipeError:
        # The reader has gone (`arena ... | head -1`): be silent, also when Python exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except ArenaError as error:
        click.echo(f"arena: {error}", err=True)
        sys.exit(error.exit_code)

"""`arena match`: play bots against each other on one ruleset."""

from __future__ import annotations

import click

from arena.bots.loader import find_bots
from arena.cli.lineup import planned_match, ready_to_play, without_rules
from arena.cli.match_result import bot_rows, match_document, remarks, seat_rows
from arena.cli.options import (
    DEFAULT_SEED,
    PlayingChoice,
    json_option,
    playing_options,
    rules_option,
)
from arena.cli.output import count, note, print_json, text_table
from arena.cli.playing import play_shown
from arena.cli.told_faults import tell_faults
from arena.records import Match, MatchStats
from arena.tournament import MemoryLedger, Processes


@click.command()
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT [BOT...]")
@rules_option(required=False)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Games, rounded up to whole blocks (all rotations on the same dice).",
)
@click.option("--seed", type=int, default=DEFAULT_SEED, show_default=True, help="Of the dice.")
@click.option("--fixed-seats", is_flag=True, help="Keep the given order; the first bot begins.")
@click.option(
    "--chunk",
    "chunk_blocks",
    type=click.IntRange(min=0),
    default=0,
    help="Blocks that a worker plays at a time; 0 for about a second.",
)
@playing_options()
@json_option()
def command(
    bots: tuple[str, ...],
    rules: str | None,
    games: int,
    seed: int,
    fixed_seats: bool,
    chunk_blocks: int,
    how: PlayingChoice,
    as_json: bool,
) -> None:
    """Play bots against each other on one ruleset.

    \b
    arena match hold:points=300 hold:points=500 --rules tienduizend
    arena match path/to/mine.py greedy hold --rules zehntausend-2:target=5000 --games 3000

    The results are equal for equal bots, rules, games and seed, on any machine and for any number
    of workers.
    """
    if rules is None:
        raise without_rules(bots, find_bots(how.sources, isolation=how.isolation.chosen()))
    playing = how.engine_name
    ledger = MemoryLedger()
    per_block = 1 if fixed_seats else max(len(bots), 1)
    with Processes(how.worker_count) as processes:
        processes.prepare(playing)  # meanwhile everything else is made ready
        apart = how.isolation.chosen()
        planned = planned_match(
            bots,
            rules,
            index=find_bots(how.sources, isolation=apart),
            seed=seed,
            blocks=-(-games // per_block),
            fixed_seats=fixed_seats,
        )
        ready_to_play(planned, how)
        played = planned.blocks * planned.match.rotations
        if played != games:
            note(
                f"{count(games)} games are rounded up to {count(played)}: "
                f"{count(planned.blocks)} blocks of {planned.match.rotations}"
            )
        progress = play_shown(
            [planned],
            ledger,
            engine=playing,
            workers=processes.count,
            chunk_blocks=chunk_blocks,
            isolation=apart,
            quiet=how.quiet,
            meanwhile=_import_statistics,
            started=processes,
        )
    stopped = progress.games < played
    stats = ledger.stats(planned.match.id)
    if stats is not None and not (stopped and as_json):
        if as_json:
            print_json(match_document(planned.match, stats, ledger.faults))
        else:
            _print_text(planned.match, stats)
        tell_faults(ledger.faults, planned.match, stats)
    if stopped:
        note(f"Stopped after {count(progress.games)} of {count(played)} games.")
        raise click.exceptions.Exit(130)


def _import_statistics() -> None:
    import arena.stats  # noqa: F401 - scipy takes long to import; better now than afterwards


def _print_text(match: Match, stats: MatchStats) -> None:
    seats = "fixed seats" if match.fixed_seats else "all rotations"
    click.echo(
        f"{match.rules}: {count(stats.games)} games in {count(stats.blocks)} blocks "
        f"({seats}), seed {match.seed}\n"
    )
    click.echo(text_table(*bot_rows(match, stats)))
    click.echo("")
    click.echo(text_table(*seat_rows(stats)))
    for remark in remarks(match, stats):
        click.echo(f"\n{remark}")
    click.echo(f"\ndigest {stats.digest}")

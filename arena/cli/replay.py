"""`arena replay`: a transcript checked by the referee, or a game of a match played again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from arena.bots.isolation import Isolation
from arena.bots.loader import find_bots, resolve
from arena.cli.options import (
    DEFAULT_SEED,
    IsolationChoice,
    bots_option,
    isolation_options,
    json_option,
)
from arena.cli.output import note, print_json
from arena.cli.replay_luck import luck_document, luck_of, luck_remarks
from arena.cli.told_faults import fault_text
from arena.errors import TranscriptError, UsageError
from arena.game import MAX_SEATS, MIN_SEATS, Event, Transcript, read_transcript, replay
from arena.game.events import GameEnds
from arena.records import Match
from arena.rules import load_ruleset, rule_tables
from arena.rules.places import rules_folders
from arena.tournament.one_game import play_one_game


@click.command()
@click.argument("what", nargs=-1, required=True, metavar="FILE | BOT BOT [BOT...]")
@click.option("--rules", metavar="R", help="Ruleset of a game between bots, NAME:key=value,...")
@click.option("--seed", type=int, default=DEFAULT_SEED, show_default=True, help="Of the match.")
@click.option(
    "--block", type=click.IntRange(min=0), default=0, show_default=True, help="Of the match."
)
@click.option(
    "--rotation", type=click.IntRange(min=0), default=0, show_default=True, help="Of the block."
)
@click.option("--fixed-seats", is_flag=True, help="The match kept the given order of the bots.")
@click.option(
    "--luck",
    is_flag=True,
    help="Tell beside every roll and decision of a game of two what it did to the probability to "
    "win, under perfect play; the ruleset must have been solved.",
)
@bots_option()
@isolation_options()
@json_option()
def command(
    what: tuple[str, ...],
    rules: str | None,
    seed: int,
    block: int,
    rotation: int,
    fixed_seats: bool,
    luck: bool,
    sources: tuple[Path, ...],
    isolation: IsolationChoice,
    as_json: bool,
) -> None:
    """Replay a transcript, or a game of a match.

    \b
    arena replay game.txt
    arena replay hold greedy --rules tienduizend --seed 1 --block 7 --rotation 1

    A FILE is played again by the referee; it must come out line by line as it is written, and may
    stop anywhere. From bots, the game at this address of `arena match` with the same bots, rules
    and seed is printed as a transcript: blocks and rotations count from 0.

    With --luck a game of two is told with the probability that seat 1 wins, after every roll and
    decision: what the dice gave to whoever moved, and what a decision gave away.
    """
    if rules is None:
        if len(what) != 1:
            raise UsageError("give one transcript, or bots with --rules")
        transcript, events = _from_file(Path(what[0]))
    else:
        address = _Address(
            bots=what, rules=rules, seed=seed, block=block, rotation=rotation, fixed=fixed_seats
        )
        transcript, events = _from_address(address, sources, isolation.chosen())
    end = events[-1] if events and isinstance(events[-1], GameEnds) else None
    steps = luck_of(transcript, events) if luck else ()
    if as_json:
        print_json(_document(transcript, end) | (luck_document(steps) if luck else {}))
    else:
        remarks = luck_remarks(transcript, steps) if luck else ()
        click.echo(transcript.text(remarks))
        click.echo(f"# {_verdict(len(events), end)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Address:
    """Which game of which match."""

    bots: tuple[str, ...]
    rules: str
    seed: int
    block: int
    rotation: int
    fixed: bool


def _from_file(path: Path) -> tuple[Transcript, Sequence[Event]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise TranscriptError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise TranscriptError(f"{path}: is not UTF-8 text") from None
    changed = ""
    try:
        transcript = read_transcript(text)
        ruleset = load_ruleset(transcript.rules, rules_folders())
        if transcript.rules_key not in ("", ruleset.key):
            changed = (
                f"the rules named {transcript.rules!r} are not those that this game was played by "
                f"(key {transcript.rules_key} then, {ruleset.key} now)"
            )
        events = replay(transcript, rule_tables(ruleset))
    except TranscriptError as error:
        raise TranscriptError(
            f"{path}: {error}" + (f"\n  {changed}; give it the old ones" if changed else "")
        ) from None
    if changed:
        note(f"{path}: {changed}; it comes out as it is written all the same")
    return transcript, events


def _from_address(
    address: _Address, sources: Sequence[Path], isolation: Isolation
) -> tuple[Transcript, Sequence[Event]]:
    ruleset = load_ruleset(address.rules, rules_folders())
    index = find_bots(sources, isolation=isolation)
    specs = [resolve(text, index) for text in address.bots]
    match = Match(
        rules=ruleset.name,
        rules_key=ruleset.key,
        bots=tuple(spec.name for spec in specs),
        bot_keys=tuple(spec.key for spec in specs),
        seed=address.seed,
        fixed_seats=address.fixed,
        limits=isolation.limits_text,
    )
    _check(address, match)
    game = play_one_game(
        match,
        ruleset,
        specs,
        block=address.block,
        rotation=address.rotation,
        isolation=isolation,
    )
    if game.fault is not None:
        note(f"{fault_text(game.fault)}\n")
    return game.transcript, game.events


def _check(address: _Address, match: Match) -> None:
    if not MIN_SEATS <= match.seats <= MAX_SEATS:
        raise UsageError(f"a game needs {MIN_SEATS} to {MAX_SEATS} bots, not {match.seats}")
    if address.rotation >= match.rotations:
        why = "with --fixed-seats there is one" if address.fixed else f"of {match.seats} bots"
        raise UsageError(
            f"--rotation {address.rotation}: rotations {why}, "
            f"they count from 0 to {match.rotations - 1}"
        )


def _verdict(events: int, end: GameEnds | None) -> str:
    if end is None:
        return f"replays: {events} events, the game is not finished"
    winners = " and ".join(map(str, end.winners))
    how = "won by" if len(end.winners) == 1 else "drawn between"
    return f"replays: {events} events, {how} seat {winners} ({end.termination})"


def _document(transcript: Transcript, end: GameEnds | None) -> dict[str, Any]:
    return {
        "rules": transcript.rules,
        "players": list(transcript.players),
        "finished": end is not None,
        "winners": list(end.winners) if end else [],
        "scores": list(end.scores) if end else [],
        "termination": str(end.termination) if end else None,
        "lines": [line.strip() for line in transcript.lines],
    }

"""`arena plan`: how many games a question needs, with blocks and without."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import click

from arena.bots.loader import find_bots
from arena.cli.lineup import planned_match, ready_to_play
from arena.cli.match_result import estimate_of, saving_of
from arena.cli.options import DEFAULT_SEED, PlayingChoice, json_option, playing_options
from arena.cli.output import count, elo_text, note, print_json, text_table
from arena.cli.playing import play_shown
from arena.errors import UsageError
from arena.tournament import MemoryLedger

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena.records import Match, MatchStats
    from arena.stats import Plan
    from arena.tournament import PlannedMatch, Progress

SAVINGS: Final = (1, 2, 5)
"""Factors that are shown where no bots are named: no blocks, quite different bots, similar ones."""

SMALLEST_ELO: Final = 0.001
LARGEST_ELO: Final = 3000.0
"""Differences that may be asked about."""

_RANGE: Final = f"a number from {SMALLEST_ELO:g} to {LARGEST_ELO:g} is needed"

PILOT_BLOCKS: Final = 500
CLEAR_ERRORS: Final = 4.0
"""The pilot doubles until the difference is so many standard errors from zero."""

ALIKE_BLOCKS: Final = 4000
"""Bots of which each won one game of so many blocks are taken to play alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """What shall be known, and how surely: see the options.

    Raises:
        UsageError: an option has no meaning.
    """

    elo: float | None
    half_width: float | None
    confidence: float
    power: float

    def __post_init__(self) -> None:
        if self.elo is not None and not SMALLEST_ELO <= abs(self.elo) <= LARGEST_ELO:
            raise UsageError(f"--elo {self.elo:g}: {_RANGE}, or as much below zero")
        if self.half_width is not None and not SMALLEST_ELO <= self.half_width <= LARGEST_ELO:
            raise UsageError(f"--half-width {self.half_width:g}: {_RANGE}")
        for option, chance in (("confidence", self.confidence), ("power", self.power)):
            if not 0.0 < chance < 1.0:
                raise UsageError(f"--{option} {chance:g}: a chance between 0 and 1 is needed")

    def plans(
        self, elo: float, deviation: float, saving: float | None = None
    ) -> list[dict[str, Any]]:
        """What it takes where bots are `elo` apart; `deviation` is that of a block score.

        `saving` is what blocks were seen to save; None if games without blocks end won or lost.

        Raises:
            UsageError: there is no answer.
        """
        from arena.stats import StatsError, plan_half_width, plan_sign

        found = []
        try:
            if self.elo is not None or self.half_width is None:
                sign = plan_sign(
                    elo, deviation=deviation, confidence=self.confidence, power=self.power
                )
                found.append(_plan("which is stronger", sign, saving, elo=elo))
            if self.half_width is not None:
                width = plan_half_width(
                    self.half_width, deviation=deviation, elo=elo, confidence=self.confidence
                )
                found.append(_plan("half width", width, saving, half_width=self.half_width))
        except StatsError as error:
            raise UsageError(f"there is no plan: {error}") from None
        return found


def _plan(question: str, plan: Plan, saving: float | None, **asked: float) -> dict[str, Any]:
    alone = plan.games_alone if saving is None else max(round(plan.games * saving), 1)
    return {
        "question": question,
        **asked,
        "blocks_save": plan.saving if saving is None else saving,
        "games": plan.games,
        "games_without_blocks": alone,
    }


@click.command()
@click.argument("bots", nargs=-1, metavar="[A B]")
@click.option("--rules", metavar="R", help="Ruleset of the pilot match, as NAME:key=value,...")
@click.option("--elo", type=float, default=None, metavar="X", help="Difference to be sure of.")
@click.option(
    "--half-width", type=float, default=None, metavar="W", help="Know Elo to plus or minus W."
)
@click.option(
    "--confidence", type=float, default=0.95, show_default=True, help="Of the interval of Elo."
)
@click.option(
    "--power", type=float, default=0.95, show_default=True, help="Chance that the games suffice."
)
@click.option(
    "--pilot",
    "most",
    type=click.IntRange(min=2),
    default=100_000,
    show_default=True,
    metavar="N",
    help="Games of the pilot match at most.",
)
@click.option("--seed", type=int, default=DEFAULT_SEED, show_default=True, help="Of the pilot.")
@playing_options()
@json_option()
def command(
    bots: tuple[str, ...],
    rules: str | None,
    elo: float | None,
    half_width: float | None,
    confidence: float,
    power: float,
    most: int,
    seed: int,
    how: PlayingChoice,
    as_json: bool,
) -> None:
    """Say how many games a difference needs.

    \b
    arena plan --elo 5
    arena plan --half-width 3
    arena plan hold:points=300 hold:points=350 --rules tienduizend

    With two bots a short pilot match measures how much luck the blocks (the same dice from every
    seat) cancel; without --elo the question is how many games make sure which of the two is
    stronger. Without bots the answer stands for independent games and for usual savings.
    """
    question = _Question(elo=elo, half_width=half_width, confidence=confidence, power=power)
    if not bots:
        if elo is None and half_width is None:
            raise UsageError("name two bots, or say --elo X or --half-width W")
        _print({"plans": _usual(question)}, as_json=as_json)
        return
    if len(bots) != 2 or rules is None:
        raise UsageError("a pilot match needs two bots and --rules R")
    apart = how.isolation.chosen()
    planned = planned_match(
        bots, rules, index=find_bots(how.sources, isolation=apart), seed=seed, blocks=0
    )
    ready_to_play(planned, how)

    def play(planned: PlannedMatch, ledger: MemoryLedger) -> Progress:
        return play_shown(
            [planned],
            ledger,
            engine=how.engine_name,
            workers=how.worker_count,
            chunk_blocks=0,
            isolation=apart,
            quiet=how.quiet,
        )

    stats = _pilot(planned, play, most // 2)
    _print(_document(question, planned.match, stats), as_json=as_json)


def _usual(question: _Question) -> list[dict[str, Any]]:
    """Answers for independent games and for usual savings."""
    from arena.stats import score_from_elo

    elo = question.elo or 0.0
    score = float(score_from_elo(elo))
    return [
        plan
        for saving in SAVINGS
        for plan in question.plans(elo, math.sqrt(score * (1.0 - score) / (2.0 * saving)))
    ]


def _pilot(
    planned: PlannedMatch, play: Callable[[PlannedMatch, MemoryLedger], Progress], most: int
) -> MatchStats:
    """Play until the difference is clear, or the bots seem to play alike, or `most` blocks."""
    from arena.stats import MatchStatus

    ledger = MemoryLedger()
    blocks = min(PILOT_BLOCKS, most)
    while True:
        progress = play(replace(planned, blocks=blocks), ledger)
        stats = ledger.stats(planned.match.id)
        if stats is None or progress.games < progress.games_total:
            note("Stopped during the pilot match.")
            raise click.exceptions.Exit(130)
        found = estimate_of(stats, 0)
        alike = found.status is MatchStatus.IDENTICAL
        clear = abs(found.score.value - 0.5) * math.sqrt(blocks) >= CLEAR_ERRORS * found.deviation
        if blocks >= most or (blocks >= ALIKE_BLOCKS if alike else clear):
            return stats
        blocks = min(2 * blocks, most)


def _document(question: _Question, match: Match, stats: MatchStats) -> dict[str, Any]:
    """The document of `arena plan A B --json`."""
    from arena.stats import MatchStatus, block_deviation, pentanomial

    found = estimate_of(stats, 0)
    plans: list[dict[str, Any]] = []
    known = found.elo.low > 0.0 or found.elo.high < 0.0
    if found.status is not MatchStatus.IDENTICAL:
        deviation = block_deviation(pentanomial(stats.pair_table))
        # Where the pilot does not tell, the answer stands for the largest difference it allows.
        largest = max(found.elo.low, found.elo.high, key=abs)
        elo = question.elo if question.elo is not None else found.elo.value if known else largest
        plans = question.plans(elo, deviation, saving_of(stats) or 1.0)
    return {
        "rules": match.rules,
        "bots": list(match.bots),
        "seed": match.seed,
        "status": found.status.value,
        "pilot_games": stats.games,
        "elo": found.elo.value,
        "elo_low": found.elo.low,
        "elo_high": found.elo.high,
        "told_apart": known,
        "plans": plans,
    }


def _print(document: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(document)
        return
    lines = _pilot_lines(document) if "bots" in document else []
    plans = document["plans"]
    if plans:
        rows = [
            [
                _asked(plan),
                f"x{plan['blocks_save']:.1f}",
                count(plan["games"]),
                count(plan["games_without_blocks"]),
            ]
            for plan in plans
        ]
        head = ["question", "blocks save", "games", "without blocks"]
        lines.append(text_table(head, rows))
    click.echo("\n".join(lines))


def _pilot_lines(document: dict[str, Any]) -> list[str]:
    first, second = document["bots"]
    lines = [
        f"{document['rules']}: {first} against {second}, pilot of "
        f"{count(document['pilot_games'])} games: {elo_text(document['elo'])} Elo "
        f"({elo_text(document['elo_low'])} to {elo_text(document['elo_high'])})"
    ]
    if not document["plans"]:
        lines.append("They play alike here: every block is one half; no number of games tells more")
    elif not document["told_apart"]:
        lines.append("The pilot cannot tell them apart; it takes at least:")
    return lines


def _asked(plan: dict[str, Any]) -> str:
    if "elo" in plan:
        return f"which is stronger, at {elo_text(plan['elo'])} Elo"
    return f"Elo to plus or minus {plan['half_width']:g}"

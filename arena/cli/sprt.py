"""`arena sprt`: play two bots until it is sure enough which hypothesis about them holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from arena.bots.loader import find_bots
from arena.cli.lineup import planned_match, ready_to_play
from arena.cli.match_result import saving_of
from arena.cli.options import (
    DEFAULT_SEED,
    PlayingChoice,
    json_option,
    playing_options,
    rules_option,
)
from arena.cli.output import count, elo_text, note, percent, print_json
from arena.cli.playing import play_shown
from arena.cli.told_faults import tell_faults
from arena.errors import UsageError
from arena.tournament.config import MAX_BLOCKS
from arena.tournament.sequential import (
    SequentialLedger,
    block_counts,
    deviation_of,
    most_blocks,
    with_looks,
)

if TYPE_CHECKING:
    from arena.stats import MatchStatus, Sprt, SprtState
    from arena.tournament import PlannedMatch, Progress


@click.command()
@click.argument("a")
@click.argument("b")
@rules_option()
@click.option(
    "--elo0", type=float, default=0.0, show_default=True, help="H0: A is at most so much stronger."
)
@click.option(
    "--elo1", type=float, default=5.0, show_default=True, help="H1: A is at least so much stronger."
)
@click.option(
    "--alpha", type=float, default=0.05, show_default=True, help="Chance to accept a wrong H1."
)
@click.option(
    "--beta", type=float, default=0.05, show_default=True, help="Chance to accept a wrong H0."
)
@click.option(
    "--scale",
    type=click.Choice(["logistic", "normalised"]),
    default="logistic",
    show_default=True,
    help="Of elo0 and elo1: ordinary Elo, or Elo of the noise of one game.",
)
@click.option(
    "--most-games",
    type=click.IntRange(min=2),
    default=None,
    metavar="N",
    help="End after so many games at the latest; ten times the expected number by default.",
)
@click.option("--seed", type=int, default=DEFAULT_SEED, show_default=True, help="Of the dice.")
@click.option("--fixed-seats", is_flag=True, help="A begins every game.")
@playing_options()
@json_option()
def command(
    a: str,
    b: str,
    rules: str,
    elo0: float,
    elo1: float,
    alpha: float,
    beta: float,
    scale: str,
    most_games: int | None,
    seed: int,
    fixed_seats: bool,
    how: PlayingChoice,
    as_json: bool,
) -> None:
    """Play A and B until it is sure which of two hypotheses does not hold.

    \b
    arena sprt mine.py hold --rules tienduizend
    arena sprt mine.py mine_old.py --rules zehntausend-2 --elo0 -3 --elo1 3

    H0 says that A is at most elo0 stronger than B, H1 that it is at least elo1 stronger. The games
    go on until one of them is so much likelier than the other that the other can be ruled out, with
    an error of alpha or beta (sequential probability ratio test on blocks). A strength between the
    two agrees with both. The end does not depend on the number of workers.
    """
    games = 1 if fixed_seats else 2
    sprt = _test(elo0, elo1, alpha, beta, scale, games=games, most_games=most_games)
    apart = how.isolation.chosen()
    planned = planned_match(
        (a, b),
        rules,
        index=find_bots(how.sources, isolation=apart),
        seed=seed,
        blocks=most_blocks(sprt),
        fixed_seats=fixed_seats,
    )
    ready_to_play(planned, how)
    expected = _expected(sprt)
    _tell_before(sprt, expected)
    ledger = SequentialLedger(sprt, planned.match)
    play_shown(
        [planned],
        ledger,
        engine=how.engine_name,
        workers=how.worker_count,
        chunk_blocks=sprt.look,
        isolation=apart,
        quiet=how.quiet,
        enough=lambda: ledger.decided,
        told=lambda progress: _live(ledger.state, progress),
        expected_games=expected["between"],
    )
    if ledger.decided or not as_json:
        _print(planned, sprt, ledger, expected, as_json=as_json)
        if ledger.played is not None:
            tell_faults(ledger.faults, planned.match, ledger.played)
    if not ledger.decided:
        note(f"Stopped after {count(ledger.state.blocks * games)} games, before a decision.")
        raise click.exceptions.Exit(130)


def _test(
    elo0: float,
    elo1: float,
    alpha: float,
    beta: float,
    scale: str,
    *,
    games: int,
    most_games: int | None,
) -> Sprt:
    """The test that the options mean.

    Raises:
        UsageError: there is no such test.
    """
    from arena.stats import Sprt, StatsError

    try:
        sprt = Sprt(
            elo0=elo0,
            elo1=elo1,
            alpha=alpha,
            beta=beta,
            scale="normalised" if scale == "normalised" else "logistic",
            games=1 if games == 1 else 2,
            most=None if most_games is None else -(-most_games // games),
        )
    except StatsError as error:
        raise UsageError(f"there is no such test: {error}") from None
    most = most_blocks(sprt)
    if most > MAX_BLOCKS:
        raise UsageError(
            f"such a test may take {most * games:.1e} games: put --elo0 and --elo1 further apart, "
            f"or say --most-games N, up to {count(MAX_BLOCKS * games)}"
        )
    return with_looks(sprt)


def _expected(sprt: Sprt) -> dict[str, int]:
    """Games that the test takes on average where dice are independent."""
    from arena.stats import sprt_forecast

    places = {"elo0": sprt.elo0, "between": 0.5 * (sprt.elo0 + sprt.elo1), "elo1": sprt.elo1}
    deviation = deviation_of(sprt)
    return {
        name: round(sprt_forecast(sprt, elo=elo, deviation=deviation).games)
        for name, elo in places.items()
    }


def _tell_before(sprt: Sprt, expected: dict[str, int]) -> None:
    note(
        f"H0: at most {elo_text(sprt.elo0)} Elo, H1: at least {elo_text(sprt.elo1)} Elo "
        f"({sprt.scale})\n"
        f"expected games: {count(expected['elo0'])} at {elo_text(sprt.elo0)} Elo, "
        f"{count(expected['elo1'])} at {elo_text(sprt.elo1)}, {count(expected['between'])} halfway"
        + ("" if sprt.games == 1 else "; several times fewer where the same dice cancel luck")
    )


def _live(state: SprtState, progress: Progress) -> str:
    return f"ratio {state.llr:+.2f} of {state.lower:+.2f} to {state.upper:+.2f}"


def _print(
    planned: PlannedMatch,
    sprt: Sprt,
    ledger: SequentialLedger,
    expected: dict[str, int],
    *,
    as_json: bool,
) -> None:
    document = _document(planned, sprt, ledger, expected)
    if as_json:
        print_json(document)
        return
    click.echo("\n".join(_lines(document)))


def _document(
    planned: PlannedMatch, sprt: Sprt, ledger: SequentialLedger, expected: dict[str, int]
) -> dict[str, Any]:
    """The document of `arena sprt --json`."""
    from arena.records import MatchStats
    from arena.stats import estimate_after_stop

    match, state = planned.match, ledger.state
    stats = ledger.played or MatchStats.zero(seats=2, rotations=match.rotations)
    found = estimate_after_stop(sprt, block_counts(stats))
    return {
        "rules": match.rules,
        "bots": list(match.bots),
        "seed": match.seed,
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "scale": sprt.scale,
        "alpha": sprt.alpha,
        "beta": sprt.beta,
        "verdict": {"RUNNING": "stopped"}.get(state.verdict.name, state.verdict.name.lower()),
        "status": found.status.value,
        "games": stats.games,
        "blocks": stats.blocks,
        "expected_games": expected,
        "ratio": state.llr,
        "ratio_low": state.lower,
        "ratio_high": state.upper,
        "score": found.score.value,
        "score_low": found.score.low,
        "score_high": found.score.high,
        "elo": found.elo.value,
        "elo_low": found.elo.low,
        "elo_high": found.elo.high,
        "corrected": found.corrected,
        "saving": None if match.fixed_seats else saving_of(stats),
        "forfeits": [int(number) for number in stats.forfeits],
        "digest": stats.digest,
    }


def _lines(document: dict[str, Any]) -> list[str]:
    first, second = document["bots"]
    elo0, elo1 = elo_text(document["elo0"]), elo_text(document["elo1"])
    kind = "" if document["scale"] == "logistic" else " normalised"
    said = {
        "h0": f"H0 accepted: {first} is less than {elo1}{kind} Elo against {second}",
        "h1": f"H1 accepted: {first} is more than {elo0}{kind} Elo against {second}",
        "undecided": f"undecided: between {elo0} and {elo1}{kind} Elo, as far as can be told",
        "stopped": "stopped before a decision",
    }
    corrected = "median-unbiased after the stop" if document["corrected"] else "as in a match"
    return [
        f"{document['rules']}: {count(document['games'])} games in {count(document['blocks'])} "
        f"blocks, seed {document['seed']}",
        said[document["verdict"]],
        f"log likelihood ratio {document['ratio']:+.2f}, bounds {document['ratio_low']:+.2f} and "
        f"{document['ratio_high']:+.2f}",
        f"score {percent(document['score'])} ({percent(document['score_low'])} to "
        f"{percent(document['score_high'])})",
        f"Elo {elo_text(document['elo'])} ({elo_text(document['elo_low'])} to "
        f"{elo_text(document['elo_high'])}), {corrected}",
        *_remarks(document),
        f"digest {document['digest']}",
    ]


def _remarks(document: dict[str, Any]) -> list[str]:
    """What a reader must know besides."""
    from arena.stats import MatchStatus

    first, second = document["bots"]
    told: dict[MatchStatus, str] = {
        MatchStatus.IDENTICAL: f"{first} and {second} play alike here: every block is one half",
        MatchStatus.ALL_WON: f"{first} won everything: Elo has no upper bound",
        MatchStatus.ALL_LOST: f"{first} lost everything: Elo has no lower bound",
    }
    remark = told.get(MatchStatus(document["status"]))
    if remark is None and document["saving"] is not None:
        remark = f"blocks save x{document['saving']:.1f}"
    return [remark] if remark else []

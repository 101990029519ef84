"""`arena luck`: how much of a match was dice and how much was play."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from arena.bots.isolation import Isolation
from arena.bots.loader import find_bots
from arena.cli.lineup import planned_match
from arena.cli.options import (
    DEFAULT_SEED,
    PlayingChoice,
    json_option,
    playing_options,
    rules_option,
)
from arena.cli.output import count, percent, print_json, text_table
from arena.cli.preflight import need_solved
from arena.cli.told_faults import fault_text
from arena.errors import RunError
from arena.records import seat_of
from arena.tournament import PlannedMatch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from arena.stats import Estimate


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LuckByBlock:
    """A match of two taken apart; all float64[blocks, 2], by place, means of a block's games.

    Attributes:
        score: what each bot scored.
        adjusted: the same without the luck of the dice; equal on average.
        luck: win probability that each bot gained by its own dice.
        play: win probability that each bot gave away by its decisions; 0 or more.
    """

    score: NDArray[np.float64]
    adjusted: NDArray[np.float64]
    luck: NDArray[np.float64]
    play: NDArray[np.float64]


_COLUMNS = tuple(field.name for field in fields(LuckByBlock))


@click.command()
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@rules_option()
@click.option(
    "--games",
    type=click.IntRange(min=4),
    default=200,
    show_default=True,
    help="Games, rounded up to whole blocks; each is gone through roll by roll, which takes time.",
)
@click.option("--seed", type=int, default=DEFAULT_SEED, show_default=True, help="Of the dice.")
@playing_options()
@json_option()
def command(
    a: str, b: str, rules: str, games: int, seed: int, how: PlayingChoice, as_json: bool
) -> None:
    """Tell how much of a match was dice and how much was play.

    \b
    arena luck hold:points=300 hold:points=500 --rules zehntausend-2 --games 400

    The ruleset must have been solved (arena solve). Every roll changes the probability to win under
    perfect play: that is luck, 0 on average. Every decision that is not the best one gives some of
    it away: that is play. What is left of the score without the luck has the same mean and a
    narrower interval; the last line says by how much. The games are those of `arena match` with the
    same bots, rules and seed.
    """
    apart = how.isolation.chosen()
    planned = planned_match(
        (a, b),
        rules,
        index=find_bots(how.sources, isolation=apart),
        seed=seed,
        blocks=-(-games // 2),
    )
    need_solved(
        [planned.ruleset],
        "arena luck",
        workers=how.workers,
        quiet=how.quiet,
        solve=how.solve,
    )
    document = luck_document(planned, _blocks(planned, apart, how.quiet))
    if as_json:
        print_json(document)
    else:
        _print(document)


def _blocks(planned: PlannedMatch, isolation: Isolation, quiet: bool) -> LuckByBlock:
    """Play the games of a match and take them apart.

    Raises:
        RunError: a bot forfeited a game.
    """
    import numpy as np

    from arena.solver.luck import game_luck
    from arena.solver.solved import solved
    from arena.tournament.one_game import play_games

    perfect = solved(planned.ruleset)
    found = {name: np.zeros((planned.blocks, 2)) for name in _COLUMNS}
    addresses = [(block, rotation) for block in range(planned.blocks) for rotation in range(2)]
    games = play_games(
        planned.match, planned.ruleset, planned.specs, addresses, isolation=isolation
    )
    for game in _shown(games, len(addresses), quiet):
        if game.fault is not None:
            raise RunError(f"a forfeited game has no luck to tell; {fault_text(game.fault)}")
        luck = game_luck(perfect, game.events)
        for place in range(2):
            seat = seat_of(place, game.rotation, 2)
            won, adjusted = luck.result, luck.adjusted
            values = {
                "score": 1 - won if seat else won,
                "adjusted": 1 - adjusted if seat else adjusted,
                "luck": luck.luck[seat],
                "play": -luck.play[seat],
            }
            for name, value in values.items():
                found[name][game.block, place] += value / 2
    return LuckByBlock(**found)


def luck_document(planned: PlannedMatch, blocks: LuckByBlock) -> dict[str, Any]:
    """The document of `arena luck --json`."""
    from arena.stats import mean_interval

    match = planned.match
    bots = []
    for place in range(2):
        score = mean_interval(blocks.score[:, place])
        adjusted = mean_interval(blocks.adjusted[:, place])
        bots.append(
            {
                "bot": match.bots[place],
                **_interval("score", score),
                **_interval("adjusted", adjusted),
                "luck": float(blocks.luck[:, place].mean()),
                "play": float(blocks.play[:, place].mean()),
            }
        )
    games = 2 * planned.blocks
    wide, narrow = _width(bots[0], "score"), _width(bots[0], "adjusted")
    narrower = wide / narrow if narrow > 0 else None
    return {
        "rules": match.rules,
        "games": games,
        "blocks": planned.blocks,
        "seed": match.seed,
        "bots": bots,
        "narrower": narrower,
        "worth_games": None if narrower is None else round(games * narrower**2),
    }


def _interval(name: str, estimate: Estimate) -> dict[str, float]:
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}


def _width(bot: dict[str, Any], name: str) -> float:
    return float(bot[f"{name}_high"] - bot[f"{name}_low"])


def _print(document: dict[str, Any]) -> None:
    head = ["bot", "score", "95 % interval", "without luck", "95 % interval", "luck", "given away"]
    rows = [
        [
            bot["bot"],
            percent(bot["score"]),
            f"{percent(bot['score_low'])} to {percent(bot['score_high'])}",
            percent(bot["adjusted"], 2),
            f"{percent(bot['adjusted_low'], 2)} to {percent(bot['adjusted_high'], 2)}",
            f"{100 * bot['luck']:+.2f} %",
            percent(bot["play"], 2),
        ]
        for bot in document["bots"]
    ]
    games = document["games"]
    click.echo(
        f"{document['rules']}: {count(games)} games in {count(document['blocks'])} blocks "
        f"(all rotations), seed {document['seed']}\n"
    )
    click.echo(text_table(head, rows))
    if document["narrower"] is None:
        click.echo(
            "\nwithout the luck of the dice nothing is left that varies: both play alike in these "
            "games"
        )
        return
    click.echo(
        f"\nwithout luck the interval is x{document['narrower']:.1f} narrower: as narrow as that "
        f"of {count(document['worth_games'])} games"
    )


def _shown(games: Iterator[Any], total: int, quiet: bool) -> Iterator[Any]:
    """The games, with a progress bar."""
    hidden = quiet or not sys.stderr.isatty()
    yield from tqdm(games, total=total, unit=" games", disable=hidden, leave=False)

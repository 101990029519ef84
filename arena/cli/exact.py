"""`arena exact`: compute how two bots play, without chance."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import click

from arena.cli.computing import computed_bots, share_bar
from arena.cli.options import ComputingChoice, computing_options, json_option, rules_option
from arena.cli.output import elo_text, note, print_json, text_table
from arena.rules import Ruleset, load_ruleset
from arena.rules.places import rules_folders

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.solver.distributions import Turns
    from arena.solver.exact import ExactGame


SMALLEST_SCORE: Final = 1e-9
"""Scores are kept this far from 0 and 1 before they are turned into Elo."""


@click.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@rules_option()
@click.option("--turns", "show_turns", is_flag=True, help="Show the bots' single turns too.")
@computing_options()
@json_option()
def command(
    first: str,
    second: str,
    rules: str,
    show_turns: bool,
    how: ComputingChoice,
    as_json: bool,
) -> None:
    """Compute how often A wins against B, from either seat.

    \b
    arena exact hold:points=300 hold:points=500 --rules tienduizend
    arena exact chaser hold --rules zehntausend-2 --turns --json

    No dice are rolled: the bots are asked about every position that can come up, and the
    probabilities are carried along. Bots that use turn.rng or keep notes cannot be computed. Bots
    that look at no score take seconds, others up to some minutes; how long is said beforehand.
    """
    from arena.solver.exact import exact_game
    from arena.solver.foresight import foresee
    from arena.solver.size import exact_size

    ruleset = load_ruleset(rules, rules_folders())
    exact_size(ruleset)  # before any bot is started
    names = (first, second)
    with computed_bots(
        names, ruleset, sources=how.sources, isolation=how.isolation.chosen()
    ) as bots:
        if not how.quiet:
            note(f"{ruleset.name}, from each seat: {foresee(ruleset, bots[0], bots[1])}")
        with share_bar("games over", how.quiet) as tick:
            game = exact_game(ruleset, bots[0], bots[1], tick=tick)
        with share_bar("games over, seats changed", how.quiet) as tick:
            same = bots[0] is bots[1]
            changed = game if same else exact_game(ruleset, bots[1], bots[0], tick=tick)
        turns = _turns(ruleset, bots) if show_turns else None
    if as_json:
        document = _document(ruleset, names, game, changed)
        print_json(document if turns is None else {**document, "turns": turns})
    else:
        click.echo(_text(ruleset, names, game, changed))
        if turns is not None:
            click.echo("\n" + _turns_text(turns))


def _turns(rules: Ruleset, bots: Sequence[Turns]) -> dict[str, Any]:
    """Single turns of each bot, at the beginning of a game and as if it were open."""
    from arena.solver.exact import exact_turn

    return {
        bot.name: {
            word: asdict(exact_turn(rules, bot, is_open=is_open))
            for word, is_open in (("unopened", False), ("opened", True))
        }
        for bot in bots
    }


def _score(game: ExactGame, changed: ExactGame) -> float:
    """The share of points of the first bot over both seats, a draw being half a point."""
    return (game.wins[0] + game.draw / 2 + changed.wins[1] + changed.draw / 2) / 2


def _elo(score: float) -> float:
    from arena.stats import elo_from_score  # scipy takes long to import

    return float(elo_from_score(min(max(score, SMALLEST_SCORE), 1 - SMALLEST_SCORE)))


def _document(
    rules: Ruleset, names: tuple[str, str], game: ExactGame, changed: ExactGame
) -> dict[str, Any]:
    """The first bot is in seat 1, but under `seats_changed`, where it is in seat 2."""
    score = _score(game, changed)
    return {
        "rules": rules.name,
        "bots": list(names),
        "wins": list(game.wins),
        "draw": game.draw,
        "equal_scores": list(game.equal),
        "rounds": game.rounds,
        "seats_changed": {"wins": list(changed.wins), "draw": changed.draw},
        "score": score,
        "elo": _elo(score),
    }


def _text(rules: Ruleset, names: tuple[str, str], game: ExactGame, changed: ExactGame) -> str:
    first, second = names
    rows = [
        [f"{first} in seat 1", *(f"{p:.9f}" for p in (game.wins[0], game.draw, game.wins[1]))],
        [
            f"{first} in seat 2",
            *(f"{p:.9f}" for p in (changed.wins[1], changed.draw, changed.wins[0])),
        ],
    ]
    table = text_table(["", f"{first} wins", "drawn", f"{second} wins"], rows)
    score = _score(game, changed)
    return (
        f"{rules.name}\n\n{table}\n\nscore of {first} over both seats {score:.9f}, "
        f"Elo {elo_text(_elo(score))}; {game.rounds:.3f} rounds a game"
    )


def _turns_text(turns: dict[str, Any]) -> str:
    keys = ["mean", "sd", "nothing", "rolls", "instant_win"]
    rows = [
        [bot, word, *(f"{turn[key]:.9g}" for key in keys)]
        for bot, words in turns.items()
        for word, turn in words.items()
    ]
    return text_table(["bot", "turn", *(key.replace("_", " ") for key in keys)], rows)

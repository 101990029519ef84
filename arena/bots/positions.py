"""From questions to turns: what a bot sees, in plain integers."""

from __future__ import annotations

from collections.abc import Iterator

from arena.game.questions import Questions
from arena.game.rng import RngShelf
from arena.game.turn import Turn, TurnInTheMaking
from arena.rules import RuleTables


def turns_of(questions: Questions, tables: RuleTables, shelf: RngShelf) -> Iterator[Turn]:
    """The turn of each question, made when it is its turn.

    Args:
        questions: the positions.
        tables: of the ruleset.
        shelf: where `turn.rng` comes from.
    """
    new, rules, rolls = TurnInTheMaking.__new__, tables.ruleset, tables.rolls
    for roll, features, seed in zip(
        questions.rolls.tolist(),
        questions.features.tolist(),
        questions.rng_seeds.tolist(),
        strict=True,
    ):
        turn = new(TurnInTheMaking)
        turn.rules = rules
        (
            turn.points,
            turn.rolls,
            turn.limited_rolls,
            turn.score,
            turn.round,
            turn.seat,
            last_round,
            turn.to_beat,
            turn.busts,
            is_open,
            *opponents,
        ) = features
        turn.last_round = last_round == 1
        turn.open = is_open == 1
        turn.opponents = tuple(opponents)
        turn._roll = rolls[roll]
        turn._rng_seed = seed
        turn._rng = None
        turn._shelf = shelf
        turn.__class__ = Turn
        yield turn  # type: ignore[misc]  # it is a Turn since the line before


def again(turn: Turn) -> Turn:
    """The same position anew, for asking a second time."""
    return Turn(
        turn.rules,
        turn._roll,
        points=turn.points,
        rolls=turn.rolls,
        limited_rolls=turn.limited_rolls,
        score=turn.score,
        opponents=turn.opponents,
        round=turn.round,
        seat=turn.seat,
        last_round=turn.last_round,
        to_beat=turn.to_beat,
        busts=turn.busts,
        open=turn.open,
        rng_seed=turn._rng_seed,
    )

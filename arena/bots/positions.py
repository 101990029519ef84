"""From questions to turns: what a bot sees, in plain integers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from arena.game.questions import Feature, Questions, feature_count
from arena.game.rng import RngShelf
from arena.game.turn import Turn, TurnInTheMaking
from arena.rules import Roll, Ruleset


def turns_of(
    questions: Questions,
    rules: Ruleset,
    rolls: Sequence[Roll] | Mapping[int, Roll],
    shelf: RngShelf,
) -> Iterator[Turn]:
    """The turn of each question, made when it is its turn.

    Args:
        questions: the positions.
        rules: the ruleset.
        rolls: its rolls by id.
        shelf: where `turn.rng` comes from.
    """
    new = TurnInTheMaking.__new__
    # Columns instead of rows: a list for each question would keep the garbage collector busy.
    for (
        roll,
        seed,
        points,
        thrown,
        limited,
        score,
        number,
        seat,
        last_round,
        to_beat,
        busts,
        is_open,
        *opponents,
    ) in zip(
        questions.rolls.tolist(),
        questions.rng_seeds.tolist(),
        *questions.features.T.tolist(),
        strict=True,
    ):
        turn = new(TurnInTheMaking)
        turn.rules = rules
        turn.points = points
        turn.rolls = thrown
        turn.limited_rolls = limited
        turn.score = score
        turn.round = number
        turn.seat = seat
        turn.to_beat = to_beat
        turn.busts = busts
        turn.last_round = last_round == 1
        turn.open = is_open == 1
        turn.opponents = tuple(opponents)
        turn._roll = rolls[roll]
        turn._rng_seed = seed
        turn._rng = None
        turn._shelf = shelf
        turn.__class__ = Turn
        yield turn  # type: ignore[misc]  # it is a Turn since the line before


def question_of(turn: Turn, *, slot: int = 0, fresh: bool = True) -> Questions:
    """A turn as a batch of one question, see `Questions`."""
    import numpy as np  # not needed by a bot's process, which starts with this module

    features = np.zeros((1, feature_count(len(turn.opponents) + 1)), dtype=np.int64)
    features[0, Feature.POINTS] = turn.points
    features[0, Feature.ROLLS] = turn.rolls
    features[0, Feature.LIMITED_ROLLS] = turn.limited_rolls
    features[0, Feature.SCORE] = turn.score
    features[0, Feature.ROUND] = turn.round
    features[0, Feature.SEAT] = turn.seat
    features[0, Feature.LAST_ROUND] = turn.last_round
    features[0, Feature.TO_BEAT] = turn.to_beat
    features[0, Feature.BUSTS] = turn.busts
    features[0, Feature.OPEN] = turn.open
    features[0, Feature.OPPONENT :] = turn.opponents
    return Questions(
        rolls=np.array([turn._roll.id], dtype=np.int64),
        features=features,
        rng_seeds=np.array([turn._rng_seed], dtype=np.uint64),
        slots=np.array([slot], dtype=np.int64),
        fresh=np.array([fresh], dtype=np.bool_),
    )


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

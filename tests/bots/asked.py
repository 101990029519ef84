"""A made-up bot, one roll, and what its answers say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arena import Bot, Turn
from arena.bots.asking import LocalAsker
from arena.game.questions import Answers, Feature, feature_count
from tests.bots.positions import questions_at, tables_of

TABLES = tables_of("tienduizend")
ROLL = TABLES.roll([1, 1, 2, 3, 4, 6])
Decide = Callable[[Any, Turn], Any]
Note = tuple[dict[Feature, int], int, int]


def bot(decide: Decide, **attributes: Any) -> type[Bot]:
    """A bot class with this `decide`; it says that it is from the file of the function."""
    return type("Made", (Bot,), {"decide": decide, "__module__": decide.__module__, **attributes})


def features(seats: int = 2, **values: int) -> list[int]:
    """An early position with some features set."""
    row = [0] * feature_count(seats)
    row[Feature.ROLLS] = row[Feature.LIMITED_ROLLS] = row[Feature.ROUND] = row[Feature.SEAT] = 1
    for name, value in values.items():
        row[Feature[name.upper()]] = value
    row[Feature.TO_BEAT] = max(row[Feature.OPPONENT :])
    return row


def ask(decide: Decide, *positions: list[int]) -> tuple[LocalAsker, Answers]:
    """Ask a new bot about positions of one roll."""
    asker = LocalAsker(bot(decide), TABLES, 2)
    return asker, asker.answer(questions_at([ROLL.id] * len(positions), positions))


def notes(answers: Answers, i: int = 0) -> list[Note]:
    """Notes of one answer, weights by feature."""
    which = range(answers.note_first[i], answers.note_first[i + 1])
    return [
        (
            {Feature(f): w for f, w in enumerate(answers.note_weights[n].tolist()) if w},
            int(answers.note_low[n]),
            int(answers.note_high[n]),
        )
        for n in which
    ]

"""Random bots at random positions: observed numbers give the answers of plain ones, and the notes
of an answer cover no position with another answer."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.bots.asking import LocalAsker
from arena.game.questions import UNBOUNDED, Answers, Questions
from arena.rules import Roll, RuleTables
from tests.bots.generated import bot_class
from tests.bots.observing import notes_cover
from tests.bots.positions import (
    RULESETS,
    questions_at,
    random_questions,
    repaired,
    tables_of,
)

SEEDS = st.integers(0, 2**32 - 1)


def moved(rng: random.Random, features: list[int], answers: Answers, i: int) -> list[int]:
    """Another position, if possible one that just satisfies, or just fails, a note of answer i."""
    other = list(features)
    for _ in range(rng.randint(0, 3)):
        feature = rng.randrange(len(other))
        other[feature] += rng.choice([-1, 1]) * rng.choice([1, 1, 50, 250, rng.randrange(5000)])
    notes = range(answers.note_first[i], answers.note_first[i + 1])
    if notes and rng.random() < 0.7:
        note = rng.choice(notes)
        weights = answers.note_weights[note].tolist()
        bounds = [int(answers.note_low[note]), int(answers.note_high[note])]
        bound = rng.choice([b for b in bounds if abs(b) < UNBOUNDED])
        value = sum(w * f for w, f in zip(weights, other, strict=True))
        feature = rng.choice([f for f, w in enumerate(weights) if w])
        other[feature] += (bound - value) // weights[feature]
    return other


def check_soundness(
    rng: random.Random, asker: LocalAsker, questions: Questions, answers: Answers, seats: int
) -> int:
    """Ask about many other positions that satisfy the notes; how many there were."""
    rolls, positions, expected = [], [], []
    for i in np.flatnonzero(answers.repeatable).tolist():
        features = questions.features[i].tolist()
        assert notes_cover(answers, i, features)
        for _ in range(25):
            other = repaired(moved(rng, features, answers, i), seats)
            if notes_cover(answers, i, other):
                rolls.append(int(questions.rolls[i]))
                positions.append(other)
                expected.append(int(answers.codes[i]))
    if rolls:
        again = questions_at(rolls, positions)
        assert asker.audit(again).tolist() == expected
    return len(rolls)


@settings(max_examples=250, deadline=None, derandomize=True)
@given(seed=SEEDS, place=SEEDS, spec=st.sampled_from(RULESETS), seats=st.integers(2, 4))
def test_generated_bots_are_traced_exactly(seed: int, place: int, spec: str, seats: int) -> None:
    tables, rng = tables_of(spec), random.Random(place)
    asker = LocalAsker(bot_class(seed), tables, seats)
    questions = random_questions(rng, tables, seats, 12)
    answers = asker.answer(questions)
    assert asker.faults == []
    assert asker.mismatches == 0
    assert asker.repeatable
    assert answers.repeatable.all()
    assert answers.codes.tolist() == asker.audit(questions).tolist()
    check_soundness(rng, asker, questions, answers, seats)


def alike(tables: RuleTables, roll: int) -> list[int]:
    """Rolls that differ from this one in nothing but faces."""

    def signature(each: Roll) -> object:
        holds = [(hold.points, hold.dice_left, hold.hot) for hold in each.holds]
        return len(each.dice), each.goes_on, each.instant_win, holds

    one = signature(tables.rolls[roll])
    return [each.id for each in tables.rolls if signature(each) == one]


@settings(max_examples=150, deadline=None, derandomize=True)
@given(seed=SEEDS, place=SEEDS, spec=st.sampled_from(RULESETS))
def test_a_bot_that_sees_no_dice_decides_alike_whatever_they_show(
    seed: int, place: int, spec: str
) -> None:
    tables, rng, seats = tables_of(spec), random.Random(place), 2
    asker = LocalAsker(bot_class(seed), tables, seats)
    questions = random_questions(rng, tables, seats, 12)
    codes = asker.answer(questions).codes.tolist()
    others = [rng.choice(alike(tables, roll)) for roll in questions.rolls.tolist()]
    if not asker.sees_dice:
        again = LocalAsker(bot_class(seed), tables, seats)
        assert again.audit(questions_at(others, questions.features.tolist())).tolist() == codes

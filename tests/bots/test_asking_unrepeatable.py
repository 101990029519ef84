"""Answers that may not be remembered, and bots that may not be believed."""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from arena import Bot, Decision, Turn
from arena.bots.asking import KEPT_WHOLE, LocalAsker
from arena.game.questions import UNBOUNDED, Feature
from tests.bots.asked import ROLL, TABLES, ask, bot, features, notes
from tests.bots.observing import notes_cover
from tests.bots.positions import (
    questions_at,
    random_questions,
)
from tests.bots.test_asking_generated import check_soundness


def test_an_answer_that_used_random_numbers_is_not_repeatable() -> None:
    drawn = []

    def decide(self: Any, turn: Turn) -> Decision:
        if turn.points > 100:
            drawn.append((type(turn).__name__, turn.rng.random()))
        return turn.holds[0].bank()

    asker, answers = ask(decide, features(), features(points=200))
    assert answers.repeatable.tolist() == [True, False]
    assert notes(answers, 1) == []
    assert asker.repeatable
    assert len(drawn) == 1  # there was no need to trace it


def test_random_numbers_depend_on_the_seed_alone_and_no_bot_shares_a_generator() -> None:
    kept: list[random.Random] = []

    def decide(self: Any, turn: Turn) -> Decision:
        kept.append(turn.rng)
        turn.rng.random()
        return turn.holds[0].bank()

    _, _ = ask(decide, *[features()] * 6)
    assert len({id(rng) for rng in kept}) == 6
    numbers = [rng.random() for rng in kept]
    assert len(set(numbers)) == 6
    seeds = questions_at([0] * 6, [features()] * 6).rng_seeds.tolist()
    for number, seed in zip(numbers, seeds, strict=True):
        turn = Turn(
            TABLES.ruleset, ROLL, points=0, rolls=1, limited_rolls=1, score=0, opponents=(0,),
            round=1, seat=1, last_round=False, to_beat=0, busts=0, open=False, rng_seed=seed,
        )  # fmt: skip
        turn.rng.random()
        assert turn.rng.random() == number


def test_what_fails_on_observed_numbers_only_is_noted_whole() -> None:
    def decide(self: Any, turn: Turn) -> Decision:
        enough = turn.points >= 300 and json.dumps([turn.points, turn.score]) > "[4"
        return turn.holds[0].bank() if enough else turn.holds[0].roll()

    asker, answers = ask(decide, features(points=100), features(points=300, score=50, busts=1))
    assert answers.codes.tolist() == [1, 1]
    assert answers.repeatable.all()
    assert asker.mismatches == 1
    assert notes(answers, 0) == [({Feature.POINTS: 1}, -UNBOUNDED, 299)]
    whole = features(points=300, score=50, busts=1)
    assert notes(answers, 1)[0] == ({Feature.POINTS: 1}, 300, UNBOUNDED)
    assert notes(answers, 1)[1:] == [({Feature(f): 1}, v, v) for f, v in enumerate(whole)]


def test_observed_numbers_are_no_longer_tried_where_they_never_work() -> None:
    def decide(self: Any, turn: Turn) -> Decision:
        return turn.holds[json.dumps(turn.score).count("5") > 1].bank()

    asker = LocalAsker(bot(decide), TABLES, 2)
    rows = [features(score=i) for i in range(KEPT_WHOLE + 50)]
    answers = asker.answer(questions_at([ROLL.id] * len(rows), rows))
    assert answers.repeatable.tolist() == [True] * KEPT_WHOLE + [False] * 50
    assert asker.mismatches == KEPT_WHOLE
    assert asker.repeatable


@pytest.mark.parametrize(
    "tells_apart",
    [
        lambda turn: type(turn.points) is int,
        lambda turn: type(turn) is Turn,
        lambda turn: turn.points.__class__ is type(turn.points),
        lambda turn: "Observed" not in str(type(turn.points)),
    ],
)
def test_a_bot_that_tells_observed_numbers_apart_is_not_believed(
    tells_apart: Callable[[Turn], bool],
) -> None:
    asker, answers = ask(
        lambda self, turn: turn.holds[0].bank() if tells_apart(turn) else turn.holds[0].roll(),
        features(),
        features(points=50),
    )
    assert answers.codes.tolist() == [0, 0]
    assert not answers.repeatable.any()
    assert not asker.repeatable
    assert asker.mismatches == 1
    (fault,) = asker.faults
    assert fault.kind == "unrepeatable"
    assert fault.question == -1
    assert "remembers=True" in fault.message


def test_memory_of_worked_out_values_is_harmless() -> None:
    class Thinker(Bot):
        def __init__(self) -> None:
            self.known: dict[tuple[int, int], int] = {}

        @functools.lru_cache(maxsize=100)  # noqa: B019 - what authors do
        def value(self, points: int, left: int) -> int:
            return points + 20 * left

        def decide(self, turn: Turn) -> Decision:
            hold = turn.holds[0]
            key = (turn.points, hold.dice_left)
            if key not in self.known:
                self.known[key] = turn.points * 2 + json.loads(json.dumps(hold.dice_left))
            good = self.value(turn.points, hold.dice_left) > 350 or self.known[key] > 900
            return hold.bank() if good else hold.roll()

    asker = LocalAsker(Thinker, TABLES, 2)
    questions = random_questions(random.Random(0), TABLES, 2, 300)
    for _ in range(2):
        answers = asker.answer(questions)
        assert answers.repeatable.all()
        check_soundness(random.Random(5), asker, questions, answers, 2)
    assert asker.mismatches == asker.fault_count == 0


def test_a_number_kept_from_an_earlier_question_makes_no_false_notes() -> None:
    class Keeper(Bot):
        last: Any = 0

        def decide(self, turn: Turn) -> Decision:
            more = turn.points - self.last > 0
            if turn.score > 100:
                self.last = turn.points
            return turn.holds[0].bank() if more else turn.holds[0].roll()

    asker = LocalAsker(Keeper, TABLES, 2)
    first = asker.answer(questions_at([ROLL.id], [features(points=100)]))
    assert first.repeatable.all()
    asker.answer(questions_at([ROLL.id], [features(points=500, score=200)]))
    second = asker.answer(questions_at([ROLL.id], [features(points=100)]))
    assert second.codes.tolist() == [1]
    assert not second.repeatable.any()


def test_a_turn_kept_from_an_earlier_question_makes_no_false_notes() -> None:
    class Keeper(Bot):
        last: Any = None

        def decide(self, turn: Turn) -> Decision:
            old, self.last = self.last, turn
            if old is not None and (old.score > 100 or old.last_round or old.seat == 2):
                return turn.holds[0].bank()
            return turn.holds[0].roll()

    asker = LocalAsker(Keeper, TABLES, 2)
    for row in (features(score=500), features(), features(), features()):
        answers = asker.answer(questions_at([ROLL.id], [row]))
        if asker.repeatable and answers.repeatable.all():
            assert notes_cover(answers, 0, row)
    # Sooner or later the plain turn of one question meets the traced turn of the one before.
    assert not answers.repeatable.any()


def test_a_bot_is_not_blamed_for_choking_on_a_number_that_it_kept() -> None:
    class Writer(Bot):
        def __init__(self) -> None:
            self.seen: list[int] = []

        def decide(self, turn: Turn) -> Decision:
            self.seen.append(turn.points)
            text = json.dumps(self.seen[:-1])
            return turn.holds[0].bank() if len(text) > 40 else turn.holds[0].roll()

    asker = LocalAsker(Writer, TABLES, 2)
    answers = asker.answer(questions_at([ROLL.id] * 3, [features()] * 3))
    assert answers.codes.tolist() == [1, 1, 1]
    assert not asker.repeatable
    assert [fault.kind for fault in asker.faults] == ["unrepeatable"]
    assert "TypeError" in asker.faults[0].message

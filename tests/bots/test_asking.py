"""Asking a bot of this process: answers and notes, bots that remember."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena import Bot, Decision, Turn
from arena.bots.asking import LocalAsker, asker_of
from arena.bots.loader import find_bots
from arena.bots.notebook import units_of
from arena.errors import BotError
from arena.game.questions import FAULT, UNBOUNDED, Feature, feature_count
from arena.rules import MAX_ROLLS_PER_TURN
from tests.bots.asked import ROLL, TABLES, Decide, ask, bot, features, notes
from tests.bots.positions import (
    RULESETS,
    asked_rolls,
    questions_at,
    random_features,
    random_questions,
    tables_of,
)
from tests.bots.test_asking_generated import check_soundness

SHIPPED = [
    name
    for name in sorted(find_bots([], entry_points=False).bots)
    if not name.startswith("perfect")  # they know no way at positions that no game comes to
]


def test_an_answer_is_a_code_and_what_was_learnt() -> None:
    def decide(self: Any, turn: Turn) -> Decision:
        hold = turn.holds[0]
        return hold.bank() if turn.points + hold.points >= 500 else hold.roll()

    asker, answers = ask(decide, features(points=250), features(points=300))
    assert ROLL.holds[0].points == 200
    assert answers.codes.tolist() == [1, 0]
    assert answers.repeatable.tolist() == [True, True]
    assert notes(answers, 0) == [({Feature.POINTS: 1}, -UNBOUNDED, 299)]
    assert notes(answers, 1) == [({Feature.POINTS: 1}, 300, UNBOUNDED)]
    assert asker.mismatches == asker.fault_count == 0


def test_arrays_have_the_promised_shapes() -> None:
    for count in (0, 1, 5):
        answers = LocalAsker(bot(lambda self, turn: turn.holds[0].bank()), TABLES, 3).answer(
            random_questions(random.Random(0), TABLES, 3, count)
        )
        assert answers.codes.dtype == answers.note_low.dtype == answers.note_high.dtype == np.int64
        assert answers.repeatable.dtype == np.bool_
        assert answers.codes.shape == answers.repeatable.shape == (count,)
        assert answers.note_first.shape == (count + 1,)
        assert answers.note_weights.shape == (0, feature_count(3))


@pytest.mark.parametrize("spec", RULESETS)
@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_bots_are_traced_exactly(name: str, spec: str) -> None:
    tables, rng, seats = tables_of(spec), random.Random(7), 3
    asker = asker_of(find_bots([], entry_points=False).bots[name], tables, seats)
    for _ in range(3):
        questions = random_questions(rng, tables, seats, 40)
        answers = asker.answer(questions)
        check_soundness(rng, asker, questions, answers, seats)
    assert asker.mismatches == asker.fault_count == 0


def test_the_turn_notes_no_more_than_it_needs() -> None:
    def learnt(decide: Decide, seats: int = 2, spec: str = "tienduizend") -> list[Any]:
        tables = tables_of(spec)
        asker = LocalAsker(bot(decide), tables, seats)
        roll = tables.roll([1, 1, 2, 3, 4])
        row = features(seats, points=100, score=500, opponent=700)
        return [weights for weights, _, _ in notes(asker.answer(questions_at([roll.id], [row])))]

    def reads(read: Callable[[Turn], object]) -> Decide:
        def decide(self: Any, turn: Turn) -> Decision:
            read(turn)
            return turn.holds[0].bank()

        return decide

    nothing = [
        reads(lambda turn: (turn.dice, turn.holds, turn.rules, len(turn.opponents))),
        reads(lambda turn: (turn.points, turn.score - 3 * turn.to_beat, max(turn.opponents))),
        reads(lambda turn: [turn.can_roll(hold) or turn.must_roll(hold) for hold in turn.holds]),
        reads(lambda turn: turn.points >= 0 and turn.rolls > 0 and turn.busts < 0),
    ]
    for decide in nothing:
        assert learnt(decide) == []
    assert learnt(reads(lambda turn: turn.minimum), spec="zehntausend-2") == []
    assert learnt(reads(lambda turn: turn.can_bank(turn.holds[0]))) == [
        {Feature.OPEN: 1},
        {Feature.POINTS: 1},
    ]
    assert learnt(reads(lambda turn: turn.can_reroll)) == [{Feature.POINTS: 1}]
    assert learnt(reads(lambda turn: turn.seat)) == [{Feature.SEAT: 1}]
    assert learnt(reads(lambda turn: turn.last_round is True)) == [{Feature.LAST_ROUND: 1}]
    assert learnt(reads(lambda turn: turn.to_beat > 3)) == [{Feature.OPPONENT: 1}]
    assert learnt(reads(lambda turn: turn.to_beat > 3), seats=3) == [{Feature.TO_BEAT: 1}]
    assert learnt(reads(lambda turn: turn.can_roll(turn.holds[0])), spec="zehntausend-1") == [
        {Feature.LIMITED_ROLLS: 1}
    ]


def test_the_text_of_a_turn_tells_all() -> None:
    _, answers = ask(
        lambda self, turn: turn.holds[0].bank() if "7" in repr(turn) else turn.holds[0].roll(),
        features(score=300),
    )
    told = {feature for weights, _, _ in notes(answers) for feature in weights}
    assert told == set(Feature) - {Feature.LIMITED_ROLLS, Feature.TO_BEAT}


@pytest.mark.parametrize(
    ("reads", "sees"),
    [
        (lambda turn: [(hold.points, hold.dice_left, hold.hot) for hold in turn.holds], False),
        (lambda turn: turn.can_bank(turn.holds[0]) and turn.can_roll(turn.holds[-1]), False),
        (lambda turn: turn.holds[0].bank().hold is turn.holds[0], False),
        (lambda turn: {hold: hold.index for hold in turn.holds}, False),
        (lambda turn: turn.dice, True),
        (lambda turn: turn.holds[-1].dice, True),
        (lambda turn: str(turn.holds[0]), True),
        (lambda turn: repr(turn), True),
        (lambda turn: repr(turn.holds[0].roll()), True),
        (lambda turn: turn.holds[0].bank().hold.dice, True),
        (lambda turn: turn.rng.random() < 2 and turn.dice, True),
        (lambda turn: int("1") / (turn.dice == ()), True),
    ],
)
def test_looking_at_faces_is_noticed(reads: Callable[[Any], object], sees: bool) -> None:
    def decide(self: Any, turn: Turn) -> Decision:
        reads(turn)
        return turn.holds[0].bank()

    asker, _ = ask(decide, features())
    assert asker.sees_dice is sees


def test_bots_that_are_asked_every_time_see_the_dice() -> None:
    class Forgetful(Bot, remembers=True):
        def decide(self, turn: Turn) -> Decision:
            return turn.holds[0].bank()

    assert LocalAsker(Forgetful, TABLES, 2).sees_dice
    assert LocalAsker(bot(lambda self, turn: None), TABLES, 2, traced=False).sees_dice


def test_the_last_roll_of_a_turn_is_asked_each_time() -> None:
    _, answers = ask(
        lambda self, turn: turn.holds[0].bank(),
        features(rolls=MAX_ROLLS_PER_TURN - 1),
        features(rolls=MAX_ROLLS_PER_TURN),
    )
    assert answers.repeatable.tolist() == [True, False]


def test_a_bot_that_remembers_has_one_instance_for_each_game() -> None:
    class Counting(Bot, remembers=True):
        made = 0

        def __init__(self) -> None:
            type(self).made += 1
            self.asked = 0

        def decide(self, turn: Turn) -> Decision:
            assert type(turn.points) is int
            self.asked += 1
            return turn.holds[0].bank() if self.asked % 2 else turn.holds[0].roll()

    asker = LocalAsker(Counting, TABLES, 2)
    assert asker.remembers
    assert not asker.repeatable
    Counting.made = 0

    def codes(slots: list[int], fresh: list[bool]) -> list[int]:
        questions = questions_at([ROLL.id] * len(slots), [features()] * len(slots))
        questions.slots[:], questions.fresh[:] = slots, fresh
        answers = asker.answer(questions)
        assert not answers.repeatable.any()
        assert answers.note_first.tolist() == [0] * (len(slots) + 1)
        return [int(code) for code in answers.codes]

    assert codes([5, 9], [True, True]) == [0, 0]
    assert codes([9, 5, 5], [False, False, False]) == [1, 1, 0]
    assert codes([9, 5], [True, False]) == [0, 1]
    assert Counting.made == 3
    assert asker.fault_count == 0


def test_a_new_instance_that_cannot_be_made_is_a_fault() -> None:
    class Fragile(Bot, remembers=True):
        left = 2

        def __init__(self) -> None:
            type(self).left -= 1
            if self.left < 0:
                raise OSError("worn out")

        def decide(self, turn: Turn) -> Decision:
            return turn.holds[0].bank()

    asker = LocalAsker(Fragile, TABLES, 2)
    answers = asker.answer(questions_at([ROLL.id] * 3, [features()] * 3))
    assert answers.codes.tolist() == [0, FAULT, FAULT]
    assert asker.faults[0].message == "OSError: worn out"


def test_what_the_first_instance_raises_is_passed_on(tmp_path: Path) -> None:
    path = tmp_path / "late.py"
    path.write_text(
        "from arena import Bot\n"
        "class Late(Bot):\n"
        "    def __init__(self, points=3): self.points = points\n"
        "    def decide(self, turn):\n"
        "        hold = turn.holds[0]\n"
        "        return hold.bank() if turn.points >= self.points else hold.roll()\n"
    )
    spec = find_bots([path], entry_points=False).bots["late"]
    answers = asker_of(spec, TABLES, 2).answer(questions_at([ROLL.id], [features(points=3)]))
    assert notes(answers) == [({Feature.POINTS: 1}, 3, UNBOUNDED)]
    path.write_text("broken")
    with pytest.raises(BotError):
        asker_of(spec, TABLES, 2)


def test_features_have_the_order_that_a_turn_is_made_from() -> None:
    def decide(self: Any, turn: Turn) -> Decision:
        known = [turn.points, turn.rolls, turn.limited_rolls, turn.score, turn.round, turn.seat]
        flags = [turn.last_round, turn.to_beat, turn.busts, turn.open]
        seen.append([*known, *flags, *turn.opponents])
        return turn.holds[0].bank()

    seen: list[Any] = []
    row = random_features(random.Random(1), TABLES, 4)
    asker = LocalAsker(bot(decide), TABLES, 4)
    asker.answer(questions_at([asked_rolls(TABLES)[5]], [row]))
    plain, traced = seen
    assert list(plain) == row
    assert list(traced) == row
    assert isinstance(plain[Feature.LAST_ROUND], bool)
    assert isinstance(plain[Feature.OPEN], bool)
    assert len(units_of(4)) == len(row)

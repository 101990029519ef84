"""Bots whose answers depend on more than `turn`: found out, named, and asked every time.

Most are found at once, since every position is asked twice. What slips through is found by the
audit, which asks a sample of remembered answers again; a bot that is caught by neither in these
questions would be caught in the next ones.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from arena import Bot, Decision, Turn
from arena.bots.asking import LocalAsker
from arena.game.questions import FAULT
from tests.bots.asked import TABLES, Decide, bot
from tests.bots.positions import random_questions

COUNTER = 0
SEEN: set[int] = set()


def banks_if(turn: Turn, condition: object) -> Decision:
    return turn.holds[0].bank() if condition else turn.holds[0].roll()


def module_global(self: Any, turn: Turn) -> Decision:
    global COUNTER
    COUNTER += 1
    return banks_if(turn, COUNTER % 5 == 0)


def module_container(self: Any, turn: Turn) -> Decision:
    SEEN.add(hash((turn.dice, int(turn.points))) % 1000)
    return banks_if(turn, len(SEEN) % 2)


def class_attribute(self: Any, turn: Turn) -> Decision:
    type(self).bold = not getattr(type(self), "bold", False)
    return banks_if(turn, type(self).bold)


def instance_attribute(self: Any, turn: Turn) -> Decision:
    before = getattr(self, "before", 0)
    self.before = turn.score
    return banks_if(turn, turn.score > before)


def mutable_default(self: Any, turn: Turn, seen: list[int] = []) -> Decision:  # noqa: B006 - meant
    seen.append(len(turn.holds))
    return banks_if(turn, sum(seen) % 3)


def closure() -> Decide:
    asked = 0

    def decide(self: Any, turn: Turn) -> Decision:
        nonlocal asked
        asked += 1
        return banks_if(turn, asked % 7 < 3)

    return decide


def random_module(self: Any, turn: Turn) -> Decision:
    return banks_if(turn, random.random() < 0.5)


def numpy_random(self: Any, turn: Turn) -> Decision:
    return banks_if(turn, np.random.random() < 0.1)


def the_clock(self: Any, turn: Turn) -> Decision:
    return banks_if(turn, time.time() % 2 < 1)


def the_timer(self: Any, turn: Turn) -> Decision:
    return banks_if(turn, time.perf_counter_ns() % 2)


def id_of_turn(self: Any, turn: Turn) -> Decision:
    return banks_if(turn, id(turn) // 64 % 2)


def hash_of_turn(self: Any, turn: Turn) -> Decision:
    return banks_if(turn, hash(turn) % 3)


def function_attribute(self: Any, turn: Turn) -> Decision:
    function_attribute.asked = getattr(function_attribute, "asked", 0) + 1  # type: ignore[attr-defined]  # a bot's memory
    return banks_if(turn, function_attribute.asked % 2)  # type: ignore[attr-defined]  # as above


def generator(self: Any, turn: Turn) -> Decision:
    if not hasattr(self, "moods"):
        self.moods = (mood for _ in range(10**6) for mood in (True, False, False))
    return banks_if(turn, next(self.moods))


def turns_in_a_row(self: Any, turn: Turn) -> Decision:
    self.row = self.row + 1 if turn.rolls > getattr(self, "last_rolls", 0) else 0
    self.last_rolls = int(turn.rolls)
    return banks_if(turn, self.row > 1)


HIDDEN: list[Callable[..., Any]] = [
    module_global,
    module_container,
    class_attribute,
    instance_attribute,
    mutable_default,
    closure(),
    random_module,
    numpy_random,
    the_clock,
    the_timer,
    id_of_turn,
    hash_of_turn,
    function_attribute,
    generator,
    turns_in_a_row,
]


def play_and_audit(asker: LocalAsker, rounds: int = 4) -> None:
    """Ask, remember, and ask a sample again, as the kernel does."""
    rng = random.Random(11)
    for _ in range(rounds):
        questions = random_questions(rng, TABLES, 2, 60)
        answers = asker.answer(questions)
        remembered = np.flatnonzero(answers.repeatable)
        if not asker.repeatable:
            assert not len(remembered)
            return
        sample = questions.only(remembered)
        differs = np.flatnonzero(asker.audit(sample) != answers.codes[remembered])
        if len(differs):
            asker.distrust(sample.only(differs[:1]))


@pytest.mark.parametrize("decide", HIDDEN, ids=lambda decide: decide.__name__)
def test_a_bot_with_hidden_state_is_found_out(
    decide: Decide, monkeypatch: pytest.MonkeyPatch
) -> None:
    random.seed(3)
    np.random.seed(3)
    ticks = iter(range(10**9))
    monkeypatch.setattr(time, "time", lambda: next(ticks) * 0.3)
    monkeypatch.setattr(time, "perf_counter_ns", lambda: next(ticks) * 7 // 2)
    asker = LocalAsker(bot(decide, row=0), TABLES, 2)
    play_and_audit(asker)
    assert not asker.repeatable
    (fault,) = asker.faults
    assert fault.kind == "unrepeatable"
    assert fault.question == -1
    assert fault.position.startswith("rules: ")
    assert asker.fault_count == 1
    after = asker.answer(random_questions(random.Random(1), TABLES, 2, 20))
    assert not after.repeatable.any()
    assert (after.codes != FAULT).all()


def test_the_audit_finds_what_asking_twice_does_not() -> None:
    class Drifting(Bot):
        """Answers a hundred questions in a row alike."""

        asked = 0

        def decide(self, turn: Turn) -> Decision:
            type(self).asked += 1
            return banks_if(turn, type(self).asked // 500 % 2)

    asker = LocalAsker(Drifting, TABLES, 2)
    questions = random_questions(random.Random(2), TABLES, 2, 100)
    first = asker.answer(questions)
    assert first.repeatable.all()
    assert asker.repeatable
    codes = first.codes.tolist()
    assert asker.audit(questions).tolist() == codes
    for _ in range(3):
        asker.audit(questions)
    assert asker.audit(questions).tolist() != codes


def test_the_audit_is_in_another_order_and_with_a_fresh_instance() -> None:
    orders: list[list[tuple[int, ...]]] = []

    class Listener(Bot):
        def __init__(self) -> None:
            orders.append([])

        def decide(self, turn: Turn) -> Decision:
            assert type(turn.points) is int or orders == [orders[0]]
            orders[-1].append(turn.dice)
            return turn.holds[0].bank()

    asker = LocalAsker(Listener, TABLES, 2)
    questions = random_questions(random.Random(2), TABLES, 2, 30)
    asker.answer(questions)
    asker.audit(questions)
    asker.audit(questions)
    asked_twice, first, second = orders
    assert len(asked_twice) == 60
    assert sorted(first) == sorted(second) == sorted(asked_twice[::2])
    assert first != second != asked_twice[::2] != first


def test_the_audit_keeps_no_faults() -> None:
    asker = LocalAsker(bot(lambda self, turn: None), TABLES, 2)
    questions = random_questions(random.Random(2), TABLES, 2, 3)
    assert asker.audit(questions).tolist() == [FAULT] * 3
    assert asker.fault_count == 0
    assert asker.repeatable


def test_distrust_comes_once() -> None:
    asker = LocalAsker(bot(lambda self, turn: turn.holds[0].bank()), TABLES, 2)
    question = random_questions(random.Random(2), TABLES, 2, 1)
    asker.distrust(question)
    asker.distrust(question)
    assert asker.fault_count == 1
    assert not asker.answer(question).repeatable.any()

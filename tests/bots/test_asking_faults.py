"""Faults of a bot that is asked: data for its author, never an exception."""

from __future__ import annotations

from typing import Any, NoReturn

import pytest

from arena import Decision, Turn
from arena.bots.asking import KEPT_FAULTS
from arena.game.questions import FAULT, UNBOUNDED, Feature
from arena.rules import REROLL
from tests.bots.asked import TABLES, Decide, ask, features, notes


def raises(error: BaseException) -> Decide:
    def decide(self: Any, turn: Turn) -> NoReturn:
        raise error

    return decide


def recurses(self: Any, turn: Turn) -> Any:
    return recurses(self, turn)


class Unshowable:
    __hash__ = None  # type: ignore[assignment]  # as bad as can be

    def __eq__(self, other: object) -> bool:
        raise ValueError

    def __repr__(self) -> str:
        raise ValueError


@pytest.mark.parametrize(
    ("decide", "kind", "message"),
    [
        (raises(ValueError("no idea")), "exception", "ValueError: no idea"),
        (raises(SystemExit(3)), "exception", "SystemExit: 3"),
        (raises(GeneratorExit()), "exception", "GeneratorExit"),
        (raises(MemoryError()), "memory", "MemoryError"),
        (raises(BaseException("own")), "exception", "BaseException: own"),
        (recurses, "exception", "RecursionError"),
        (lambda self, turn: None, "wrong type", "answered None (NoneType)"),
        (lambda self, turn: turn.holds[0], "wrong type", "(Hold)"),
        (lambda self, turn: 0, "wrong type", "answered 0 (int)"),
        (lambda self, turn: Unshowable(), "wrong type", "(Unshowable)"),
        (lambda self, turn: TABLES.roll([1]).holds[0].bank(), "illegal decision", "bank 1"),
        (lambda self, turn: Decision("bank", turn.holds[0], 0), "illegal decision", "bank 1 1"),
        (lambda self, turn: REROLL, "illegal decision", "can_reroll"),
        (lambda self, turn: turn.reroll(), "exception", "UsageError"),
        (lambda self, turn: setattr(turn, "points", 9), "exception", "cannot be changed"),
    ],
)
def test_faults_are_data(decide: Decide, kind: str, message: str) -> None:
    asker, answers = ask(decide, features(points=100), features(points=100, score=50))
    assert answers.codes.tolist() == [FAULT, FAULT]
    assert not answers.repeatable.any()
    assert asker.repeatable
    assert asker.fault_count == 2
    fault = asker.fault_at(1)
    assert fault is not None
    assert (fault.batch, fault.question, fault.kind) == (0, 1, kind)
    assert message in fault.message
    assert "score 50," in fault.position
    if kind == "exception":
        lines = [line for line in fault.traceback.splitlines() if line.startswith("  File")]
        assert lines
        assert all(f'{__file__}"' in line for line in lines)  # nothing of arena's own


def test_only_the_first_faults_are_kept_in_full() -> None:
    rows = [features()] * (KEPT_FAULTS + 7)
    asker, _ = ask(lambda self, turn: None, *rows)
    assert len(asker.faults) == KEPT_FAULTS
    assert asker.fault_count == len(rows)
    assert asker.fault_at(len(rows) - 1) is None


def test_what_a_bot_prints_is_caught(capsys: pytest.CaptureFixture[str]) -> None:
    def decide(self: Any, turn: Turn) -> Decision:
        print("thinking about", turn.points)
        raise ValueError

    asker, _ = ask(decide, features(points=50))
    assert asker.faults[0].output == "thinking about 50\n" * 2  # a new instance was asked, too
    assert capsys.readouterr() == ("", "")


def test_a_keyboard_interrupt_is_the_users() -> None:
    with pytest.raises(KeyboardInterrupt):
        ask(raises(KeyboardInterrupt()), features())


def test_the_free_reroll_is_legal_where_the_turn_says_so() -> None:
    kept = []

    def decide(self: Any, turn: Turn) -> Decision:
        if turn.round == 1:
            kept.append(turn.reroll())
        return kept[0]

    asker, answers = ask(decide, features(), features(round=2), features(round=2, points=50))
    assert answers.codes.tolist() == [REROLL.code, REROLL.code, FAULT]
    # What the bot never asked is noted all the same.
    assert ({Feature.POINTS: 1}, -UNBOUNDED, 0) in notes(answers, 1)
    assert asker.fault_count == 1

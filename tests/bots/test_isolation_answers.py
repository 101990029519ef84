"""What a bot's process answers is looked at number by number, whatever it sends."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.bots import host_frames as frames
from arena.bots.asking import LocalAsker, asker_of
from arena.bots.asking_taken import Taken
from arena.bots.check_answers import batch_of
from arena.bots.check_positions import played_positions
from arena.bots.describing import read_description
from arena.bots.discovery_source import source_of
from arena.bots.host import PlainQuestions
from arena.bots.host_frames import BadFrame
from arena.bots.host_rules import HostTables, tables_text
from arena.bots.isolation_answers import legal_codes, question_body, read_answers, read_codes
from arena.bots.isolation_text import author_trace, clean
from arena.bots.loader import find_bots
from arena.game import FAULT, UNBOUNDED, feature_count, is_legal
from arena.rules import REROLL, REROLL_CODE, load_ruleset, rule_tables

ROOT = Path(__file__).parents[2]
TABLES = rule_tables(load_ruleset("tienduizend", [ROOT / "configs" / "rules"]))
SITUATIONS = played_positions(TABLES, 2, 60, random.Random(3))
QUESTIONS = batch_of(SITUATIONS)
SPEC = find_bots([ROOT / "bots"], entry_points=False).bots["closing-time"]
FEATURES = feature_count(2)
NOTICES = {
    "repeatable": True,
    "mismatches": 0,
    "sees_dice": False,
    "faults": [],
}


def taken() -> Taken:
    asker = asker_of(SPEC, TABLES, 2)
    assert isinstance(asker, LocalAsker)
    return asker.taken(QUESTIONS)


TAKEN = taken()
GOOD = frames.answer_body(TAKEN, FEATURES, NOTICES)


def test_a_good_answer_is_taken_as_it_is() -> None:
    heard = read_answers(GOOD, QUESTIONS, TABLES)
    assert heard.answers.codes.tolist() == list(TAKEN.codes)
    assert heard.answers.note_low.tolist() == TAKEN.low
    assert heard.answers.repeatable.all()
    assert not heard.illegal.any()
    assert heard.repeatable


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_spoilt_answer_is_refused_or_harmless(data: st.DataObject) -> None:
    body = bytearray(GOOD)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(body) - 1))
        body[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.one_of(st.none(), st.integers(0, len(body))))
    _check(bytes(body[:cut]))


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400))
def test_rubbish_is_refused(body: bytes) -> None:
    with pytest.raises(BadFrame):
        read_answers(body, QUESTIONS, TABLES)
    with pytest.raises(BadFrame):
        read_codes(body, QUESTIONS, TABLES)


def _check(body: bytes) -> None:
    """It is refused, or nothing in it can lead anybody astray."""
    try:
        answers = read_answers(body, QUESTIONS, TABLES).answers
    except BadFrame:
        return
    legal = legal_codes(answers.codes, QUESTIONS, TABLES)
    assert (legal | (answers.codes == FAULT)).all()
    assert answers.note_first[0] == 0
    assert (np.diff(answers.note_first) >= 0).all()
    for i in range(len(QUESTIONS)):
        notes = slice(answers.note_first[i], answers.note_first[i + 1])
        values = answers.note_weights[notes] @ QUESTIONS.features[i]
        assert (values >= answers.note_low[notes]).all()
        assert (values <= answers.note_high[notes]).all()


def spoil(change: Callable[[Taken], object], **notices: Any) -> bytes:
    copy = Taken()
    for name in Taken.__slots__:
        setattr(copy, name, list(getattr(TAKEN, name)))
    change(copy)
    return frames.answer_body(copy, FEATURES, NOTICES | notices)


def _set(name: str, place: int, value: Any) -> Callable[[Taken], object]:
    return lambda copy: getattr(copy, name).__setitem__(place, value)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (spoil(_set("low", 0, 10**9)), "not true"),
        (spoil(_set("high", 0, -(10**9))), "not true"),
        (spoil(_set("low", 0, -UNBOUNDED - 1)), "out of bounds"),
        (spoil(_set("high", 0, UNBOUNDED + 1)), "out of bounds"),
        (spoil(_set("weights", 0, (2**40,) + (0,) * (FEATURES - 1))), "out of bounds"),
        (spoil(_set("weights", 0, (-(2**63),) + (0,) * (FEATURES - 1))), "out of bounds"),
        (spoil(_set("weights", 0, (0,) * FEATURES)), "out of bounds"),
        (spoil(_set("first", 0, 1)), "out of order"),
        (spoil(_set("first", 1, 10**6)), "out of order"),
        (spoil(_set("first", -1, 0)), "out of order"),
        (spoil(_set("repeatable", 0, 2)), "out of order"),
        (spoil(_set("codes", 0, FAULT)), "is none"),
        (spoil(lambda copy: None, repeatable=False), "not repeatable"),
        (spoil(lambda copy: None, faults=[[0, "time-out", "", "", ""]]), "wrong kind"),
        (spoil(lambda copy: None, faults=[[10**6, "exception", "", "", ""]]), "wrong kind"),
        (spoil(lambda copy: None, faults=7), "wrong kind"),
        (spoil(lambda copy: None, mismatches="many"), "wrong kind"),
        (GOOD + b"x", "more bytes"),
        (GOOD[:-1], "no JSON|other lengths"),
    ],
)
def test_what_cannot_be_is_refused(body: bytes, words: str) -> None:
    with pytest.raises(BadFrame, match=words):
        read_answers(body, QUESTIONS, TABLES)


def test_an_illegal_code_is_a_fault_of_that_question_alone() -> None:
    def change(copy: Taken) -> None:
        copy.disbelieve()
        copy.codes[7] = 10_000

    heard = read_answers(spoil(change), QUESTIONS, TABLES)
    assert np.flatnonzero(heard.illegal).tolist() == [7]
    assert np.flatnonzero(heard.answers.codes == FAULT).tolist() == [7]


def test_codes_are_legal_exactly_where_the_referee_says_so() -> None:
    for i, situation in enumerate(SITUATIONS):
        turn, one = situation.turn, QUESTIONS.only(np.array([i]))
        for code in (-2, -1, *range(2 * len(turn.holds) + 2), REROLL_CODE, 10**9):
            [legal] = legal_codes(np.array([code]), one, TABLES)
            if code == REROLL_CODE:
                assert legal == is_legal(REROLL, turn)
            else:
                assert legal == (0 <= code < 2 * len(turn.holds))


def test_a_process_reads_the_questions_that_were_asked() -> None:
    plain = PlainQuestions(question_body(5, QUESTIONS), memoryview(bytearray(8)).cast("q"))
    assert plain.asker == 5
    assert list(plain.rolls.tolist()) == QUESTIONS.rolls.tolist()
    assert plain.features.tolist() == QUESTIONS.features.tolist()
    assert plain.rng_seeds.tolist() == QUESTIONS.rng_seeds.tolist()
    assert plain.slots.tolist() == QUESTIONS.slots.tolist()
    assert plain.fresh.tolist() == QUESTIONS.fresh.tolist()


def test_a_process_knows_the_rules() -> None:
    there = HostTables(tables_text(TABLES))
    assert there.ruleset == TABLES.ruleset
    assert len(there.rolls) == len(TABLES.rolls)
    for roll, known in zip(there.rolls, TABLES.rolls, strict=True):
        assert (roll.id, roll.dice, roll.instant_win, roll.goes_on) == (
            known.id, known.dice, known.instant_win, known.goes_on,
        )  # fmt: skip
        for hold, same in zip(roll.holds, known.holds, strict=True):
            assert (hold.dice, hold.points, hold.dice_left, hold.hot, hold.index) == (
                same.dice, same.points, same.dice_left, same.hot, same.index,
            )  # fmt: skip


def test_a_description_is_read_as_data() -> None:
    bot = {
        "class_name": "Fine",
        "name": "fine",
        "parameters": [["points", 3]],
        "remembers": False,
        "by_name_only": False,
        "seats": [2, 4],
        "solved_only": False,
        "doc": "Says\x1b[31m red.",
    }
    told = {"bots": [bot], "problems": [], "traceback": "", "output": "", "imported": True}
    found = read_description(told, Path("fine.py"))
    assert found.bots[0].parameters == (("points", 3),)
    assert "\x1b" not in found.bots[0].doc
    for change in (
        {"class_name": "not a name"},
        {"name": "../../etc"},
        {"parameters": [["points", [1]]]},
        {"parameters": [["a b", 1]]},
        {"parameters": 7},
        {"name": None},
        {"seats": [9]},
        {"seats": 2},
    ):
        with pytest.raises(BadFrame):
            read_description(told | {"bots": [bot | change]}, Path("fine.py"))
    wrong: list[Any] = [None, 3, [], {"bots": 3}, {}]
    for nonsense in wrong:
        with pytest.raises(BadFrame):
            read_description(nonsense, Path("fine.py"))


def test_texts_are_cleaned() -> None:
    assert clean("a\x1b[2Jb\r\x00", 100) == "a�[2Jb��"
    assert clean("x" * 500, 10) == "x" * 10
    assert clean(["no", "text"], 100) == "['no', 'text']"
    assert clean("\ud800", 10) == "\ufffd"
    assert clean("a\u202eb\u2028", 10) == "a\ufffdb\ufffd"


def test_a_place_in_foreign_code_is_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("import time\n\ntime.sleep(9)\n")
    written = f'  File "/lib/time.py", line 3 in sleep\n  File "{path}", line 3 in <module>\n'
    trace = author_trace(written, path, source_of(path))
    assert trace.splitlines() == [
        "Traceback (most recent call last):",
        f'  File "{path}", line 3, in <module>',
        "    time.sleep(9)",
    ]
    assert author_trace("Fatal Python error", path, source_of(path)) == ""

"""What a bot's process answered, looked at number by number before anybody uses it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arena.bots.host_frames import (
    MAX_JSON,
    NO_NOTES,
    BadFrame,
    Cutter,
    counts,
    from_json,
)
from arena.bots.isolation_text import clean
from arena.bots.notebook import MAX_BOUND, MAX_NOTES, MAX_WEIGHTS
from arena.game.questions import FAULT, UNBOUNDED, Answers, Feature, Questions
from arena.rules import MAX_ROLLS_PER_TURN, REROLL_CODE, RuleTables

TOLD_KINDS: Final = frozenset(
    ["exception", "illegal decision", "wrong type", "memory", "flood of output", "unrepeatable"]
)
"""Kinds of faults that the process finds itself."""

MAX_TEXT: Final = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A fault as the process told it.

    Attributes:
        question: index in the batch; -1 for none.
        kind: one of `TOLD_KINDS`.
        message, traceback, output: see `AskFault`.
    """

    question: int
    kind: str
    message: str
    traceback: str
    output: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Heard:
    """An answer that can be used, whatever the bot had in mind.

    Attributes:
        answers: codes are legal or FAULT, notes are true.
        illegal: bool[N], codes of the process that were no legal decisions.
        repeatable: whether the bot is still to be believed.
        in_batches: whether it answers batches.
        mismatches, sees_dice: see `LocalAsker`.
        told: its own words on what went wrong.
    """

    answers: Answers
    illegal: NDArray[np.bool_]
    repeatable: bool
    in_batches: bool
    mismatches: int
    sees_dice: bool
    told: tuple[Told, ...]


def question_body(asker: int, questions: Questions, *, singly: bool = False) -> bytes:
    """A batch as a process reads it; `singly` to be asked one after the other in any case."""
    count, features = questions.features.shape
    columns: list[NDArray[Any]] = [
        np.ascontiguousarray(questions.rolls, dtype=np.int64),
        np.ascontiguousarray(questions.features, dtype=np.int64),
        np.ascontiguousarray(questions.rng_seeds, dtype=np.uint64),
        np.ascontiguousarray(questions.slots, dtype=np.int64),
        np.ascontiguousarray(questions.fresh, dtype=np.uint8),
    ]
    head = counts(asker, count, features, int(singly))
    return b"".join([head, *(each.data for each in columns)])


def most_bytes(count: int, features: int) -> int:
    """The longest answer to so many questions."""
    notes = count * (MAX_NOTES + features)
    return 8 * (4 + 3 * count + notes * (features + 2)) + MAX_JSON


def read_answers(body: bytes, questions: Questions, tables: RuleTables) -> Heard:
    """What the process answered.

    Raises:
        BadFrame: the answer does not have the shape of one.
    """
    count, width = questions.features.shape
    cutter = Cutter(body)
    n, notes, features, text = cutter.counts()
    if n != count or features != width or not NO_NOTES <= notes <= count * (MAX_NOTES + width):
        raise BadFrame("arrays of other lengths than they have to be")
    codes = _int64(cutter, n)
    if notes == NO_NOTES:
        first, flags = np.zeros(n + 1, dtype=np.int64), np.zeros(n, dtype=np.uint8)
        low, high = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        weights = np.zeros((0, width), dtype=np.int64)
    else:
        first = _int64(cutter, n + 1)
        low, high = _int64(cutter, notes), _int64(cutter, notes)
        weights = _int64(cutter, notes * width).reshape(notes, width)
        flags = np.frombuffer(cutter.bytes(n), dtype=np.uint8)
        _check_notes(flags, first, low, high, weights, questions)
    notices = from_json(cutter.bytes(text))
    cutter.end()
    legal = legal_codes(codes, questions, tables)
    illegal = ~legal & (codes != FAULT)
    codes[illegal] = FAULT
    repeatable = flags.astype(np.bool_)
    # Without a decision there is nothing to remember, and the notes of that answer go.
    if (repeatable & (codes == FAULT)).any():
        raise BadFrame("notes of an answer that is none")
    believed, mismatches, told = _read_notices(notices, count)
    if not believed and repeatable.any():
        raise BadFrame("notes of answers that are not repeatable")
    answers = Answers(
        codes=codes,
        repeatable=repeatable,
        note_first=first,
        note_weights=weights,
        note_low=low,
        note_high=high,
    )
    return Heard(
        answers=answers,
        illegal=illegal,
        repeatable=believed,
        in_batches=notices.get("in_batches") is True,
        mismatches=mismatches,
        sees_dice=notices.get("sees_dice") is not False,
        told=told,
    )


def read_codes(body: bytes, questions: Questions, tables: RuleTables) -> NDArray[np.int64]:
    """int64[N]: decision codes of an answer without notes; FAULT for what is not legal.

    Raises:
        BadFrame: the answer does not have the shape of one.
    """
    cutter = Cutter(body)
    if cutter.counts()[0] != len(questions):
        raise BadFrame("arrays of other lengths than they have to be")
    codes = _int64(cutter, len(questions))
    cutter.end()
    return np.where(legal_codes(codes, questions, tables), codes, FAULT)


def legal_codes(
    codes: NDArray[np.int64], questions: Questions, tables: RuleTables
) -> NDArray[np.bool_]:
    """bool[N]: whether each code is a legal decision at its position; FAULT is not."""
    rules, rolls = tables.ruleset, questions.rolls
    holds = tables.hold_first[rolls + 1] - tables.hold_first[rolls]
    keeps = (codes >= 0) & (codes < 2 * holds)
    if not rules.reroll_all:
        return keeps
    features = questions.features
    thrown, limited = features[:, Feature.ROLLS], features[:, Feature.LIMITED_ROLLS]
    rolls_left = (thrown < MAX_ROLLS_PER_TURN) & (not rules.max_rolls or limited < rules.max_rolls)
    can_reroll = tables.goes_on[rolls] & (features[:, Feature.POINTS] == 0) & rolls_left
    return np.where(codes == REROLL_CODE, can_reroll, keeps)


def _int64(cutter: Cutter, count: int) -> NDArray[np.int64]:
    if count < 0:
        raise BadFrame("arrays of other lengths than they have to be")
    return np.frombuffer(cutter.bytes(8 * count), dtype=np.int64).copy()


def _check_notes(
    flags: NDArray[np.uint8],
    first: NDArray[np.int64],
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    weights: NDArray[np.int64],
    questions: Questions,
) -> None:
    """Make sure that notes lie in order, within bounds, and are true of their positions.

    Raises:
        BadFrame: they are not.
    """
    each = np.diff(first)
    if (flags > 1).any() or first[0] != 0 or first[-1] != len(low) or (each < 0).any():
        raise BadFrame("notes out of order")
    if each[flags == 0].any():
        raise BadFrame("notes of an answer that is not repeatable")
    if (weights > MAX_WEIGHTS).any() or (weights < -MAX_WEIGHTS).any():
        raise BadFrame("notes out of bounds")
    if (np.abs(weights).sum(axis=1) > MAX_WEIGHTS).any() or not weights.any(axis=1).all():
        raise BadFrame("notes out of bounds")
    bounded = ((low > -MAX_BOUND) & (low < MAX_BOUND)) | (low == -UNBOUNDED)
    bounded &= ((high > -MAX_BOUND) & (high < MAX_BOUND)) | (high == UNBOUNDED)
    if not bounded.all():
        raise BadFrame("notes out of bounds")
    values = (weights * np.repeat(questions.features, each, axis=0)).sum(axis=1)
    if ((values < low) | (values > high)).any():
        raise BadFrame("notes that are not true")


def _read_notices(notices: Any, count: int) -> tuple[bool, int, tuple[Told, ...]]:
    if not isinstance(notices, dict) or not isinstance(notices.get("faults"), list):
        raise BadFrame("text of the wrong kind")
    mismatches = notices.get("mismatches")
    if not isinstance(mismatches, int):
        raise BadFrame("text of the wrong kind")
    told = tuple(_read_told(row, count) for row in notices["faults"][: 2 * count + 2])
    return notices.get("repeatable") is True, mismatches, told


def _read_told(row: Any, count: int) -> Told:
    if not isinstance(row, list) or len(row) != 5:
        raise BadFrame("text of the wrong kind")
    question, kind, *texts = row
    if not isinstance(question, int) or not -1 <= question < count or kind not in TOLD_KINDS:
        raise BadFrame("text of the wrong kind")
    message, traceback, output = (clean(text, MAX_TEXT) for text in texts)
    return Told(question=question, kind=kind, message=message, traceback=traceback, output=output)

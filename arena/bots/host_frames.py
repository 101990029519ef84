"""How the simulating process and a bot's process talk: frames of plain bytes through two pipes.

A frame is a header and a body; the body is JSON, or numbers in the machine's own order. Neither
side ever unpickles. What comes from a bot's process is not to be believed: every function here that
reads raises `BadFrame` for what it does not understand, and the parent looks at the numbers again.

Imports neither NumPy nor anything else that takes long, for every bot's process starts with it.
"""

from __future__ import annotations

import json
from array import array
from enum import IntEnum
from itertools import chain
from struct import Struct
from typing import Any, Final

MAGIC: Final = 0x61726E31
HEADER: Final = Struct("=IIQQ")
"""Magic number, kind, serial number of the request, bytes of the body."""

MAX_REQUEST: Final = 64 << 20
MAX_JSON: Final = 4 << 20
_COUNTS: Final = Struct("=qqqq")

INT: Final = "q"
WORD: Final = "Q"
FLAG: Final = "B"


class Kind(IntEnum):
    """What a frame is; a bot's process answers every request with DONE or FAILED."""

    READY = 0
    DESCRIBE = 1
    LOAD = 2
    SEAT = 3
    ASK = 4
    AUDIT = 5
    DISTRUST = 6
    DONE = 20
    FAILED = 21


class Way(IntEnum):
    """How a bot is asked; one that cannot be asked in batches is traced instead."""

    PLAIN = 0
    TRACED = 1
    BATCHED = 2


class BadFrame(Exception):  # noqa: N818 - it is caught and told, never shown as an error
    """Bytes that are no frame of the kind that was due."""


def header(kind: Kind, serial: int, size: int) -> bytes:
    """The header of a frame with a body of so many bytes."""
    return HEADER.pack(MAGIC, kind, serial, size)


def read_header(data: bytes) -> tuple[int, int, int]:
    """Kind, serial number and bytes of the body.

    Raises:
        BadFrame: it is no header.
    """
    magic, kind, serial, size = HEADER.unpack(data)
    if magic != MAGIC:
        raise BadFrame("bytes that are no frame")
    return kind, serial, size


def to_json(document: Any) -> bytes:
    """A JSON body."""
    return json.dumps(document, allow_nan=False, separators=(",", ":")).encode()


def from_json(body: bytes | memoryview) -> Any:
    """The document of a JSON body.

    Raises:
        BadFrame: it is none, or too long.
    """
    if len(body) > MAX_JSON:
        raise BadFrame("too much text")
    try:
        return json.loads(bytes(body))
    except (ValueError, RecursionError) as error:
        raise BadFrame("text that is no JSON") from error


class Cutter:
    """Takes arrays from the front of a body, one after the other."""

    def __init__(self, body: bytes | memoryview) -> None:
        self._rest = memoryview(body)

    def counts(self) -> tuple[int, int, int, int]:
        """The four counts that a body of arrays begins with."""
        a, b, c, d = _COUNTS.unpack(self.bytes(_COUNTS.size))
        return a, b, c, d

    def bytes(self, size: int) -> memoryview:
        """So many bytes.

        Raises:
            BadFrame: there are not so many left.
        """
        if not 0 <= size <= len(self._rest):
            raise BadFrame("arrays of other lengths than they have to be")
        taken, self._rest = self._rest[:size], self._rest[size:]
        return taken

    def array(self, code: str, count: int) -> array[Any]:
        """So many numbers, as an array of the standard library."""
        numbers = array(code)
        numbers.frombytes(self.bytes(count * numbers.itemsize))
        return numbers

    def end(self) -> None:
        """Make sure that nothing is left.

        Raises:
            BadFrame: something is.
        """
        if len(self._rest):
            raise BadFrame("more bytes than there may be")


def counts(a: int, b: int, c: int, d: int) -> bytes:
    """The four counts that a body of arrays begins with."""
    return _COUNTS.pack(a, b, c, d)


def packed(code: str, numbers: Any) -> bytes:
    """Numbers as bytes."""
    return array(code, numbers).tobytes()


NO_NOTES: Final = -1
"""Stands for the number of notes where no answer may be remembered: codes are all there is."""


def answer_body(taken: Any, features: int, notices: Any) -> bytes:
    """The body of an answer: codes, flags and notes of `Taken` if there are any, and JSON.

    Args:
        taken: `arena.bots.asking_taken.Taken`.
        features: F, length of each note's weights.
        notices: whatever else is to be told, as a JSON document.
    """
    text = to_json(notices)
    if not any(taken.repeatable):
        head = counts(len(taken.codes), NO_NOTES, features, len(text))
        return b"".join([head, packed(INT, taken.codes), text])
    return b"".join(
        [
            counts(len(taken.codes), len(taken.low), features, len(text)),
            packed(INT, taken.codes),
            packed(INT, taken.first),
            packed(INT, taken.low),
            packed(INT, taken.high),
            packed(INT, chain.from_iterable(taken.weights)),
            packed(FLAG, taken.repeatable),
            text,
        ]
    )

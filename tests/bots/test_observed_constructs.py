"""Everyday Python and its library on observed numbers: nothing is learnt without being noted."""

from __future__ import annotations

import array
import bisect
import copy
import datetime
import enum
import functools
import heapq
import itertools
import json
import marshal
import math
import numbers
import operator
import pickle
import random
import statistics
import struct
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, SupportsIndex, SupportsInt

import numpy as np
import pytest

from arena.bots.observed import Observed
from tests.bots.observing import LINE, SQUARE, check, observed, result_of

Function = Callable[[Any, Any], Any]

TABLE = [5, 3, 8, 1, 9, 2, 7]
FLOATS = np.array([0.5, 2.5, -3.5, 4.0, 1.25, 0.0, 9.75])


class Colour(enum.IntEnum):
    RED = 1
    BLUE = 4


class Strange(int):
    """An integer that compares in its own way."""

    def __gt__(self, other: object) -> bool:
        return True

    def __radd__(self, other: int) -> int:
        return 1000 - other


class Money:
    """Not a number at all, but at home with integers."""

    def __init__(self, pence: int) -> None:
        self.pence = pence

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int) and self.pence == other

    def __lt__(self, other: int) -> bool:
        return self.pence < other

    def __rsub__(self, other: int) -> int:
        return other - self.pence

    __hash__ = None  # type: ignore[assignment]  # mutable


def matched(x: Any, y: Any) -> Any:
    match x:
        case 0 | 3:
            return "few"
        case int(n) if n > 4:
            return n - 4
        case bool():
            return "flag"
        case -2:
            return "minus two"
        case float() | str():
            return "no"
        case [_, *_]:
            return "list"
        case _:
            return y


def matched_tuple(x: Any, y: Any) -> Any:
    match (x, y):
        case (0, _):
            return 1
        case (a, 2) if a < 2:
            return 2
        case (a, b):
            return a + b
    return None


def counted_down(x: Any, y: Any) -> Any:
    steps = 0
    while x > y and steps < 9:
        x -= 2
        steps += 1
    return steps, x


def augmented(x: Any, y: Any) -> Any:
    z = x
    z += 3
    z -= y
    z *= 2
    w = x
    w //= 4
    v = y
    v %= 5
    v <<= 2
    v |= 1
    return z, w, v


@functools.singledispatch
def dispatched(x: object) -> str:
    return "other"


@dispatched.register
def _(x: int) -> str:
    return "int"


@functools.lru_cache(maxsize=100)
def cached(x: int) -> int:
    return int(x) * 7


def unpacked(x: Any, y: Any) -> Any:
    first, *rest = [x, y, x - y]
    return first, [item > 1 for item in rest]


CONSTRUCTS: dict[str, list[Function]] = {
    "comparing": [
        lambda x, y: 1 < x < 5,
        lambda x, y: -3 <= x - y <= 3 != y,
        lambda x, y: (x, 3) < (3, y),
        lambda x, y: [x, y] == [2, 3],
        lambda x, y: (x,) == ("a",) or x == "a" or None in (x, y),
        lambda x, y: x is x and x == x and not x != x,  # noqa: SIM202 - both are meant
        lambda x, y: x in (1, 4, y),
        lambda x, y: x in TABLE[:0],
        lambda x, y: x in {1, 4, 9} or y in {2: 3},
        lambda x, y: x in range(-2, 9, 3),
        lambda x, y: x == Colour.BLUE or x > Colour.RED,
        lambda x, y: Colour.RED < x,  # noqa: SIM300 - the other side's method first
        lambda x, y: x == Money(3) or Money(5) == y,
        lambda x, y: x > Money(3),
        lambda x, y: x < Strange(-90) or Strange(3) > y,
    ],
    "choosing": [
        matched,
        matched_tuple,
        lambda x, y: max(x, y),
        lambda x, y: max(x, y, 3) - min([x, 2, y]),
        lambda x, y: max((x, y), key=lambda n: -n),
        lambda x, y: max([(x, 1), (y, 2), (2, 3)]),
        lambda x, y: max([x, y], default=4) > 2.5,
        lambda x, y: sorted([x, y, 0, x - y]),
        lambda x, y: sorted([x, y, 1], reverse=True)[0],
        lambda x, y: [x, y, 4].index(4),
        lambda x, y: [x, y, 4].count(x),
        lambda x, y: any(n > 3 for n in (x, y)) and all((x, y, 1)),
        lambda x, y: (x and y) or 5,
        lambda x, y: (x or y) > 1 if not y else -x,
        lambda x, y: [n for n in (x, y, 3) if n >= 0],
        lambda x, y: (n := x + y) > 3 and n - 3,
        lambda x, y: list(filter(None, [x, y])),
        lambda x, y: bisect.bisect([-3, 0, 2, 8], x),
        lambda x, y: bisect.bisect_left([y, y + 2], x),
        lambda x, y: heapq.nsmallest(2, [x, y, 1]),
        lambda x, y: functools.reduce(operator.add, [x, y, 1]),
    ],
    "calculating": [
        augmented,
        counted_down,
        lambda x, y: sum([x, y, 3]),
        lambda x, y: sum([x, 0.5, y]),
        lambda x, y: math.prod([x, 2, y]),
        lambda x, y: x * 0 + y * 1,
        lambda x, y: x - x,
        lambda x, y: x * True - y * False,
        lambda x, y: (x - y) * (x + y),
        lambda x, y: 10**7 * x > 3 or 10**30 * x + 10**31 > y,
        lambda x, y: 10**12 * x - y * (10**12 - 1) >= 5,
        lambda x, y: 6 * x + 4 * y == 10 or 6 * x + 4 * y == 11,
        lambda x, y: 6 * x - 4 * y >= 3 and -6 * x < 7,
        lambda x, y: (2 * x + 3) // 4 + (y - 1) // -3,
        lambda x, y: -5 * x // 3,
        lambda x, y: x * 0.25 + y / 3,
        lambda x, y: divmod(x, 4)[0] + divmod(100, abs(y) + 1)[1],
        lambda x, y: Fraction(1, 3) * x + Fraction(y, 4),
        lambda x, y: Fraction(x) < Fraction(5, 2) < y,
        lambda x, y: Decimal("1.5") * x - Decimal("0.1") > y,
        lambda x, y: complex(x) + complex(0, y),
        lambda x, y: float(x) ** 2,
    ],
    "the math module": [
        lambda x, y: math.floor(x) + math.ceil(y) + math.trunc(x),
        lambda x, y: math.sqrt(x),
        lambda x, y: math.isqrt(abs(x)),
        lambda x, y: math.gcd(x, y),
        lambda x, y: math.comb(abs(x), 2),
        lambda x, y: math.factorial(abs(x) % 9),
        lambda x, y: math.exp(-x * 0.1),
        lambda x, y: math.log(abs(x) + 1),
        lambda x, y: math.hypot(x, y),
        lambda x, y: math.isclose(x, y + 0.5, abs_tol=0.6),
        lambda x, y: math.copysign(1, x),
        lambda x, y: math.isfinite(x),
        lambda x, y: math.ldexp(0.5, x % 5),
    ],
    "text": [
        lambda x, y: f"{x}{x:05d}{y!r:>6}{x + y:+}{x=}",
        lambda x, y: "%d %5.1f %s %x" % (x, y, x, abs(y)),  # noqa: UP031 - a way in of its own
        lambda x, y: "%c" % (abs(x) + 60),  # noqa: UP031 - a way in of its own
        lambda x, y: f"{x} {y:b} {{}}",
        lambda x, y: str(x).zfill(abs(y)),
        lambda x, y: "abc" * x + y * "z",
        lambda x, y: "abcdefgh"[x % 8],
        lambda x, y: chr(65 + abs(x) % 20),
        lambda x, y: hex(x) + bin(y) + oct(x),
        lambda x, y: int(str(x)) + int(f"{y}"),
        lambda x, y: repr((x, [y])),
        lambda x, y: "-".join(map(str, (x, y))),
        lambda x, y: "abc".center(abs(x) % 9, "*"),
    ],
    "sequences": [
        lambda x, y: TABLE[x % 7],
        lambda x, y: TABLE[x],
        lambda x, y: TABLE[x:y],
        lambda x, y: TABLE[:: abs(x) + 1],
        lambda x, y: list(range(x, y)),
        lambda x, y: range(20)[x],
        lambda x, y: len(range(abs(x))),
        lambda x, y: [0] * x + y * (1,),
        lambda x, y: list(itertools.islice(TABLE, abs(x))),
        lambda x, y: list(itertools.accumulate([x, y, 1])),
        lambda x, y: list(enumerate("ab", start=x)),
        lambda x, y: bytes(abs(x)) + bytearray([abs(y)]),
        lambda x, y: struct.pack("<ih", x, y),
        lambda x, y: array.array("l", [x, y]).tolist(),
        lambda x, y: x.to_bytes(4, "little", signed=True),
        unpacked,
    ],
    "sets and dicts": [
        lambda x, y: {1: "a", 2: "b"}.get(x, "c"),
        lambda x, y: {x: 1}.get(3),
        lambda x, y: {x: 1, y: 2}.get(x),
        lambda x, y: len({x, y, 3}),
        lambda x, y: sorted({x, y} & {1, 2, 3}),
        lambda x, y: Counter([x, y, x]).most_common(1)[0][1],
        lambda x, y: defaultdict(int, {3: 4})[x],
        lambda x, y: Colour(x).name,
        lambda x, y: cached(x),
        lambda x, y: hash((x, "a")) == hash((3, "a")),
    ],
    "kinds and copies": [
        lambda x, y: isinstance(x, int) and isinstance(y, (str, int)),
        lambda x, y: isinstance(x, bool | float | str | list) or callable(x),
        lambda x, y: isinstance(x, numbers.Number) and isinstance(x, numbers.Integral),
        lambda x, y: isinstance(x, SupportsInt) and isinstance(x, SupportsIndex),
        lambda x, y: dispatched(x),
        lambda x, y: pickle.loads(pickle.dumps(x)) + 1,
        lambda x, y: pickle.loads(pickle.dumps([x, y], protocol=0)),
        lambda x, y: copy.copy(x) > 3 or copy.deepcopy([x, {1: y}])[1][1] > 2,
        lambda x, y: operator.index(x) + operator.attrgetter("real")(y),
        lambda x, y: x.real - y.imag + x.numerator * y.denominator,
        lambda x, y: random.Random(abs(x)).random(),
        lambda x, y: vars(x),
        lambda x, y: iter(x),
        lambda x, y: x(),
        lambda x, y: x[0],
        lambda x, y: len(x),
        lambda x, y: x @ y,
        lambda x, y: datetime.date.fromordinal(abs(x) + 1).day,
    ],
    "numpy": [
        lambda x, y: np.array([x, y]),
        lambda x, y: np.array([x, 0.5]),
        lambda x, y: np.asarray(x, dtype=float),
        lambda x, y: np.array([[x, y], [1, 2]]).sum(),
        lambda x, y: np.arange(5) + x,
        lambda x, y: x * np.arange(4) > y,
        lambda x, y: np.float64(2.5) * x,
        lambda x, y: x - np.int64(3),
        lambda x, y: FLOATS[x % 7] > y,
        lambda x, y: x >= FLOATS[1] and FLOATS[3] != x,
        lambda x, y: np.int64(3) < x,
        lambda x, y: np.uint8(3) == x,
        lambda x, y: np.minimum(x, 3) + np.maximum(x, y),
        lambda x, y: np.searchsorted(np.array([-3, 0, 4]), x),
        lambda x, y: np.clip(x, -2, 2),
        lambda x, y: np.where(x > 2, 1, 0),
        lambda x, y: np.zeros(abs(x)).shape,
        lambda x, y: np.add.reduce([x, y]),
        lambda x, y: np.dot([x, y], [1, 2]),
        lambda x, y: np.full((2,), x),
        lambda x, y: np.isscalar(x),
        lambda x, y: np.linspace(0, x, 3),
        lambda x, y: np.float64(x) + np.int32(y),
        lambda x, y: np.sqrt(abs(x)),
        lambda x, y: np.equal(x, y),
    ],
}


@pytest.mark.parametrize("group", CONSTRUCTS)
def test_construct_notes_what_it_tells(group: str) -> None:
    for function in CONSTRUCTS[group]:
        cached.cache_clear()
        with np.errstate(all="ignore"):
            check(function, SQUARE)
            check(function, LINE[::5])


FAILS_INSTEAD: list[Function] = [
    lambda x, y: json.dumps({"points": x}),
    lambda x, y: marshal.dumps(x),
    lambda x, y: pow(3, x, 7),
    lambda x, y: Decimal(x),
    lambda x, y: statistics.mean([x, y]),
    lambda x, y: int.__add__(x, 1),
    lambda x, y: int.bit_length(x),
    lambda x, y: datetime.timedelta(days=x),
    lambda x, y: deque([1, 2, 3], maxlen=x),
    lambda x, y: np.random.default_rng(x),
]
"""C code that takes nothing but real integers; the bot is then asked with these."""


@pytest.mark.parametrize("function", FAILS_INSTEAD)
def test_where_only_real_integers_will_do_it_fails_and_tells_nothing(function: Function) -> None:
    x, y, _ = observed((5, 3))
    assert not isinstance(result_of(function, 5, 3), type)
    assert isinstance(result_of(function, x, y), type)


def test_the_check_would_find_a_leak() -> None:
    def leaks(x: Any, y: Any) -> bool:
        value: int = x._value if type(x) is Observed else x
        return value > 3

    with pytest.raises(AssertionError):
        check(leaks, LINE)


Notes = list[tuple[dict[int, int], int, int]]


def notes_of(function: Function, position: tuple[int, int]) -> Notes:
    """The notes of a function, weights by feature."""
    x, y, book = observed(position)
    function(x, y)
    weights = [{i: w for i, w in enumerate(row) if w} for row in book.weights]
    return list(zip(weights, book.low, book.high, strict=True))


OPEN_END = 1 << 60
SCORE, OPPONENT = 3, 10


@pytest.mark.parametrize(
    ("function", "notes"),
    [
        (lambda x, y: x + 50 >= 500, [({SCORE: 1}, 450, OPEN_END)]),
        (lambda x, y: x - y > 99, [({SCORE: 1, OPPONENT: -1}, 100, OPEN_END)]),
        (lambda x, y: y - x < -100, [({SCORE: 1, OPPONENT: -1}, -OPEN_END, 100)]),
        (lambda x, y: 2 * x > 3 * y, [({SCORE: 2, OPPONENT: -3}, -OPEN_END, 0)]),
        (lambda x, y: 100 * x >= 90_050, [({SCORE: 1}, -OPEN_END, 900)]),
        (lambda x, y: x >= 2.5, [({SCORE: 1}, 3, OPEN_END)]),
        (lambda x, y: x < 899.5, [({SCORE: 1}, 900, OPEN_END)]),
        (lambda x, y: x == 900, [({SCORE: 1}, 900, OPEN_END), ({SCORE: 1}, -OPEN_END, 900)]),
        (lambda x, y: x == 901, [({SCORE: 1}, -OPEN_END, 900)]),
        (lambda x, y: 2 * x == 901, []),
        (lambda x, y: x == 0.5 or x == math.nan or x < math.inf, []),
        (lambda x, y: x // 500, [({SCORE: 1}, 500, 999)]),
        (lambda x, y: int(x - y), [({SCORE: 1, OPPONENT: -1}, 100, 100)]),
        (lambda x, y: x > 500 and x > 400 and x > 600, [
            ({SCORE: 1}, 501, OPEN_END), ({SCORE: 1}, 601, OPEN_END),
        ]),
        (lambda x, y: (int(x), int(y), x > 3, x - y == 4, hash(x)), [
            ({SCORE: 1}, 900, 900), ({OPPONENT: 1}, 800, 800),
        ]),
        (lambda x, y: max(x, y), [({SCORE: 1, OPPONENT: -1}, 0, OPEN_END)]),
        (lambda x, y: abs(y - x) > 5000, [
            ({SCORE: 1, OPPONENT: -1}, 1, OPEN_END), ({SCORE: 1, OPPONENT: -1}, -OPEN_END, 5000),
        ]),
        (lambda x, y: x == "roll" or x is None or x == (), []),
        (lambda x, y: -x, []),
    ],
)  # fmt: skip
def test_notes_say_no_more_than_was_asked(function: Function, notes: Notes) -> None:
    assert notes_of(function, (900, 800)) == notes


def test_weights_and_bounds_too_large_for_compiled_code_become_values() -> None:
    for function in (
        lambda x, y: (10**7 + 1) * x > 10**7 * y,
        lambda x, y: x > 10**30,
        lambda x, y: x - 2**59 >= 2**59,
        lambda x, y: x == 2**70,
        lambda x, y: (x + 2**70) // 2**75,
    ):
        for weights, low, high in notes_of(function, (900, 800)):
            assert sum(map(abs, weights.values())) == 1
            assert low == high in (900, 800)


def test_a_bot_that_learns_very_much_has_its_position_noted() -> None:
    x, y, book = observed((900, 800))
    for bound in range(1000):
        assert (x + bound * y >= 2 * bound) is (900 + bound * 800 >= 2 * bound)
    assert len(book.weights) < 200

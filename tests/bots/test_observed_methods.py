"""Every special method of an integer, and every other attribute, on an observed number."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import inf, nan
from typing import Any

import numpy as np
import pytest

from arena.bots.observed import Observed
from tests.bots.observing import LINE, SQUARE, check, observed

Function = Callable[[Any, Any], Any]

OTHERS: list[Any] = [
    *(0, 1, -1, 2, -3, 7, 50, 10**30, -(10**30), True, False),
    *(0.0, -0.0, 2.5, -2.5, 3.0, 1e-300, 1e300, -1e300, inf, -inf, nan),
    *(Fraction(5, 2), Fraction(-7, 1), Decimal("2.5"), Decimal(3), 2 + 1j),
    *(np.float64(2.5), np.float64(nan), np.float32(2.5), np.int64(3), np.int8(-3), np.uint16(9)),
    *(np.bool_(True), np.timedelta64(3, "s"), np.arange(3), np.array([2.5])),
    *("a", b"a", "", None, (1, 2), [1, 2], {1: 2}, {1, 2}, frozenset(), range(3), object, len),
]

BINARY = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "divmod": divmod,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "eq": operator.eq,
    "ne": operator.ne,
}


def bound(name: str) -> Function:
    """Calls the method directly, without the operator."""
    return lambda x, y: getattr(x, name)(y)


# Each name of dir(int) and dir(object) with functions that use it.
SPECIAL: dict[str, list[Function]] = {
    "__abs__": [lambda x, y: abs(x), lambda x, y: abs(x - y) + abs(3 * x + 1)],
    "__bool__": [lambda x, y: bool(x), lambda x, y: not x - 3, lambda x, y: 1 if x + y else 2],
    "__ceil__": [lambda x, y: x.__ceil__()],
    "__class__": [lambda x, y: x.__class__, lambda x, y: isinstance(x, int)],
    "__delattr__": [lambda x, y: x.__delattr__("real"), lambda x, y: delattr(x, "something")],
    "__dir__": [lambda x, y: dir(x), lambda x, y: x.__dir__()],
    "__doc__": [lambda x, y: type(x.__doc__)],
    "__float__": [lambda x, y: float(x)],
    "__floor__": [lambda x, y: x.__floor__()],
    "__format__": [
        lambda x, y: format(x),
        lambda x, y: format(x, "+05d"),
        lambda x, y: format(x, ".2f"),
        lambda x, y: f"{x:>9,}{x!r}{x:{abs(y) + 1}}",
        lambda x, y: format(x, "nonsense"),
    ],
    "__getattribute__": [
        lambda x, y: x.__getattribute__("__hash__")(),
        lambda x, y: x.nonsense,
        lambda x, y: getattr(x, "nonsense", 5),
        lambda x, y: hasattr(x, "__len__") or hasattr(x, "__iter__") or callable(x),
    ],
    "__getnewargs__": [lambda x, y: x.__getnewargs__()],
    "__getstate__": [lambda x, y: x.__getstate__()],
    "__hash__": [lambda x, y: hash(x), lambda x, y: hash((x, y))],
    "__index__": [lambda x, y: x.__index__(), lambda x, y: operator.index(x)],
    "__init__": [lambda x, y: x.__init__.__name__],
    "__init_subclass__": [lambda x, y: x.__init_subclass__()],
    "__int__": [lambda x, y: int(x)],
    "__invert__": [lambda x, y: ~x, lambda x, y: ~x < y],
    "__neg__": [lambda x, y: -x, lambda x, y: -x >= y],
    "__new__": [lambda x, y: x.__new__.__name__],
    "__pos__": [lambda x, y: +x, lambda x, y: +x > 4],
    "__reduce__": [lambda x, y: x.__reduce__()],
    "__reduce_ex__": [lambda x, y: x.__reduce_ex__(2), lambda x, y: x.__reduce_ex__(4)],
    "__repr__": [lambda x, y: repr(x), lambda x, y: repr([x, {y: x}])],
    "__round__": [
        lambda x, y: round(x),
        lambda x, y: round(x, -1),
        lambda x, y: round(x, None),
        lambda x, y: round(123.4567, abs(x)),
    ],
    "__setattr__": [lambda x, y: x.__setattr__("real", 1), lambda x, y: setattr(x, "other", 1)],
    "__sizeof__": [lambda x, y: x.__sizeof__()],
    "__str__": [lambda x, y: str(x)],
    "__subclasshook__": [lambda x, y: x.__subclasshook__(int)],
    "__trunc__": [lambda x, y: x.__trunc__()],
    "__lshift__": [lambda x, y: x << 3, lambda x, y: x << y],
    "__rlshift__": [lambda x, y: 3 << x],
    "__rshift__": [lambda x, y: x >> 3, lambda x, y: x >> 0, lambda x, y: x >> 70],
    "__rrshift__": [lambda x, y: 1000 >> x, lambda x, y: x >> y],
    "__pow__": [lambda x, y: x**2, lambda x, y: x**0.5, lambda x, y: pow(x, 2, 7)],
    "__rpow__": [lambda x, y: 2**x, lambda x, y: 2.5**x, lambda x, y: x**y],
    "as_integer_ratio": [lambda x, y: x.as_integer_ratio()],
    "bit_count": [lambda x, y: x.bit_count()],
    "bit_length": [lambda x, y: x.bit_length()],
    "conjugate": [lambda x, y: x.conjugate()],
    "denominator": [lambda x, y: x.denominator],
    "from_bytes": [lambda x, y: x.from_bytes(b"12", "big")],
    "imag": [lambda x, y: x.imag],
    "is_integer": [lambda x, y: x.is_integer()],
    "numerator": [lambda x, y: x.numerator],
    "real": [lambda x, y: x.real],
    "to_bytes": [lambda x, y: x.to_bytes(2, "big"), lambda x, y: x.to_bytes(1, "big", signed=True)],
}

BOTH_WAYS = [
    f"__{way}{name}__"
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "and", "or", "xor")
    for way in ("", "r")
] + ["__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"]
"""Names that `BINARY` uses."""

ITS_OWN = {
    "__array__",
    "__array_ufunc__",
    "__copy__",
    "__deepcopy__",
    "__getattr__",
    "__module__",
    "__slots__",
}
"""Special names of an observed number that an integer lacks."""


@pytest.mark.parametrize("name", SPECIAL)
def test_method_notes_what_it_tells(name: str) -> None:
    for function in SPECIAL[name]:
        check(function, LINE)
        check(function, SQUARE)


@pytest.mark.parametrize("name", BINARY)
def test_operator_between_observed_numbers(name: str) -> None:
    operation: Any = BINARY[name]
    functions: list[Function] = [
        operation,
        lambda x, y: operation(y, x),
        lambda x, y: operation(x, x),
        lambda x, y: operation(2 * x + 1, y - x),
        lambda x, y: operation(-4 * x, 6 * y + 3),
    ]
    for function in functions:
        check(function, SQUARE)


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("other", OTHERS, ids=repr)
def test_operator_with_everything_else(name: str, other: Any) -> None:
    operation: Any = BINARY[name]
    with np.errstate(all="ignore"):
        check(lambda x, y: operation(x, other), LINE[::7])
        check(lambda x, y: operation(other, x), LINE[::7])
        check(lambda x, y: operation(2 - 3 * x, other), LINE[::7])
        check(lambda x, y: operation(other, 2 - 3 * x), LINE[::7])


@pytest.mark.parametrize("name", BOTH_WAYS)
def test_binary_method_called_directly_notes_what_it_tells(name: str) -> None:
    check(lambda x, y: getattr(x, name)(-4), LINE)
    check(lambda x, y: getattr(x, name)(True), LINE)
    check(lambda x, y: getattr(x, name)(y), SQUARE)


def test_every_name_of_an_integer_is_covered() -> None:
    names = set(dir(int)) | set(dir(object))
    covered = set(SPECIAL) | set(BOTH_WAYS)
    assert names <= covered
    since_312 = set() if sys.version_info >= (3, 12) else {"is_integer"}
    assert covered - names == since_312


def test_it_has_no_special_method_that_an_integer_lacks() -> None:
    class Empty:
        __slots__ = ()

    of_every_class = set(vars(Empty))
    own = {name for name in vars(Observed) if name.startswith("__")}
    assert own - set(dir(int)) - of_every_class == ITS_OWN - of_every_class


def test_it_is_no_subclass_of_int() -> None:
    assert not issubclass(Observed, int)
    assert Observed.__mro__ == (Observed, object)


def test_parts_of_a_fraction_are_plain_integers() -> None:
    # The C code of decimal reads them as integers without a look at their type.
    x, _, _ = observed((5, 3))
    assert type(x.numerator) is type(x.denominator) is type(x.real) is type(x.imag) is int
    assert type(x.conjugate()) is int

"""`Observed`: a number that behaves like the integer it stands for and writes down what is learnt.

Sums, differences and multiples stay linear expressions of the features; comparisons note one
inequality; a whole quotient notes an interval; everything else notes the value and goes on with the
plain integer. It is no subclass of `int`, since C code would then read the value past the notes.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, isfinite, isnan
from typing import Any, Final

import numpy as np

from arena.bots.notebook import Notebook, Weights

_Operator = Callable[[Any, Any], Any]

_NO_NUMBERS: Final = (type(None), str, bytes, tuple, list, dict, set, frozenset)
"""Types that no integer compares with; asking teaches nothing."""


@lru_cache(maxsize=1)
def _exact_scalars() -> frozenset[type]:
    """Types of NumPy numbers that compare with integers exactly.

    Asked for only where a bot brings NumPy along, for it takes longer to import than all else.
    """
    return frozenset(np.dtype(code).type for code in "dbhilqBHILQ")


def _is_exact_scalar(number: object) -> bool:
    kind = type(number)
    return kind.__module__ == "numpy" and kind in _exact_scalars()


@lru_cache(maxsize=1)
def _comparisons() -> dict[np.ufunc, _Operator]:
    return {
        np.less: operator.lt,
        np.less_equal: operator.le,
        np.greater: operator.gt,
        np.greater_equal: operator.ge,
        np.equal: operator.eq,
        np.not_equal: operator.ne,
    }


class Observed:
    """A linear expression of the features of one question: sum of weights * features + constant.

    Args:
        book: the notebook of the question.
        weights: one for each feature, not all zero.
        constant: what is added.
        value: what the expression is at the position in question.
    """

    __slots__ = ("_book", "_constant", "_value", "_weights")

    def __init__(self, book: Notebook, weights: Weights, constant: int, value: int) -> None:
        self._book = book
        self._weights = weights
        self._constant = constant
        self._value = value

    __class__ = property(lambda self: int)  # so that isinstance(x, int) is true

    def _plain(self) -> int:
        """The value, noted."""
        self._book.learn(self._weights, self._value - self._constant)
        return self._value

    # Linear arithmetic

    def __add__(self, other: Any) -> Any:
        if type(other) is int:
            return Observed(self._book, self._weights, self._constant + other, self._value + other)
        if type(other) is Observed:
            return _combined(self, other, operator.add)
        if type(other) is bool:
            return self + int(other)
        return self._plain() + other

    def __radd__(self, other: Any) -> Any:
        return self + other if type(other) in (int, bool) else other + self._plain()

    def __sub__(self, other: Any) -> Any:
        if type(other) is int:
            return Observed(self._book, self._weights, self._constant - other, self._value - other)
        if type(other) is Observed:
            return _combined(self, other, operator.sub)
        if type(other) is bool:
            return self - int(other)
        return self._plain() - other

    def __rsub__(self, other: Any) -> Any:
        return -self + other if type(other) in (int, bool) else other - self._plain()

    def __mul__(self, other: Any) -> Any:
        if type(other) in (int, bool):
            return self._times(int(other))
        if type(other) is Observed:
            return self * other._plain()
        return self._plain() * other

    def __rmul__(self, other: Any) -> Any:
        return self._times(int(other)) if type(other) in (int, bool) else other * self._plain()

    def _times(self, factor: int) -> Any:
        if not factor:
            return 0
        weights = tuple([weight * factor for weight in self._weights])
        return Observed(self._book, weights, self._constant * factor, self._value * factor)

    def __neg__(self) -> Any:
        return self._times(-1)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return self if self >= 0 else -self

    def __invert__(self) -> Any:
        return -self - 1

    # Comparisons: each note says as little as the outcome does

    def __lt__(self, other: Any) -> Any:
        if type(other) is int:
            return not self._at_least(other)
        return self._order(other, operator.lt)

    def __le__(self, other: Any) -> Any:
        if type(other) is int:
            return not self._at_least(other + 1)
        return self._order(other, operator.le)

    def __gt__(self, other: Any) -> Any:
        if type(other) is int:
            return self._at_least(other + 1)
        return self._order(other, operator.gt)

    def __ge__(self, other: Any) -> Any:
        if type(other) is int:
            return self._at_least(other)
        return self._order(other, operator.ge)

    def __eq__(self, other: Any) -> Any:
        if type(other) is int:
            return self._equals(other)
        if type(other) is Observed:
            return self is other or self - other == 0
        if type(other) is bool:
            return self._equals(int(other))
        if type(other) is float or type(other) is Fraction:
            whole = _is_whole(other)
            return whole and self._equals(int(other))
        if _is_exact_scalar(other):
            return np.bool_(self == other.item())
        return NotImplemented if isinstance(other, _NO_NUMBERS) else self._plain() == other

    def __ne__(self, other: Any) -> Any:
        if type(other) in (int, Observed, bool, float, Fraction):
            return not self == other
        if _is_exact_scalar(other):
            return np.bool_(self != other.item())
        return NotImplemented if isinstance(other, _NO_NUMBERS) else self._plain() != other

    def __bool__(self) -> bool:
        return not self._equals(0)

    def _at_least(self, bound: int) -> bool:
        constant = self._constant
        return self._book.at_least(self._weights, bound - constant, self._value - constant)

    def _equals(self, other: int) -> bool:
        constant = self._constant
        return self._book.equals(self._weights, other - constant, self._value - constant)

    def _order(self, other: Any, compare: _Operator) -> Any:
        """`compare(self, other)` for what is not an int."""
        if type(other) is Observed:
            return compare(self - other, 0)
        if type(other) is bool:
            return compare(self, int(other))
        if type(other) is float and not isfinite(other):
            return compare(0, other)  # the same for every integer
        if type(other) is float or type(other) is Fraction:
            # x < 2.5 is x < 3, and x > 2.5 is x > 2
            up = compare is operator.lt or compare is operator.ge
            return compare(self, ceil(other) if up else floor(other))
        if _is_exact_scalar(other):
            return np.bool_(compare(self, other.item()))
        if isinstance(other, _NO_NUMBERS):
            return NotImplemented
        return compare(self._plain(), other)

    # Whole quotients

    def __floordiv__(self, other: Any) -> Any:
        if type(other) is not int or not other:
            return self._plain() // other
        quotient = self._value // other
        first, last = quotient * other, quotient * other + other
        low, high = (first, last - 1) if other > 0 else (last + 1, first)
        constant = self._constant
        self._book.learn_between(
            self._weights, low - constant, high - constant, self._value - constant
        )
        return quotient

    def __rshift__(self, other: Any) -> Any:
        if type(other) is int and 0 <= other < 64:
            return self // (1 << other)
        return self._plain() >> other

    # Everything else learns the value

    def __rfloordiv__(self, other: Any) -> Any:
        return other // self._plain()

    def __mod__(self, other: Any) -> Any:
        return self._plain() % other

    def __rmod__(self, other: Any) -> Any:
        return other % self._plain()

    def __divmod__(self, other: Any) -> Any:
        return divmod(self._plain(), other)

    def __rdivmod__(self, other: Any) -> Any:
        return divmod(other, self._plain())

    def __truediv__(self, other: Any) -> Any:
        return self._plain() / other

    def __rtruediv__(self, other: Any) -> Any:
        return other / self._plain()

    def __pow__(self, other: Any, modulus: Any = None) -> Any:
        return pow(self._plain(), other, modulus)

    def __rpow__(self, other: Any, modulus: Any = None) -> Any:
        return pow(other, self._plain(), modulus)

    def __lshift__(self, other: Any) -> Any:
        return self._plain() << other

    def __rlshift__(self, other: Any) -> Any:
        return other << self._plain()

    def __rrshift__(self, other: Any) -> Any:
        return other >> self._plain()

    def __and__(self, other: Any) -> Any:
        return self._plain() & other

    def __rand__(self, other: Any) -> Any:
        return other & self._plain()

    def __or__(self, other: Any) -> Any:
        return self._plain() | other

    def __ror__(self, other: Any) -> Any:
        return other | self._plain()

    def __xor__(self, other: Any) -> Any:
        return self._plain() ^ other

    def __rxor__(self, other: Any) -> Any:
        return other ^ self._plain()

    def __int__(self) -> int:
        return self._plain()

    def __index__(self) -> int:
        return self._plain()

    def __trunc__(self) -> int:
        return self._plain()

    def __floor__(self) -> int:
        return self._plain()

    def __ceil__(self) -> int:
        return self._plain()

    def __round__(self, digits: Any = None) -> Any:
        return self._plain() if digits is None else round(self._plain(), digits)

    def __float__(self) -> float:
        return float(self._plain())

    def __hash__(self) -> int:
        return hash(self._plain())

    def __str__(self) -> str:
        return str(self._plain())

    def __repr__(self) -> str:
        return repr(self._plain())

    def __format__(self, spec: str) -> str:
        return format(self._plain(), spec)

    def __sizeof__(self) -> int:
        return self._plain().__sizeof__()

    def __getattr__(self, name: str) -> Any:
        # bit_length, numerator, real, to_bytes, as_integer_ratio and what later Pythons add
        if hasattr(int, name):
            return getattr(self._plain(), name)
        raise AttributeError(f"'int' object has no attribute {name!r}")

    # Copies: a number is never changed, so it may stand for its copy; what leaves is plain

    def __copy__(self) -> Observed:
        return self

    def __deepcopy__(self, memo: object) -> Observed:
        return self

    def __getstate__(self) -> object:
        return self._plain().__getstate__()

    def __reduce__(self) -> Any:
        return self._plain().__reduce__()

    def __reduce_ex__(self, protocol: Any) -> Any:
        # integers say how they are copied from protocol 2 on only
        return self._plain().__reduce_ex__(protocol) if protocol >= 2 else (int, (self._plain(),))

    def __getnewargs__(self) -> tuple[int]:
        return (self._plain(),)

    # NumPy

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.asarray(self._plain(), dtype=dtype)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        compare = _comparisons().get(ufunc)
        if compare is not None and method == "__call__" and len(inputs) == 2 and not kwargs:
            left, right = inputs
            if type(left) is Observed and _is_exact_scalar(right):
                return np.bool_(compare(left, right.item()))
            if type(right) is Observed and _is_exact_scalar(left):
                return np.bool_(compare(left.item(), right))
        plain = [item._plain() if type(item) is Observed else item for item in inputs]
        return getattr(ufunc, method)(*plain, **kwargs)


def _is_whole(number: float | Fraction) -> bool:
    if isinstance(number, Fraction):
        return number.denominator == 1
    return not isnan(number) and number.is_integer()


def _combined(left: Observed, right: Observed, combine: _Operator) -> Any:
    """Sum or difference of two observed numbers."""
    if left._book is not right._book:
        # One was kept from an earlier question; its notebook is closed and tells the desk.
        if left._book.closed:
            return combine(left._plain(), right)
        return combine(left, right._plain())
    weights = tuple(map(combine, left._weights, right._weights))
    constant = combine(left._constant, right._constant)
    if any(weights):
        return Observed(left._book, weights, constant, combine(left._value, right._value))
    return constant

"""Array types, input checks and sums that all estimators share."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arena.stats.errors import StatsError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def numbers(values: ArrayLike, *, name: str) -> Floats:
    """Return `values` as float64[...], refusing text, nan and infinity with a StatsError."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise StatsError(f"{name}: numbers are needed, not {values!r}") from error
    if not np.all(np.isfinite(array)):
        raise StatsError(f"{name}: every number must be finite")
    return array


def counts(values: ArrayLike, *, name: str, shape: tuple[int | None, ...]) -> Ints:
    """Return `values` as int64 of the given shape (None: any length).

    Raises StatsError for a negative or fractional count and for another shape.
    """
    array = numbers(values, name=name)
    if array.size == 0 and None in shape:
        array = array.reshape(tuple(0 if size is None else size for size in shape))
    fits = array.ndim == len(shape) and all(
        want is None or want == have for want, have in zip(shape, array.shape, strict=True)
    )
    if not fits:
        wanted = "[" + ",".join("m" if size is None else str(size) for size in shape) + "]"
        raise StatsError(f"{name}: counts of shape {wanted} are needed, not {list(array.shape)}")
    if np.any(array < 0):
        raise StatsError(f"{name}: a count is negative ({array.min():g})")
    whole = np.rint(array)
    if np.any(whole != array):
        first = float(array[whole != array].flat[0])
        raise StatsError(f"{name}: counts must be whole numbers, not {first:g}")
    return whole.astype(np.int64)


def level(confidence: float) -> float:
    """Return the confidence level, refusing what is not strictly between 0 and 1."""
    if not 0.0 < confidence < 1.0:
        raise StatsError(f"confidence must lie between 0 and 1, not {confidence!r}")
    return float(confidence)


def bot_pairs(first: ArrayLike, second: ArrayLike, *, bots: int) -> tuple[Ints, Ints]:
    """Return two index arrays int64[m] after checking range and that no bot meets itself."""
    one = counts(first, name="first", shape=(None,))
    two = counts(second, name="second", shape=(None,))
    if one.shape != two.shape:
        raise StatsError(f"first has {one.size} rows, second has {two.size}")
    if one.size and max(int(one.max()), int(two.max())) >= bots:
        raise StatsError(f"a bot index is {max(int(one.max()), int(two.max()))} of {bots} bots")
    if np.any(one == two):
        which = int(one[one == two][0])
        raise StatsError(f"bot {which} is paired with itself; such games say nothing about ratings")
    return one, two


def sums_by(index: Ints, values: Floats, size: int) -> Floats:
    """Return float64[size]: the sum of the values at each index."""
    return np.bincount(index, values, size).astype(np.float64)

"""Notes of answers in the kernel's units and in their one normal form."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.game.questions import UNBOUNDED, Feature
from arena.jit import compiled


@compiled
def reduced(weights: Any, low: Any, high: Any, x: Any, units: Any, out: Any) -> Any:
    """A note in the kernel's units, its weights in lowest terms and the first one positive.

    `open` and `last round` are known at the root, so they move to the bounds.

    Returns:
        number of terms, low, high; the weights stand in `out`.
    """
    shift = np.int64(0)
    divisor = np.int64(0)
    for f in range(len(weights)):
        weight = weights[f]
        if f == Feature.OPEN or f == Feature.LAST_ROUND:
            shift += weight * x[f]
            weight = np.int64(0)
        out[f] = weight * units[f]
        a, b = divisor, abs(out[f])
        while b:
            a, b = b, a % b
        divisor = a
    if divisor == 0:
        return 0, low, high
    terms = 0
    sign = np.int64(0)
    for f in range(len(weights)):
        if out[f] != 0:
            terms += 1
            if sign == 0:
                sign = np.int64(1) if out[f] > 0 else np.int64(-1)
            out[f] = out[f] // divisor * sign
    # ceil and floor of the bounds; an open side stays open
    new_low = -((shift - low) // divisor) if low > -UNBOUNDED else -np.int64(UNBOUNDED)
    new_high = (high - shift) // divisor if high < UNBOUNDED else np.int64(UNBOUNDED)
    if sign < 0:
        return terms, -new_high, -new_low
    return terms, new_low, new_high

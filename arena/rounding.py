"""Shares as numbers of 100, rounded so that what two sides have adds up to 100."""

from __future__ import annotations

NOISE_DIGITS = 6
"""Digits behind those shown below which a tie is a tie: 0.4915 is no number that computers have."""


def points_of_100(share: float, digits: int = 1) -> str:
    """Return the share in hundredths, as `50.8`; that of 1 - share is rounded the other way.

    Ties go to the even number of steps from one half: 0.5085 is 50.8 and 0.4915 is 49.2, where
    each alone would become 50.8 and 49.1.
    """
    step = 10.0**digits
    steps = round(round((share - 0.5) * 100.0 * step, NOISE_DIGITS))
    return f"{50.0 + steps / step:.{digits}f}"

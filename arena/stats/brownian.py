"""Brownian motion between two absorbing barriers: when and where a sequential test ends.

W starts at 0, has unit variance and drift m per unit of time, and stops at lower < 0 < upper.
Classical series (Cox, Miller 1965, The Theory of Stochastic Processes, 5.7), used for estimation
after sequential tests by Siegmund (1985, Sequential Analysis, III-IV).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from arena.stats.arrays import Floats
from arena.stats.errors import StatsError

SHORTEST = 0.01
"""Times below this share of the squared width need too many terms of the series."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Corridor:
    """The two barriers; raises StatsError unless lower < 0 < upper."""

    lower: float
    upper: float

    def __post_init__(self) -> None:
        if not self.lower < 0.0 < self.upper:
            raise StatsError(f"0 must lie between the bounds {self.lower:g} and {self.upper:g}")

    @property
    def width(self) -> float:
        """Distance between the barriers."""
        return self.upper - self.lower

    def ends_low(self, drift: float) -> float:
        """Return the chance that the lower barrier is met first."""
        up, whole = 2.0 * drift * self.upper, 2.0 * drift * self.width
        if abs(whole) < 1e-9:
            return self.upper / self.width
        if whole > 0.0:
            return math.exp(2.0 * drift * self.lower) * math.expm1(-up) / math.expm1(-whole)
        return math.expm1(up) / math.expm1(whole)

    def mean_time(self, drift: float) -> float:
        """Return the expected time until a barrier is met (Wald's identity)."""
        if abs(drift) * self.width < 1e-4:
            return -self.lower * self.upper
        low = self.ends_low(drift)
        return (low * self.lower + (1.0 - low) * self.upper) / drift

    def low_by(self, drift: float, time: float) -> float:
        """Return the chance of having met the lower barrier first, and by `time`."""
        return max(self.ends_low(drift) - self._later(drift, time, -self.lower), 0.0)

    def high_by(self, drift: float, time: float) -> float:
        """Return the chance of having met the upper barrier first, and by `time`."""
        later = self._later(-drift, time, self.upper)
        return max(1.0 - self.ends_low(drift) - later, 0.0)

    def below(self, drift: float, time: float, place: float) -> float:
        """Return the chance of still moving at `time`, at or below `place`."""
        n = self._terms(time)
        k = n * math.pi / self.width
        x, y = -self.lower, min(max(place, self.lower), self.upper) - self.lower
        decay = -0.5 * (k**2 + drift**2) * time - drift * x
        top = np.exp(decay + drift * y) * (drift * np.sin(k * y) - k * np.cos(k * y))
        bottom = np.exp(decay) * k
        total = (np.sin(k * x) * (top + bottom) / (drift**2 + k**2)).sum()
        return min(max(float(total) * 2.0 / self.width, 0.0), 1.0)

    def _later(self, drift: float, time: float, distance: float) -> float:
        """Chance of meeting the barrier `distance` below the start first, but after `time`."""
        n = self._terms(time)
        rate = 0.5 * (n * math.pi / self.width) ** 2 + 0.5 * drift**2
        weight = n * np.sin(n * math.pi * distance / self.width) * math.pi / self.width**2
        return float((weight * np.exp(-rate * time - drift * distance) / rate).sum())

    def _terms(self, time: float) -> Floats:
        share = time / self.width**2
        if share < SHORTEST:
            raise StatsError("the test ended too early for the diffusion approximation")
        most = math.ceil(math.sqrt(2.0 * 45.0 / share) / math.pi) + 2
        return np.arange(1.0, most + 1.0)

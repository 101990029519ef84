"""`turn.rng`: random numbers that cost nothing until they are drawn.

Python's own generator spends some microseconds on every seed, many times what a decision costs.
This one is SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA
2014), whose seed is its state.
"""

from __future__ import annotations

import hashlib
import random
from sys import getrefcount
from typing import Any, Final

from arena.game.dice import WORD, mix

GAMMA: Final = 0x9E3779B97F4A7C15


class AddressedRandom(random.Random):
    """A `random.Random` that draws from SplitMix64.

    Args:
        seed: 64 bits.
    """

    def __new__(cls, seed: int = 0) -> AddressedRandom:
        """Make one; Python's own generator inside is never drawn from, so any seed does for it."""
        return super().__new__(cls, 0)  # type: ignore[call-arg]  # typeshed knows no argument

    def __init__(self, seed: int = 0) -> None:
        self.start(seed)

    def start(self, seed: int) -> None:
        """Begin the stream of a seed of 64 bits."""
        self._first = self._word = seed
        self.gauss_next = None  # what `gauss` keeps for its next call

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Begin the stream of any value; None is the seed that the generator was made with."""
        if a is None:
            self.start(self._first)
        else:
            digest = hashlib.blake2b(repr(a).encode(), digest_size=8).digest()
            self._word = int.from_bytes(digest, "little")
            self.gauss_next = None

    def random(self) -> float:
        """The next number in [0, 1), a multiple of 2**-53."""
        self._word = word = (self._word + GAMMA) & WORD
        return (mix(word) >> 11) * 2.0**-53

    def getrandbits(self, k: int, /) -> int:
        """The next k bits.

        Raises:
            ValueError: k is negative.
        """
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        if k <= 64:
            self._word = word = (self._word + GAMMA) & WORD
            return mix(word) >> (64 - k)
        bits = 0
        for _ in range(0, k, 64):
            bits = bits << 64 | self.getrandbits(64)
        return bits >> (-k % 64)

    def getstate(self) -> tuple[Any, ...]:
        """What `setstate` takes to go on from here."""
        return self._first, self._word, self.gauss_next

    def setstate(self, state: tuple[Any, ...]) -> None:
        """Go on from where `getstate` was called."""
        self._first, self._word, self.gauss_next = state


class RngShelf:
    """Gives out one generator again and again, so that none has to be made.

    If the last user still holds it, a new one takes its place.
    """

    def __init__(self) -> None:
        self._rng = AddressedRandom()
        self._on_the_shelf = self._holders()

    def take(self, seed: int) -> AddressedRandom:
        """A generator that begins the stream of a seed and that nobody else holds."""
        if self._holders() > self._on_the_shelf:
            self._rng = AddressedRandom(seed)
        else:
            self._rng.start(seed)
        return self._rng

    def _holders(self) -> int:
        return getrefcount(self._rng)

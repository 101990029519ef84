"""Counter-based dice: a roll is a pure function of its address, so there is no state to keep.

The address is (match key, block, seat, turn of that seat, roll within the turn). Three rounds of
the SplitMix64 finaliser (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
OOPSLA 2014) lead from the key to a 64-bit word; its upper half is scaled to one of the 6**m
outcomes of m dice by Lemire's method (Fast random integer generation in an interval, 2019), which
rejects the few words that would make outcomes unequal. `arena.kernel.dice` is the compiled twin.
"""

from __future__ import annotations

import hashlib
from typing import Final, Protocol

WORD: Final = (1 << 64) - 1
GAMMA_BLOCK: Final = 0x9E3779B97F4A7C15
GAMMA_TURN: Final = 0xD1B54A32D192ED03
GAMMA_ROLL: Final = 0x8CB92BA72F3D8DD7
OUTCOMES: Final = (1, 6, 36, 216, 1_296, 7_776, 46_656)
REJECTED: Final = tuple((1 << 32) % outcomes for outcomes in OUTCOMES)
"""Lower halves below this are drawn again, so that all outcomes of m dice are equally likely."""


class Dice(Protocol):
    """Where the referee's rolls come from."""

    def outcome(self, *, seat: int, turn: int, roll: int, dice: int) -> int:
        """The outcome of so many dice, in [0, 6**dice); seat, turn and roll count from 1."""


def match_key(seed: int, *parts: str) -> int:
    """The 64-bit key of a match's dice, from the seed and all that tells matches apart.

    The key cannot be found from the dice by anything a bot could afford, and a bot that knows the
    seed still lacks the other bots' parts.
    """
    text = "\x00".join([str(seed), *parts])
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def rng_key(key: int) -> int:
    """The key of `turn.rng` in a match; says nothing about the dice."""
    return match_key(key, "turn.rng")


def mix(word: int) -> int:
    """The SplitMix64 finaliser: a fixed permutation of the 64-bit words."""
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & WORD
    return word ^ (word >> 31)


def block_word(key: int, block: int) -> int:
    """The word of a block; blocks count from 0."""
    return mix((key + (block + 1) * GAMMA_BLOCK) & WORD)


def turn_word(block_word: int, seat: int, turn: int) -> int:
    """The word of a turn; seat and turn count from 1."""
    return mix((block_word + ((turn << 3) + seat - 1) * GAMMA_TURN) & WORD)


def roll_word(turn_word: int, roll: int) -> int:
    """The word of a roll; rolls count from 1."""
    return mix((turn_word + roll * GAMMA_ROLL) & WORD)


class AddressedDice:
    """The dice of one block of one match.

    Args:
        key: `match_key` of the match.
        block: number of the block, from 0.
    """

    def __init__(self, key: int, block: int) -> None:
        self._block = block_word(key, block)
        self._rng = block_word(rng_key(key), block)
        self._place = (0, 0)
        self._turn = 0

    def outcome(self, *, seat: int, turn: int, roll: int, dice: int) -> int:
        """The outcome of so many dice, in [0, 6**dice); seat, turn and roll count from 1."""
        if self._place != (seat, turn):
            self._place = (seat, turn)
            self._turn = turn_word(self._block, seat, turn)
        word = roll_word(self._turn, roll)
        scaled = (word >> 32) * OUTCOMES[dice]
        while scaled & 0xFFFFFFFF < REJECTED[dice]:
            word = mix((word + GAMMA_ROLL) & WORD)
            scaled = (word >> 32) * OUTCOMES[dice]
        return scaled >> 32

    def rng_seed(self, seat: int, turn: int, roll: int) -> int:
        """Seed of `turn.rng` at this decision."""
        return roll_word(turn_word(self._rng, seat, turn), roll)

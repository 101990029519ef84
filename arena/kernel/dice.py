"""The dice of `arena.game.dice`, compiled; both must draw the same."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.game.dice import GAMMA_BLOCK, GAMMA_ROLL, GAMMA_TURN
from arena.jit import inlined

_BLOCK = np.uint64(GAMMA_BLOCK)
_TURN = np.uint64(GAMMA_TURN)
_ROLL = np.uint64(GAMMA_ROLL)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31 = np.uint64(27), np.uint64(30), np.uint64(31)


@inlined
def mix(word: Any) -> Any:
    """The SplitMix64 finaliser of a uint64."""
    word = (word ^ (word >> _S30)) * _M1
    word = (word ^ (word >> _S27)) * _M2
    return word ^ (word >> _S31)


@inlined
def block_word(key: Any, block: Any) -> Any:
    """The word of a block, from 0; key and block are uint64."""
    return mix(key + (block + np.uint64(1)) * _BLOCK)


@inlined
def turn_word(word: Any, seat: Any, turn: Any) -> Any:
    """The word of a turn; seat from 0, turn from 1, both int64."""
    return mix(word + np.uint64((turn << 3) + seat) * _TURN)


@inlined
def roll_word(word: Any, roll: Any) -> Any:
    """The word of a roll, from 1, int64."""
    return mix(word + np.uint64(roll) * _ROLL)


@inlined
def redraw(word: Any) -> Any:
    """The next word where one was rejected."""
    return mix(word + _ROLL)

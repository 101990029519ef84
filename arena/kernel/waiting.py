"""From waiting games to questions: which positions to ask, as arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.jit import compiled
from arena.kernel.dice import roll_word, turn_word
from arena.kernel.layout import ALWAYS, CELLS, SET_WORDS, Cell, SetWord
from arena.kernel.play import features_of
from arena.kernel.states import state_of


class Chosen(NamedTuple):
    """Positions chosen to be asked; room for W.

    Attributes:
        features: int64[W, F], in points.
        seeds: uint64[W], of `turn.rng`.
        slots, seats, places, trees, roots, rolls: int64[W].
        fresh: bool[W], whether the bot in that seat is asked in that game for the first time.
    """

    features: NDArray[np.int64]
    seeds: NDArray[np.uint64]
    slots: NDArray[np.int64]
    seats: NDArray[np.int64]
    places: NDArray[np.int64]
    trees: NDArray[np.int64]
    roots: NDArray[np.int64]
    rolls: NDArray[np.int64]
    fresh: NDArray[np.bool_]


def room_for(slots: int, features: int) -> Chosen:
    """Room for as many positions as there are slots."""
    rows = {
        name: np.zeros(slots, dtype=np.int64)
        for name in ("slots", "seats", "places", "trees", "roots", "rolls")
    }
    return Chosen(
        features=np.zeros((slots, features), dtype=np.int64),
        seeds=np.zeros(slots, dtype=np.uint64),
        fresh=np.zeros(slots, dtype=np.bool_),
        **rows,
    )


@compiled
def choose(
    cells: Any,
    lineup: Any,
    waiting: Any,
    count: Any,
    noisy: Any,
    marks: Any,
    wave: Any,
    units: Any,
    out: Any,
) -> Any:
    """Write the positions to be asked in this wave into `out`; how many they are.

    Of the games that wait below the same root only the first is asked, for its answer probably
    serves the others too; below a noisy root, whose answers could not be remembered, all are.

    Args:
        waiting: int64[W], slots; the first `count` count.
        noisy: bool[roots]; marks: int64[roots], the wave in which a root was last asked.
        wave: number of this wave.
        units: int64[F], `feature_units`.
        out: `Chosen`.
    """
    chosen = 0
    for i in range(count):
        slot = waiting[i]
        at = slot * CELLS
        seat = cells[at + Cell.SEAT]
        place = (seat + cells[at + Cell.GAME] % lineup.rotations) % lineup.seats
        tree = lineup.tree[place]
        x = out.features[chosen]
        features_of(cells, slot, lineup.seats, x)
        state = state_of(lineup.predicates, tree, x)
        at_set = tree * SET_WORDS
        root = lineup.sets[at_set + SetWord.BASE] + cells[at + Cell.ROLL]
        root += state * lineup.sets[at_set + SetWord.STRIDE]
        if cells[at + Cell.LEAF] != ALWAYS and not noisy[root]:
            if marks[root] == wave:
                continue
            marks[root] = wave
        for f in range(len(units)):
            x[f] *= units[f]
        word = turn_word(np.uint64(cells[at + Cell.RNG_WORD]), seat, cells[at + Cell.ROUND])
        out.seeds[chosen] = roll_word(word, cells[at + Cell.ROLLS])
        out.slots[chosen] = slot
        out.seats[chosen] = seat
        out.places[chosen] = place
        out.trees[chosen] = tree
        out.roots[chosen] = root
        out.rolls[chosen] = cells[at + Cell.ROLL]
        bit = np.int64(1) << seat
        out.fresh[chosen] = cells[at + Cell.ASKED] & bit == 0
        cells[at + Cell.ASKED] |= bit
        chosen += 1
    return chosen

"""The fewest turns to the target for a player alone.

With v[i] = -(turns that are still needed on average from sheet i),

    v[i] = -1 + best turn with  stop[p] = v[sheet after p], 0 at the target, v[i] below the minimum
                                lost[p] = v[sheet after a bust]

Scores are solved from high to low, all sheets of a score together: a turn that writes nothing
returns to the same score, so that their values are a fixed point. Penalties lead to lower scores;
with them the scores are swept until nothing changes. Without a floor for penalties scores stop at
`sheets.DEEP` penalties, which play practically never reaches.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.rules import Ruleset
from arena.solver.iterate import fixed_point
from arena.solver.sheets import Sheets, make_sheets
from arena.solver.turn_kernel import TurnTable

CHANGE: Final = 1e-10
SWEEPS: Final = 1_000


def expected_turns(rules: Ruleset) -> float:
    """Fewest turns on average until the target is written, from the start of a game."""
    sheets = make_sheets(rules)
    score = sheets.arrays.score
    levels = [np.flatnonzero(score == at) for at in range(sheets.target - 1, sheets.lowest - 1, -1)]
    values = np.zeros(len(sheets))
    for sweep in range(SWEEPS):
        before = values.copy()
        for above, level in zip([levels[0], *levels], levels, strict=False):
            if not sweep:
                values[level] = values[above[0]] - 0.1
            _solve_level(sheets, level, values)
        if not rules.bust_penalty.after or float(np.abs(values - before).max()) < CHANGE:
            break
    return -float(values[sheets.first])


def _solve_level(sheets: Sheets, level: NDArray[np.int64], values: NDArray[np.float64]) -> None:
    """Settle the values of all sheets of one score, in place."""
    arrays = sheets.arrays
    minimum = arrays.minimum[level]
    place = int(arrays.score[level[0]]) - sheets.lowest
    table = TurnTable(sheets.graph, max(sheets.scores - place, int(minimum.max())), len(level))
    below_target = sheets.scores - place
    written = np.zeros(len(table.stop))
    written[:below_target] = values[place : sheets.scores][: len(written)]
    writes = np.arange(len(written))[:, None] >= minimum

    def step(x: NDArray[np.float64]) -> NDArray[np.float64]:
        values[level] = x
        table.stop[:] = np.where(writes, written[:, None], x)
        table.lost[:] = values[arrays.after_bust[level]]
        if sheets.graph.rules.bust == "keep":
            table.lost[:] = np.where(writes, written[:, None], table.lost)
        return table.solve(0.0) - 1.0

    values[level], _ = fixed_point(step, values[level], change=CHANGE / 10)

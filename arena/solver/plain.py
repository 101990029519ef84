"""The best turn in one situation, by NumPy alone, and what to do at each of its positions.

The same equations as in `turn_kernel`, row by row; about ten times slower for one situation, but
nothing needs to be compiled. Bots that play solved policies decide by it.

Among choices whose values differ by less than `EQUAL` it takes the first of: end the turn, with the
first hold that may; roll on, with the first hold; roll all dice again. So rounding never decides.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.rules import REROLL_CODE, Roll
from arena.solver.graph import STOP, Landing, TurnGraph

EQUAL: Final = 1e-11
SETTLED: Final = 1e-15
MOST_ROUNDS: Final = 100_000

Values = NDArray[np.float64]
Codes = NDArray[np.int64]


class _Options:
    """The options of all groups in full, as index arrays for NumPy."""

    def __init__(self, graph: TurnGraph) -> None:
        arrays = graph.arrays
        steps: list[NDArray[np.int64]] = []
        for g, parent in enumerate(arrays.parent):
            own = np.arange(arrays.option_first[g], arrays.option_first[g + 1])
            steps.append(np.concatenate([steps[parent], own]) if parent >= 0 else own)
        chosen = np.concatenate(steps) if steps else np.zeros(0, dtype=np.int64)
        self.step = arrays.step.astype(np.int64)[chosen]
        self.landing = arrays.landing[chosen]
        self.first = np.cumsum([0, *(len(step) for step in steps)])[:-1]
        # Spots from which nothing scores without winning have no group, which reduceat cannot say.
        self.filled = np.flatnonzero(np.diff(arrays.group_first))
        self.group_first = arrays.group_first[self.filled]
        self.may_stop = np.where(arrays.may_stop, 0.0, -np.inf)


@lru_cache(maxsize=8)
def _options(graph: TurnGraph) -> _Options:
    return _Options(graph)


class PlainTurn:
    """The values of one turn in one situation.

    Args:
        graph: inside of a turn.
        stop: float64[N], value of ending the turn with so many units.
        lost: float64[N], value of a bust at so many units.
        won: value of an instant win.
        rows: P; from here on the turn ends where it may. N is at least P + max_gain + 1.

    Attributes:
        roll: float64[P, S], value of rolling from each spot.
        land: float64[N, Y], value of each landing.
        again: float64[S], value of a free re-roll at the beginning, from the spot it leaves.
        begin: value of the turn's beginning.
    """

    def __init__(self, graph: TurnGraph, stop: Values, lost: Values, won: float, rows: int) -> None:
        self.graph = graph
        self.stop = stop
        self.rows = rows
        self._lost = lost
        self._won = won
        spots, landings = len(graph.spots), len(graph.landings)
        self.roll = np.zeros((rows, spots))
        self.land = np.repeat(stop[:, None], landings, axis=1)
        self._bests = np.zeros(len(graph.arrays.prob))
        if not graph.arrays.may_stop.all():
            self._force()
        self._solve()
        self.again, self.begin = self._begin()
        self._codes: dict[tuple[int, int], Codes] = {}

    def _spot_values(self, p: int, bests: Values) -> Values:
        """Value of rolling from every spot with p units, from the best options of all groups."""
        arrays = self.graph.arrays
        options = _options(self.graph)
        values = arrays.bust * self._lost[p] + arrays.win * self._won
        values[options.filled] += np.add.reduceat(bests * arrays.prob, options.group_first)
        return np.asarray(values)

    def _land_values(self, p: int, roll: Values) -> Values:
        on = np.append(roll, -np.inf)[self.graph.arrays.roll_spot]
        return np.asarray(np.maximum(self.stop[p] + _options(self.graph).may_stop, on))

    def _solve(self) -> None:
        options = _options(self.graph)
        landings = len(self.graph.landings)
        flat = self.land.reshape(-1)
        for p in range(self.rows - 1, -1, -1):
            if len(options.first):
                self._bests = np.maximum.reduceat(flat[p * landings + options.step], options.first)
            self.roll[p] = self._spot_values(p, self._bests)
            self.land[p] = self._land_values(p, self.roll[p])

    def _force(self) -> None:
        """Landings that force a roll in the rows where further points no longer count."""
        arrays = self.graph.arrays
        options = _options(self.graph)
        for p in range(len(self.stop) - 1, self.rows - 1, -1):
            if p + 1 < len(self.stop) and self.stop[p] == self.stop[p + 1]:
                self.land[p] = self.land[p + 1]
                continue
            for _ in range(MOST_ROUNDS):
                bests = np.maximum.reduceat(self.land[p][options.landing], options.first)
                values = np.append(self._spot_values(p, bests), 0.0)[arrays.roll_spot]
                after = np.where(arrays.may_stop, self.stop[p], values)
                change = float(np.abs(after - self.land[p]).max())
                self.land[p] = after
                if change < SETTLED:
                    break

    def _begin(self) -> tuple[Values, float]:
        """What a free re-roll is worth from each spot, 0 where there is none, and the beginning."""
        spots = self.graph.arrays.reroll_spot
        again = np.zeros(len(spots))
        value = float(self.roll[0, 0])
        if spots[0] == 0:  # rolls are not counted: a fixed point
            for _ in range(MOST_ROUNDS):
                after = self._start(0, value)
                settled = abs(after - value) < SETTLED
                value = after
                if settled:
                    break
            again[0] = value
            return again, value
        chain = [0]
        while spots[chain[-1]] != STOP:
            chain.append(int(spots[chain[-1]]))
        value = float(self.roll[0, chain[-1]])
        for s in reversed(chain[:-1]):
            again[s] = value
            value = self._start(s, value)
        return again, value

    def _start(self, s: int, again: float) -> float:
        """Value of the roll from a spot at the beginning, when a re-roll is worth so much."""
        arrays = self.graph.arrays
        groups = slice(arrays.group_first[s], arrays.group_first[s + 1])
        bests, free, prob = self._bests[groups], arrays.free[groups], arrays.prob[groups]
        value = arrays.bust[s] * self._lost[0] + arrays.win[s] * self._won
        kept = np.where(free & (bests < again), 0.0, prob)
        share = float(prob.sum() - kept.sum())
        value += float((kept * bests).sum())
        if arrays.reroll_spot[s] == s:
            return float(value / (1.0 - share))
        return float(value + share * again)

    def codes(self, roll: Roll, counted: int) -> Codes:
        """int64[P + 1]: decision codes after a roll, by units gathered before; the last one holds
        for all larger numbers.

        Args:
            roll: scores.
            counted: number of the roll within the turn, as `max_rolls` counts; 0 if it does not.
        """
        key = roll.id, counted
        if key not in self._codes:
            self._codes[key] = self._decide(roll, counted)
        return self._codes[key]

    def rolled(self, roll: Roll, counted: int, p: int) -> float:
        """Value of a roll that was thrown with p units, before anything is decided."""
        graph = self.graph
        if roll.instant_win:
            return self._won
        if roll.holds:
            values = self._choices(roll, counted, np.array([p])).values()
            return float(max(value[0] for value in values))
        nothing = graph.rules.nothing_scores // graph.unit
        if not nothing or len(roll.dice) < graph.rules.dice:
            return float(self._lost[min(p, len(self._lost) - 1)])
        p = min(p + nothing, len(self.stop) - 1)
        limit = graph.rules.max_rolls
        if limit and counted >= limit:
            return float(self.stop[p])
        on = graph.landings.index(Landing(stop=False, spot=graph.spot(graph.rules.dice, counted)))
        return float(self.land[p, on])

    def decided(self, roll: Roll, counted: int, p: int, code: int) -> float:
        """Value of a decision after a roll with p units, all played well afterwards.

        A code that the rules leave no choice about means what they make of it.
        """
        choices = self._choices(roll, counted, np.array([p]))
        code = code if code in choices else code ^ 1
        value = float(choices[code][0])
        if np.isfinite(value):
            return value
        hold = roll.holds[code >> 1]
        landing = self.graph.landings[self.graph.landing(roll, hold, counted)]
        return self._rolled_on(p + hold.points // self.graph.unit, landing.spot)

    def _rolled_on(self, p: int, spot: int) -> float:
        """Value of rolling on from row P or above, where it is a mistake, and no further."""
        options = _options(self.graph)
        landings = len(self.graph.landings)
        top = len(self.stop) - 1
        row = np.minimum(p + options.step // landings, top)
        bests = np.maximum.reduceat(self.land[row, options.landing], options.first)
        return float(self._spot_values(min(p, top), bests)[spot])

    def _decide(self, roll: Roll, counted: int) -> Codes:
        choices = self._choices(roll, counted, np.arange(self.rows + 1))
        values = np.array(list(choices.values()))
        first = np.argmax(values >= values.max(axis=0) - EQUAL, axis=0)
        return np.asarray(np.array(list(choices))[first])

    def _choices(self, roll: Roll, counted: int, p: Codes) -> dict[int, Values]:
        """Values of all decisions by code, those that win ties first."""
        graph = self.graph
        banks: dict[int, Values] = {}
        rolls: dict[int, Values] = {}
        for hold in roll.holds:
            landing = graph.landings[graph.landing(roll, hold, counted)]
            to = np.minimum(p + hold.points // graph.unit, len(self.stop) - 1)
            if landing.stop:
                banks[hold.bank().code] = self.stop[to]
            if landing.spot != STOP:
                on = np.full(len(p), -np.inf)
                inside = to < self.rows
                on[inside] = self.roll[to[inside], landing.spot]
                if not landing.stop:
                    on[~inside] = self.land[to[~inside], graph.landings.index(landing)]
                rolls[hold.roll().code] = on
        choices = banks | rolls
        spot = graph.spot(len(roll.dice), max(counted - 1, 0))
        if roll.goes_on and graph.arrays.reroll_spot[spot] != STOP:
            choices[REROLL_CODE] = np.where(p == 0, self.again[spot], -np.inf)
        return choices

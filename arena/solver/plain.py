"""Best turns by NumPy alone, and what to do at each of their positions.

The same equations as in `turn_kernel`, row by row for many situations at once, and nothing needs
to be compiled: bots that play solved policies decide by it, in processes of their own.

Among choices whose values differ by less than `EQUAL` it takes the first of: end the turn, with the
first hold that may; roll on, with the first hold; roll all dice again. So rounding never decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rules import REROLL_CODE, Roll
from arena.solver.graph import STOP, Landing, TurnGraph

EQUAL: Final = 1e-11
SETTLED: Final = 1e-15
MOST_ROUNDS: Final = 100_000

Values = NDArray[np.float64]


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
        self.may_stop = np.where(arrays.may_stop, 0.0, -np.inf)[:, None]

    def bests(self, land: Values, where: NDArray[np.int64]) -> Values:
        """float64[G, K]: best option of every group, from landings and where options lead."""
        if not len(self.first):
            return np.zeros((0, land.shape[1]))
        return np.asarray(np.maximum.reduceat(land[where], self.first))


@lru_cache(maxsize=8)
def _options(graph: TurnGraph) -> _Options:
    return _Options(graph)


class _Choice(NamedTuple):
    """One decision: its code, the units it adds, and where it leads; `STOP` ends the turn."""

    code: int
    gain: int
    spot: int
    landing: int


@lru_cache(maxsize=1 << 14)
def _choices(graph: TurnGraph, roll: Roll, counted: int) -> tuple[_Choice, ...]:
    """Decisions after a roll, free re-rolls left aside; those that win ties first."""
    banks, rolls = [], []
    for hold in roll.holds:
        number = graph.landing(roll, hold, counted)
        landing = graph.landings[number]
        gain = hold.points // graph.unit
        if landing.stop:
            banks.append(_Choice(hold.bank().code, gain, STOP, number))
        if landing.spot != STOP:
            rolls.append(_Choice(hold.roll().code, gain, landing.spot, number))
    return (*banks, *rolls)


class Ends(NamedTuple):
    """What ending a turn is worth in one situation.

    Attributes:
        stop: float64[N], of writing so many units; not looked at below `minimum`. May be a view.
        minimum: units from which on a turn is written.
        nothing: value of ending the turn with less.
        busted: value of a bust that writes nothing.
        keep: whether busts keep, so that they are worth `stop` from the minimum on.
    """

    stop: Values
    minimum: int
    nothing: float
    busted: float
    keep: bool

    def stopped(self, units: int) -> float:
        """Value of ending the turn with so many units."""
        if units < self.minimum:
            return self.nothing
        return float(self.stop[min(units, len(self.stop) - 1)])

    def lost(self, units: int) -> float:
        """Value of a bust at so many units."""
        return self.stopped(units) if self.keep and units >= self.minimum else self.busted

    def columns(self, height: int) -> tuple[Values, Values]:
        """float64[height] twice: values of ending the turn, and of a bust, by units."""
        stop = np.full(height, self.stop[-1])
        stop[: len(self.stop)] = self.stop[:height]
        stop[: self.minimum] = self.nothing
        lost = np.full(height, self.busted)
        if self.keep:
            lost[self.minimum :] = stop[self.minimum :]
        return stop, lost


def plain_turns(graph: TurnGraph, ends: Sequence[Ends], won: float, rows: int) -> list[PlainTurn]:
    """Solve the turns of K situations.

    Args:
        graph: inside of a turn.
        ends: of each situation.
        won: value of an instant win.
        rows: P; from here on the turn ends where it may.
    """
    return _Solve(graph, ends, won, rows).turns()


class _Solve:
    """The tables of K turns while they are solved."""

    def __init__(self, graph: TurnGraph, ends: Sequence[Ends], won: float, rows: int) -> None:
        height = rows + graph.max_gain + 1
        columns = [each.columns(height) for each in ends]
        self._graph = graph
        self._ends = ends
        self._won = won
        self._rows = rows
        self._stop = np.stack([stop for stop, _ in columns], axis=1)
        self._lost = np.stack([lost for _, lost in columns], axis=1)
        self._roll = np.zeros((rows, len(graph.spots), len(ends)))
        self._land = np.repeat(self._stop[:, None, :], len(graph.landings), axis=1)
        self._bests = np.zeros((len(graph.arrays.prob), len(ends)))
        self._forced = not graph.arrays.may_stop.all()
        if self._forced:
            self._force()
        self._solve()

    def turns(self) -> list[PlainTurn]:
        """The turn of each situation."""
        return [self._turn(lane) for lane in range(len(self._ends))]

    def _turn(self, lane: int) -> PlainTurn:
        again, begin = self._begin(lane)
        beyond = self._land[self._rows :, :, lane].copy() if self._forced else None
        return PlainTurn(
            graph=self._graph,
            ends=self._ends[lane],
            won=self._won,
            roll=self._roll[:, :, lane].copy(),
            beyond=beyond,
            again=again,
            begin=begin,
        )

    def _spot_values(self, p: int, bests: Values) -> Values:
        """float64[S, K]: rolling from every spot with p units, from the bests of all groups."""
        arrays = self._graph.arrays
        options = _options(self._graph)
        values = arrays.bust[:, None] * self._lost[p] + (arrays.win * self._won)[:, None]
        if len(options.filled):
            shares = bests * arrays.prob[:, None]
            values[options.filled] += np.add.reduceat(shares, options.group_first)
        return np.asarray(values)

    def _solve(self) -> None:
        graph = self._graph
        options = _options(graph)
        landings, lanes = len(graph.landings), self._stop.shape[1]
        flat = self._land.reshape(-1, lanes)
        never = np.full((1, lanes), -np.inf)
        for p in range(self._rows - 1, -1, -1):
            self._bests = options.bests(flat, p * landings + options.step)
            self._roll[p] = self._spot_values(p, self._bests)
            on = np.concatenate([self._roll[p], never])[graph.arrays.roll_spot]
            np.maximum(self._stop[p] + options.may_stop, on, out=self._land[p])

    def _force(self) -> None:
        """Landings that force a roll in the rows where further points no longer count."""
        arrays = self._graph.arrays
        options = _options(self._graph)
        stop, lost, land = self._stop, self._lost, self._land
        nothing = np.zeros((1, stop.shape[1]))
        for p in range(len(stop) - 1, self._rows - 1, -1):
            same = p + 1 < len(stop) and np.array_equal(stop[p], stop[p + 1])
            if same and np.array_equal(lost[p], lost[p + 1]):
                land[p] = land[p + 1]
                continue
            for _ in range(MOST_ROUNDS):
                bests = options.bests(land[p], options.landing)
                on = np.concatenate([self._spot_values(p, bests), nothing])[arrays.roll_spot]
                after = np.where(arrays.may_stop[:, None], stop[p], on)
                change = float(np.abs(after - land[p]).max())
                land[p] = after
                if change < SETTLED:
                    break

    def _begin(self, lane: int) -> tuple[Values, float]:
        """What a free re-roll is worth from each spot, 0 where there is none, and the beginning."""
        spots = self._graph.arrays.reroll_spot
        again = np.zeros(len(spots))
        value = float(self._roll[0, 0, lane])
        if spots[0] == 0:  # rolls are not counted: a fixed point
            for _ in range(MOST_ROUNDS):
                after = self._start(0, value, lane)
                settled = abs(after - value) < SETTLED
                value = after
                if settled:
                    break
            again[0] = value
            return again, value
        chain = [0]
        while spots[chain[-1]] != STOP:
            chain.append(int(spots[chain[-1]]))
        value = float(self._roll[0, chain[-1], lane])
        for s in reversed(chain[:-1]):
            again[s] = value
            value = self._start(s, value, lane)
        return again, value

    def _start(self, s: int, again: float, lane: int) -> float:
        """Value of the roll from a spot at the beginning, when a re-roll is worth so much."""
        arrays = self._graph.arrays
        groups = slice(arrays.group_first[s], arrays.group_first[s + 1])
        bests, free, prob = self._bests[groups, lane], arrays.free[groups], arrays.prob[groups]
        value = arrays.bust[s] * self._lost[0, lane] + arrays.win[s] * self._won
        kept = np.where(free & (bests < again), 0.0, prob)
        share = float(prob.sum() - kept.sum())
        value += float((kept * bests).sum())
        if arrays.reroll_spot[s] == s:
            return float(value / (1.0 - share))
        return float(value + share * again)


class PlainTurn:
    """The values of one turn in one situation. P rows and S spots.

    Attributes:
        ends: what ending the turn is worth.
        again: float64[S], value of a free re-roll at the beginning, from the spot it leaves.
        begin: value of the turn's beginning.
    """

    __slots__ = ("_beyond", "_graph", "_roll", "_won", "again", "begin", "ends")

    def __init__(
        self,
        *,
        graph: TurnGraph,
        ends: Ends,
        won: float,
        roll: Values,
        beyond: Values | None,
        again: Values,
        begin: float,
    ) -> None:
        self.ends = ends
        self.again = again
        self.begin = begin
        self._graph = graph
        self._won = won
        self._roll = roll  # float64[P, S]
        self._beyond = beyond  # landings from row P on, where some of them force a roll

    @property
    def rows(self) -> int:
        """P."""
        return len(self._roll)

    @property
    def size(self) -> int:
        """Bytes of its tables."""
        return self._roll.nbytes + (0 if self._beyond is None else self._beyond.nbytes)

    def code(self, roll: Roll, counted: int, p: int) -> int:
        """What to do with a roll after p units: a decision code.

        Args:
            roll: scores.
            counted: number of the roll within the turn, as `max_rolls` counts; 0 if it does not.
            p: units gathered before.
        """
        values = self._values(roll, counted, p)
        enough = max(values.values()) - EQUAL
        return next(code for code, value in values.items() if value >= enough)

    def rolled(self, roll: Roll, counted: int, p: int) -> float:
        """Value of a roll that was thrown with p units, before anything is decided."""
        graph = self._graph
        if roll.instant_win:
            return self._won
        if roll.holds:
            return max(self._values(roll, counted, p).values())
        nothing = graph.rules.nothing_scores // graph.unit
        if not nothing or len(roll.dice) < graph.rules.dice:
            return self.ends.lost(p)
        limit = graph.rules.max_rolls
        if limit and counted >= limit:
            return self.ends.stopped(p + nothing)
        spot = graph.spot(graph.rules.dice, counted)
        if p + nothing < len(self._roll):
            return float(self._roll[p + nothing, spot])
        return self._land(p + nothing, graph.landings.index(Landing(stop=False, spot=spot)))

    def decided(self, roll: Roll, counted: int, p: int, code: int) -> float:
        """Value of a decision after a roll with p units, all played well afterwards.

        A code that the rules leave no choice about means what they make of it.
        """
        values = self._values(roll, counted, p)
        code = code if code in values else code ^ 1
        if np.isfinite(values[code]):
            return values[code]
        choice = next(each for each in _choices(self._graph, roll, counted) if each.code == code)
        return self._rolled_on(p + choice.gain, choice.spot)

    def _land(self, p: int, landing: int) -> float:
        """Value of a landing from row P on."""
        if self._beyond is None or self._graph.landings[landing].stop:
            return self.ends.stopped(p)
        return float(self._beyond[min(p - len(self._roll), len(self._beyond) - 1), landing])

    def _values(self, roll: Roll, counted: int, p: int) -> dict[int, float]:
        """Values of all decisions by code, those that win ties first; -inf to roll from row P."""
        graph = self._graph
        found: dict[int, float] = {}
        for code, gain, spot, landing in _choices(graph, roll, counted):
            to = p + gain
            if spot == STOP:
                found[code] = self.ends.stopped(to)
            elif to < len(self._roll):
                found[code] = float(self._roll[to, spot])
            else:
                may = graph.landings[landing].stop
                found[code] = -np.inf if may else self._land(to, landing)
        if not p and roll.goes_on and graph.rules.reroll_all:
            spot = graph.spot(len(roll.dice), max(counted - 1, 0))
            if graph.arrays.reroll_spot[spot] != STOP:
                found[REROLL_CODE] = float(self.again[spot])
        return found

    def _rolled_on(self, p: int, spot: int) -> float:
        """Value of rolling on from row P or above, where it is a mistake, and no further."""
        graph, options, arrays = self._graph, _options(self._graph), self._graph.arrays
        steps, landings = options.step // len(graph.landings), options.landing
        land = [self._land(p + int(up), int(at)) for up, at in zip(steps, landings, strict=True)]
        bests = np.maximum.reduceat(np.array(land), options.first)
        groups = slice(arrays.group_first[spot], arrays.group_first[spot + 1])
        value = arrays.bust[spot] * self.ends.lost(p) + arrays.win[spot] * self._won
        return float(value + (bests[groups] * arrays.prob[groups]).sum())

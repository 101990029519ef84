"""The turns of perfect play, computed from the solution instead of asking the bot."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena.game import Feature
from arena.rules import Ruleset
from arena.solver.best_walk import Values, best_rules, best_walk
from arena.solver.cache import load_solved
from arena.solver.closing import closing_turn
from arena.solver.distributions import EndArrays, EndPool
from arena.solver.duel import DuelArrays, Indices, Matrix, duel_arrays, solve_turns
from arena.solver.perfect import final_values
from arena.solver.plain import Ends, plain_turns
from arena.solver.sheets import Sheets, make_sheets
from arena.solver.solved import UnsolvedError
from arena.solver.turn_kernel import LANES, TurnTable


class LaneTables:
    """Tables of best turns against given values of the opponent, `LANES` situations at a time.

    Args:
        sheets: of the ruleset.
        arrays: of the duel; what the opponent's last turns are worth is in there.
        extra: rows in which rolling on is valued beyond those where it may be best.
    """

    def __init__(self, sheets: Sheets, arrays: DuelArrays, *, extra: int = 0) -> None:
        self.extra = extra
        self.sheets = sheets
        self.graph = sheets.graph
        self.arrays = arrays
        deepest = arrays.scores + arrays.flat + self.graph.max_gain
        rows = max(deepest, int(arrays.minimum.max())) + 1 + extra
        self.table = TurnTable(self.graph, rows, LANES)

    def solve(
        self, opponent: Matrix, own: Indices, other: Indices, *, closing: bool
    ) -> list[Values]:
        """Values of the turns of up to `LANES` pairs of sheets; good until the next call."""
        count = len(own)
        own = np.concatenate([own, np.repeat(own[-1:], LANES - count)])
        other = np.concatenate([other, np.repeat(other[-1:], LANES - count)])
        table = self.table
        rows = solve_turns(
            self.graph.arrays, self.graph.max_gain, self.arrays, opponent, own, other, closing,
            table.stop, table.lost, table.roll, table.land, table.best, table.start, self.extra,
        )  # fmt: skip
        return lane_values(table, rows, count)


def lane_values(table: TurnTable, rows: int, count: int) -> list[Values]:
    """Views of the lanes of a solved table."""
    graph = table.graph
    height = rows + graph.max_gain + 1
    return [
        Values(
            rows=rows,
            stop=table.stop[:height],
            roll=table.roll,
            land=table.land,
            again=_again(table, rows, lane),
            lane=lane,
        )
        for lane in range(count)
    ]


def _again(table: TurnTable, rows: int, lane: int) -> NDArray[np.float64]:
    """What a free re-roll is worth from each spot."""
    graph = table.graph
    again = np.zeros(len(graph.spots))
    if graph.arrays.reroll_spot[0] == 0:
        again[0] = table.start[lane]
    elif graph.arrays.reroll_spot[0] > 0:  # counted: rare, so by the plain twin
        height = rows + graph.max_gain + 1
        stop, lost = table.stop[:height, lane], table.lost[:height, lane]
        # Where busts keep, they are worth what stopping is from the minimum on.
        keep = graph.rules.bust == "keep"
        apart = np.flatnonzero(stop != lost) if keep else np.zeros(0, dtype=np.int64)
        minimum = int(apart[-1]) + 1 if len(apart) else 0
        ends = Ends(stop, minimum, float(stop[0]), float(lost[0]), keep)
        again = plain_turns(graph, [ends], 1.0, rows)[0].again
    return again


class SolvedTurns:
    """The turns of `perfect`; see `distributions.Turns`.

    Raises:
        UnsolvedError: the ruleset has not been solved yet.
    """

    def __init__(self, rules: Ruleset) -> None:
        stored = load_solved(rules)
        if stored is None:
            raise UnsolvedError(rules.name)
        self.name = "perfect"
        self.rules = rules
        self.sheets = make_sheets(rules)
        self.graph = self.sheets.graph
        self.pool = EndPool()
        self._values = stored.values
        self._best = best_rules(self.graph)
        self._lanes = LaneTables(self.sheets, duel_arrays(self.sheets))
        self._limited = int(bool(rules.rounds))
        self._needs = stored.closing.shape[1]
        self._ordinary = len(self.sheets) ** 2 * max(1, 2 * rules.rounds)
        self._ids = np.full(self._ordinary + 2 * self._needs, -1)

    @property
    def ends(self) -> EndArrays:
        """All distributions that were computed."""
        return self.pool.arrays

    def reads(self, feature: Feature) -> bool:
        """Whether its decisions may depend on a feature."""
        return feature is not Feature.ROUND or bool(self.rules.rounds)

    def most_busts(self) -> int | None:
        """The longest row of busts that may make a difference."""
        return self.sheets.rows - 1

    def at(self, tables: NDArray[np.int64]) -> NDArray[np.int64]:
        """int64[N]: the distribution at each of N tables, int64[N, F] with turn features 0."""
        situations = self._situations(tables)
        found = self._ids[situations]
        if (found < 0).any():
            self._resolve(np.unique(situations[found < 0]))
            found = self._ids[situations]
        return np.asarray(found)

    def _situations(self, tables: NDArray[np.int64]) -> Indices:
        """One number for all that decides: round, seat, both sheets; or what a last turn needs."""
        unit, target, count = self.graph.unit, self.sheets.target, len(self.sheets)
        opens = bool(self.sheets.arrays.closed.any())
        score = tables[:, Feature.SCORE] // unit
        against = tables[:, Feature.OPPONENT] // unit
        closed = (tables[:, Feature.OPEN] == 0) & opens
        own = self.sheets.indices(score, closed, tables[:, Feature.BUSTS])
        seen = np.minimum(against, target - 1)  # what else is on the other's sheet is not seen
        other = self.sheets.indices(seen, (seen <= 0) & opens, np.zeros_like(seen))
        half = (2 * tables[:, Feature.ROUND] + tables[:, Feature.SEAT] - 3) * self._limited
        ordinary = (half * count + own) * count + other
        need = np.minimum(against - score, self._needs - 1)
        last = self._ordinary + closed * self._needs + need
        return np.asarray(np.where(tables[:, Feature.LAST_ROUND] == 1, last, ordinary))

    def _resolve(self, situations: Indices) -> None:
        count = len(self.sheets)
        ordinary = situations[situations < self._ordinary]
        half, pair = np.divmod(ordinary, count * count)
        for number in np.unique(half):
            chosen = half == number
            self._resolve_pairs(int(number), ordinary[chosen], pair[chosen])
        last = situations[situations >= self._ordinary]
        closed, need = np.divmod(last - self._ordinary, self._needs)
        for at in (0, 1):
            mine = np.flatnonzero(closed == at)
            for begin in range(0, len(mine), LANES):
                chunk = mine[begin : begin + LANES]
                table = closing_turn(self.graph, need[chunk], closed=bool(at))
                self._walk(last[chunk], lane_values(table, table.rows, len(chunk)))

    def _resolve_pairs(self, half: int, situations: Indices, pair: Indices) -> None:
        """Turns of one round and seat, all rounds and seats alike where they are not limited."""
        number, seat = divmod(half, 2)
        opponent, closing = self._opponent(number, seat)
        own, other = np.divmod(pair, len(self.sheets))
        for begin in range(0, len(pair), LANES):
            chunk = slice(begin, begin + LANES)
            lanes = self._lanes.solve(opponent, own[chunk], other[chunk], closing=closing)
            self._walk(situations[chunk], lanes)

    def _walk(self, situations: Indices, lanes: list[Values]) -> None:
        height, spots = len(lanes[0].stop), len(self.graph.spots)
        mass, stop, lost = np.zeros((height, spots)), np.zeros(height), np.zeros(height)
        total = np.zeros(2)
        for situation, values in zip(situations, lanes, strict=True):
            best_walk(self._best, values, mass, stop, lost, total)
            self._ids[situation] = self.pool.add(stop, lost, total)

    def _opponent(self, number: int, seat: int) -> tuple[Matrix, bool]:
        """Values for the other player, who moves next, and whether it has a last turn."""
        if not self.rules.rounds:
            return np.ascontiguousarray(self._values[0, 0]), True
        if seat == 0:
            return np.ascontiguousarray(self._values[number, 1]), True
        if number + 1 < self.rules.rounds:
            return np.ascontiguousarray(self._values[number + 1, 0]), True
        return final_values(self.sheets), False

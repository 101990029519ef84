"""The turns of perfect play, computed from the solution instead of asking the bot."""

from __future__ import annotations

from functools import cache

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
from arena.solver.plain import PlainTurn
from arena.solver.sheets import Sheets, make_sheets
from arena.solver.solved import UnsolvedError
from arena.solver.turn_kernel import LANES, TurnTable


class LaneTables:
    """Tables of best turns against given values of the opponent, `LANES` situations at a time.

    Args:
        sheets: of the ruleset.
        arrays: of the duel; what the opponent's last turns are worth is in there.
    """

    def __init__(self, sheets: Sheets, arrays: DuelArrays) -> None:
        self.sheets = sheets
        self.graph = sheets.graph
        self.arrays = arrays
        deepest = arrays.scores + arrays.flat + self.graph.max_gain
        self.table = TurnTable(self.graph, max(deepest, int(arrays.minimum.max())) + 1, LANES)

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
            table.stop, table.lost, table.roll, table.land, table.best, table.start,
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
        stop, lost = table.stop[:height, lane].copy(), table.lost[:height, lane].copy()
        again = PlainTurn(graph, stop, lost, 1.0, rows).again
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
        self._known: dict[tuple[int, ...], int] = {}

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
        situations, inverse = np.unique(self._situations(tables), axis=0, return_inverse=True)
        keys = [tuple(map(int, row)) for row in situations]
        self._resolve([key for key in keys if key not in self._known])
        ids = np.array([self._known[key] for key in keys], dtype=np.int64)
        return ids[inverse.reshape(-1)]

    def _situations(self, tables: NDArray[np.int64]) -> NDArray[np.int64]:
        """Columns round, seat, own sheet, other's sheet; in last turns -1, 0, closed, need."""
        unit = self.graph.unit
        closed = (tables[:, Feature.OPEN] == 0) & bool(self.sheets.arrays.closed.any())
        own = self._index(tables[:, Feature.SCORE] // unit, closed, tables[:, Feature.BUSTS])
        scores = tables[:, Feature.OPPONENT] // unit
        seen = np.minimum(scores, self.sheets.target - 1)
        unseen = (seen <= 0) & bool(self.sheets.arrays.closed.any())
        other = self._index(seen, unseen, np.zeros_like(seen))
        last = tables[:, Feature.LAST_ROUND] == 1
        rounds = bool(self.rules.rounds)
        return np.column_stack(
            [
                np.where(last, -1, (tables[:, Feature.ROUND] - 1) * rounds),
                np.where(last, 0, (tables[:, Feature.SEAT] - 1) * rounds),
                np.where(last, closed, own),
                np.where(last, scores - tables[:, Feature.SCORE] // unit, other),
            ]
        )

    def _index(
        self, score: NDArray[np.int64], closed: NDArray[np.bool_], busts: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Sheets of scores in units; `Sheets.index` for arrays."""

        @cache
        def one(score: int, closed: bool, busts: int) -> int:
            return self.sheets.index(score=score, is_open=not closed, busts=busts)

        rows = zip(score.tolist(), closed.tolist(), busts.tolist(), strict=True)
        return np.array([one(*row) for row in rows], dtype=np.int64)

    def _resolve(self, keys: list[tuple[int, ...]]) -> None:
        groups: dict[tuple[int, int, int], list[tuple[int, ...]]] = {}
        for key in keys:
            groups.setdefault((key[0], key[1], key[2] if key[0] < 0 else 0), []).append(key)
        for (number, seat, closed), members in groups.items():
            for at in range(0, len(members), LANES):
                chunk = members[at : at + LANES]
                fourth = np.array([key[3] for key in chunk], dtype=np.int64)
                if number < 0:
                    table = closing_turn(self.graph, fourth, closed=bool(closed))
                    lanes = lane_values(table, table.rows, len(chunk))
                else:
                    own = np.array([key[2] for key in chunk], dtype=np.int64)
                    lanes = self._lanes.solve(
                        self._opponent(number, seat),
                        own,
                        fourth,
                        closing=self._closes(number, seat),
                    )
                self._walk(chunk, lanes)

    def _walk(self, keys: list[tuple[int, ...]], lanes: list[Values]) -> None:
        height, spots = len(lanes[0].stop), len(self.graph.spots)
        mass, stop, lost = np.zeros((height, spots)), np.zeros(height), np.zeros(height)
        total = np.zeros(3)
        for key, values in zip(keys, lanes, strict=True):
            best_walk(self._best, values, mass, stop, lost, total)
            self._known[key] = self.pool.add(stop, lost, total)

    def _closes(self, number: int, seat: int) -> bool:
        return not self.rules.rounds or seat == 0 or number < self.rules.rounds - 1

    def _opponent(self, number: int, seat: int) -> Matrix:
        """Values for the other player, who moves next."""
        if not self.rules.rounds:
            return np.ascontiguousarray(self._values[0, 0])
        if seat == 0:
            return np.ascontiguousarray(self._values[number, 1])
        if number + 1 < self.rules.rounds:
            return np.ascontiguousarray(self._values[number + 1, 0])
        return final_values(self.sheets)

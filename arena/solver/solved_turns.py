"""The turns of perfect play, computed from the solution instead of asking the bot."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from arena.game import Feature
from arena.rules import Ruleset
from arena.solver.best_walk import Values, best_rules, best_walk
from arena.solver.cache import load_policy, load_solved
from arena.solver.closing import closing_turn
from arena.solver.distributions import EndArrays, EndPool
from arena.solver.duel import DuelArrays, Indices, Matrix, duel_arrays, solve_turns
from arena.solver.graph import STOP
from arena.solver.perfect import final_values
from arena.solver.policy import Policy
from arena.solver.policy_walk import policy_walk
from arena.solver.sheets import Sheets, make_sheets
from arena.solver.situations import Situations
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
    again = _again(table)
    return [
        Values(
            rows=rows,
            stop=table.stop[:height],
            roll=table.roll,
            land=table.land,
            again=again[:, lane].copy(),
            lane=lane,
        )
        for lane in range(count)
    ]


def _again(table: TurnTable) -> NDArray[np.float64]:
    """float64[S, L]: what a free re-roll is worth from each spot, 0 where there is none."""
    arrays = table.graph.arrays
    again = np.zeros((len(table.graph.spots), table.stop.shape[1]))
    if arrays.reroll_spot[0] == 0:  # rolls are not counted
        again[0] = table.start
        return again
    chain = [0]
    while arrays.reroll_spot[chain[-1]] != STOP:
        chain.append(int(arrays.reroll_spot[chain[-1]]))
    value = table.roll[chain[-1]]
    for s in reversed(chain[:-1]):  # the bests of row 0, computed last, still stand in the table
        again[s] = value
        groups = slice(arrays.group_first[s], arrays.group_first[s + 1])
        best, free = table.best[groups], arrays.free[groups, None]
        kept = np.where(free & (value > best), value, best)
        value = arrays.bust[s] * table.lost[0] + arrays.win[s] + arrays.prob[groups] @ kept
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
        self._policy = load_policy(rules)
        self._situations = Situations(sheets=self.sheets, needs=stored.closing.shape[1])
        self._ids = np.full(len(self._situations), -1)

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
        situations = self._situations.numbers(tables)
        found = self._ids[situations]
        if (found < 0).any():
            self._resolve(np.unique(situations[found < 0]))
            found = self._ids[situations]
        return np.asarray(found)

    def _resolve(self, situations: Indices) -> None:
        if self._policy is not None:
            self._read(situations, self._policy)
            return
        solved = solved_situations(self._situations, self._values, self._lanes, situations)
        for chunk, lanes in solved:
            self._walk(chunk, lanes)

    def _read(self, situations: Indices, policy: Policy) -> None:
        """Walk turns along the written decisions, which is many times faster than solving them."""
        rules, graph = self._best, self.graph
        walk = rules.walk
        decided = (np.diff(walk.hold_first) > 0) & ~walk.instant_win
        before = np.concatenate([[0], np.cumsum(decided)])
        of_dice = np.diff(before[walk.roll_first])
        column_first = np.concatenate([[0], np.cumsum(of_dice[rules.dice])])
        height, spots = len(self._lanes.table.stop), len(graph.spots)
        mass, stop, lost = np.zeros((height, spots)), np.zeros(height), np.zeros(height)
        total = np.zeros(2)
        changes = policy.first, policy.points, policy.codes
        for situation in situations:
            columns = policy.index[situation]
            policy_walk(rules, changes, column_first, columns, mass, stop, lost, total)
            self._ids[situation] = self.pool.add(stop, lost, total)

    def _walk(self, situations: Indices, lanes: list[Values]) -> None:
        height, spots = len(lanes[0].stop), len(self.graph.spots)
        mass, stop, lost = np.zeros((height, spots)), np.zeros(height), np.zeros(height)
        total = np.zeros(2)
        for situation, values in zip(situations, lanes, strict=True):
            best_walk(self._best, values, mass, stop, lost, total)
            self._ids[situation] = self.pool.add(stop, lost, total)


def solved_situations(
    situations: Situations, values: Matrix, lanes: LaneTables, numbers: Indices
) -> Iterator[tuple[Indices, list[Values]]]:
    """Solve situations, up to `LANES` at a time; what is yielded is good until the next.

    Args:
        situations: of the ruleset.
        values: of perfect play, see `perfect.PerfectPlay`.
        lanes: where they are solved.
        numbers: int64[N], ascending.
    """
    graph = lanes.graph
    rules = graph.rules
    ordinary = numbers[numbers < situations.ordinary]
    turns = situations.ordinary_turns(ordinary)
    for half in np.unique(turns.half):
        opponent, closing = _opponent(values, lanes.sheets, rules.rounds, *divmod(int(half), 2))
        chosen = np.flatnonzero(turns.half == half)
        for begin in range(0, len(chosen), LANES):
            chunk = chosen[begin : begin + LANES]
            own, other = turns.own[chunk], turns.other[chunk]
            yield ordinary[chunk], lanes.solve(opponent, own, other, closing=closing)
    last = numbers[numbers >= situations.ordinary]
    closed, need = situations.last_turns(last)
    for at in (0, 1):
        mine = np.flatnonzero(closed == at)
        for begin in range(0, len(mine), LANES):
            chunk = mine[begin : begin + LANES]
            table = closing_turn(graph, need[chunk], closed=bool(at), extra=lanes.extra)
            yield last[chunk], lane_values(table, table.rows, len(chunk))


def _opponent(
    values: Matrix, sheets: Sheets, rounds: int, number: int, seat: int
) -> tuple[Matrix, bool]:
    """Values for the other player, who moves next, and whether it has a last turn."""
    if not rounds:
        return np.ascontiguousarray(values[0, 0]), True
    if seat == 0:
        return np.ascontiguousarray(values[number, 1]), True
    if number + 1 < rounds:
        return np.ascontiguousarray(values[number + 1, 0]), True
    return final_values(sheets), False

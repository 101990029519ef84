"""Solved policies as decisions: what perfect play does with a turn.

    from arena import solved
    decision = solved(turn.rules).decide(turn)

Bots read it, so nothing here needs more than NumPy, and of a turn no more is looked at than
decides: scores and the like by value, the points of the turn only by which side of a threshold
they are on.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.errors import UsageError
from arena.game import Turn
from arena.rules import REROLL_CODE, Decision, Roll, Ruleset, rule_tables
from arena.solver.cache import Stored, load_solved
from arena.solver.graph import turn_graph
from arena.solver.plain import Codes, PlainTurn, Values
from arena.solver.sheets import after_bust, bust_rows, make_sheets

REMEMBERED: Final = 4096
"""Situations whose turns are kept in memory."""

NO_END: Final = 40_000
"""So many points stand for a turn without end; as `turn.NO_END`."""


class UnsolvedError(UsageError):
    """Perfect play was asked for before it was computed."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"perfect play of {name} has not been computed yet; run: arena solve '{name}'"
        )


class _Steps:
    """Decision codes by points: the code of the last threshold that is not above."""

    def __init__(self, codes: Codes, unit: int) -> None:
        changes = np.flatnonzero(np.diff(codes)) + 1
        self.codes = [int(codes[0]), *map(int, codes[changes])]
        self.points = [int(change) * unit for change in changes]

    def at(self, turn: Turn) -> int:
        """The code for a turn, by as few comparisons of its points as it takes."""
        low, high = 0, len(self.points)
        while low < high:
            middle = (low + high) // 2
            if turn.points >= self.points[middle]:
                low = middle + 1
            else:
                high = middle
        return self.codes[low]


class _Decider:
    """What solved policies have in common: from codes to decisions."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.graph = turn_graph(rules)
        self._rolls = {roll.dice: roll for roll in rule_tables(rules).rolls}

    def _decision(self, turn: Turn, code: int) -> Decision:
        if code == REROLL_CODE:
            return turn.reroll()
        hold = turn.holds[code >> 1]
        return hold.roll() if code & 1 else hold.bank()

    def _roll(self, turn: Turn) -> tuple[Roll, int]:
        """The roll on the table, and its number where that counts."""
        roll = self._rolls[tuple(map(int, turn.dice))]
        return roll, int(turn.limited_rolls) if self.rules.max_rolls else 0


class SolvedTurn(_Decider):
    """The most points a turn, the end of the game left aside; see `arena.solver.turn`."""

    def __init__(self, rules: Ruleset) -> None:
        super().__init__(rules)
        self._rows = bust_rows(rules)
        self._turns = self._settle()
        self._steps: dict[tuple[int, int, int], _Steps] = {}

    def decide(self, turn: Turn) -> Decision:
        """What brings the most points."""
        lane = self._rows
        if turn.open or self.rules.opening_minimum <= self.rules.bank_minimum:
            lane = min(int(turn.busts), self._rows - 1) if self._rows > 1 else 0
        roll, counted = self._roll(turn)
        key = lane, roll.id, counted
        if key not in self._steps:
            self._steps[key] = _Steps(self._turns[lane].codes(roll, counted), self.graph.unit)
        return self._decision(turn, self._steps[key].at(turn))

    def _settle(self) -> list[PlainTurn]:
        """Turns for every row of busts, and last for a player who is not open."""
        h = np.zeros(self._rows + 1)
        while True:
            turns = [self._turn(lane, h) for lane in range(self._rows + 1)]
            start = np.array([turn.begin for turn in turns])
            after = start - start[0]
            after[-1] = 0.0
            if float(np.abs(after - h).max()) < 1e-9:
                return turns
            h = after

    def _turn(self, lane: int, h: Values) -> PlainTurn:
        graph, rules = self.graph, self.rules
        is_open = lane < self._rows
        rows = max(graph.units(NO_END), 5 * graph.max_gain, graph.minimum(is_open=False))
        units = np.arange(rows + graph.max_gain + 1)
        written = units >= graph.minimum(is_open=is_open)
        row, cost = after_bust(rules, lane, self._rows) if is_open else (lane, 0)
        stop = np.where(written, units * float(graph.unit), h[lane])
        lost = np.full(len(units), h[row] - cost)
        if rules.bust == "keep":
            lost[written] = stop[written]
        return PlainTurn(graph, stop, lost, 0.0, rows)


class Solved(_Decider):
    """Perfect play of one ruleset for two.

    Args:
        rules: the ruleset.
        stored: its solution.
    """

    def __init__(self, rules: Ruleset, stored: Stored) -> None:
        super().__init__(rules)
        self.stored = stored
        self.sheets = make_sheets(rules)
        arrays = self.graph.arrays
        self._bust = float(arrays.bust.min())
        self._flat = stored.closing.shape[1] - 1
        self._turn_at = lru_cache(maxsize=REMEMBERED)(self._ordinary)
        self._last_at = lru_cache(maxsize=REMEMBERED)(self._closing)
        self._steps_at = lru_cache(maxsize=64 * REMEMBERED)(self._make_steps)

    def decide(self, turn: Turn) -> Decision:
        """What wins most often.

        Raises:
            UsageError: the game is not for two.
        """
        if len(turn.opponents) != 1:
            raise UsageError("perfect play is computed for games of two only")
        roll, counted = self._roll(turn)
        steps = self._steps_at(self._situation(turn), roll.id, counted)
        return self._decision(turn, steps.at(turn))

    def turn_of(self, own: int, other: int, *, number: int, seat: int) -> PlainTurn:
        """All values of an ordinary turn, by sheets, round and seat; both from 1."""
        limited = bool(self.rules.rounds)
        return self._turn_at(own, other, (number - 1) * limited, (seat - 1) * limited)

    def last_turn_of(self, need: int, *, is_open: bool) -> PlainTurn:
        """All values of a last turn that needs so many units to equal the leader."""
        opens = self.rules.opening_minimum > self.rules.bank_minimum
        return self._last_at(need, int(is_open or not opens))

    def _situation(self, turn: Turn) -> tuple[int, ...]:
        """All that decides besides the roll and the points; one number in a last turn."""
        opens = self.rules.opening_minimum > self.rules.bank_minimum
        is_open = bool(turn.open) if opens else True
        if turn.last_round:
            return int(turn.to_beat - turn.score) // self.graph.unit, int(is_open)
        unit = self.graph.unit
        busts = int(turn.busts) if self.sheets.rows > 1 else 0
        own = self.sheets.index(score=int(turn.score) // unit, is_open=is_open, busts=busts)
        score = int(turn.opponents[0]) // unit
        # What else stands on the other's sheet cannot be seen.
        other = self.sheets.index(score=score, is_open=score > 0 or not opens, busts=0)
        if not self.rules.rounds:
            return own, other, 0, 0
        return own, other, int(turn.round) - 1, int(turn.seat) - 1

    def _make_steps(self, situation: tuple[int, ...], roll_id: int, counted: int) -> _Steps:
        """Decisions after a roll, by points."""
        plain = self._last_at(*situation) if len(situation) == 2 else self._turn_at(*situation)
        roll = rule_tables(self.rules).rolls[roll_id]
        return _Steps(plain.codes(roll, counted), self.graph.unit)

    def _closing(self, need: int, is_open: int) -> PlainTurn:
        """The last turn, so many units short of equalling the leader."""
        graph = self.graph
        minimum = graph.minimum(is_open=bool(is_open))
        rows = max(need + 1, minimum)
        p = np.arange(rows + graph.max_gain + 1)
        equal = 0.5 if self.rules.tie == "draw" else 0.0
        stop = np.where(p > need, 1.0, np.where(p == need, equal, 0.0))
        stop[:minimum] = 0.0
        lost = stop if self.rules.bust == "keep" else np.zeros(len(p))
        return PlainTurn(graph, stop, lost, 1.0, rows)

    def _ordinary(self, own: int, other: int, number: int, seat: int) -> PlainTurn:
        """A turn that is not the last; as `duel.solve_turns` in one lane."""
        opponent = self._opponent(other, number, seat)
        arrays = self.sheets.arrays
        closing = not self.rules.rounds or seat == 0 or number < self.rules.rounds - 1
        to_target = self.sheets.target - int(arrays.score[own])
        busted = 1.0 - opponent[arrays.after_bust[own]]
        closed = int(arrays.closed[other])
        rows = max(to_target, int(arrays.minimum[own]))
        leads = np.zeros(0)
        if closing and self._flat > 0:
            leads = self.stored.closing[closed]
            rows = self._rows(rows, own, other, 1.0 - busted)
        p = np.arange(rows + self.graph.max_gain + 1)
        stop = np.ones(len(p))
        below = p < to_target
        stop[below] = 1.0 - opponent[int(arrays.score[own]) - self.sheets.lowest + p[below]]
        if len(leads):
            distance = p[~below] + int(arrays.score[own]) - int(arrays.score[other])
            stop[~below] = 1.0 - leads[np.minimum(distance, self._flat)]
        minimum = int(arrays.minimum[own])
        stop[:minimum] = 1.0 - opponent[own]
        lost = np.full(len(p), busted)
        if self.rules.bust == "keep":
            lost[minimum:] = stop[minimum:]
        return PlainTurn(self.graph, stop, lost, 1.0, rows)

    def _rows(self, rows: int, own: int, other: int, lost: float) -> int:
        """Units from which on ending the turn is best for sure, at least so many."""
        arrays = self.sheets.arrays
        apart = int(arrays.score[own] - arrays.score[other])
        leads = self.stored.closing[int(arrays.closed[other])]
        stake = -1.0 if self.rules.bust == "keep" else self._bust * lost
        first = int(np.argmax(np.append(leads, -1.0) <= stake))
        return int(max(rows, min(first, self._flat) - apart))

    def _opponent(self, other: int, number: int, seat: int) -> NDArray[np.float64]:
        """Values for the other player, who moves next, by this player's sheet."""
        values = self.stored.values
        if not self.rules.rounds:
            return np.asarray(values[0, 0, other])
        if seat == 0:
            return np.asarray(values[number, 1, other])
        if number + 1 < self.rules.rounds:
            return np.asarray(values[number + 1, 0, other])
        score = self.sheets.arrays.score
        return np.asarray(0.5 + 0.5 * np.sign(score[other] - score))


@lru_cache(maxsize=4)
def solved(rules: Ruleset) -> Solved:
    """Perfect play of a ruleset.

    Raises:
        UnsolvedError: it has not been solved yet; names the command that does.
    """
    stored = load_solved(rules)
    if stored is None:
        raise UnsolvedError(rules.name)
    return Solved(rules, stored)


@lru_cache(maxsize=4)
def solved_turn(rules: Ruleset) -> SolvedTurn:
    """The most points a turn; computed on the spot, in about a second."""
    return SolvedTurn(rules)


def is_solved(rules: Ruleset) -> bool:
    """Whether perfect play of a ruleset can be had at once."""
    return load_solved(rules) is not None

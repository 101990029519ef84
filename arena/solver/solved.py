"""Solved policies as decisions: what perfect play does with a turn.

    from arena import solved
    decision = solved(turn.rules).decide(turn)

Bots read it, so nothing here needs more than NumPy. Decisions are looked up where `arena solve` has
written them down (`policy`). Where it has not, because that would be too large, turns are solved
when they are first asked about, a block of scores at a time, because their neighbours will be asked
about soon.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from arena.errors import UsageError
from arena.game import Feature, Turn
from arena.rules import REROLL_CODE, Decision, Roll, Ruleset, rule_tables
from arena.solver.cache import Stored, load_policy, load_solved
from arena.solver.graph import turn_graph
from arena.solver.plain import Ends, PlainTurn, Values, plain_turns
from arena.solver.policy import Policy
from arena.solver.sheets import after_bust, bust_rows, make_sheets
from arena.solver.situations import Situations

BLOCK: Final = 32
"""Scores of the player to move that are solved together."""

MOST_BYTES: Final = 384 << 20
"""Memory for solved turns; past it, the oldest are solved again when they are needed."""

NO_END: Final = 40_000
"""So many points stand for a turn without end; as `turn.NO_END`."""

SOON: Final = 8_000
"""So many are enough for a first guess."""


FOR_TWO: Final = "perfect play is computed for games of two only"


class UnsolvedError(UsageError):
    """Perfect play was asked for before it was computed."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"perfect play of {name} has not been computed yet; run: arena solve '{name}'"
        )


class _Steps:
    """Decision codes by points: the code of the last threshold that is not above."""

    def __init__(self, codes: NDArray[np.int64], unit: int) -> None:
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
            self._steps[key] = self._make_steps(lane, roll, counted)
        return self._decision(turn, self._steps[key].at(turn))

    def _settle(self) -> list[PlainTurn]:
        """Turns for every row of busts, and last for a player who is not open.

        What a row of busts is worth, h, is found on shorter turns first, which is nearly right.
        """
        graph = self.graph
        least = max(5 * graph.max_gain, graph.minimum(is_open=False))
        h = np.zeros(self._rows + 1)
        for end in (SOON, NO_END):
            rows = max(graph.units(end), least)
            while True:
                ends = [self._ends(lane, h, rows) for lane in range(self._rows + 1)]
                turns = plain_turns(graph, ends, 0.0, rows)
                start = np.array([turn.begin for turn in turns])
                after = start - start[0]
                after[-1] = 0.0
                settled = float(np.abs(after - h).max()) < 1e-9
                h = after
                if settled:
                    break
        return turns

    def _ends(self, lane: int, h: Values, rows: int) -> Ends:
        graph, rules = self.graph, self.rules
        is_open = lane < self._rows
        row, cost = after_bust(rules, lane, self._rows) if is_open else (lane, 0)
        return Ends(
            stop=np.arange(rows + graph.max_gain + 1, dtype=np.float64) * graph.unit,
            minimum=graph.minimum(is_open=is_open),
            nothing=float(h[lane]),
            busted=float(h[row]) - cost,
            keep=rules.bust == "keep",
        )

    def _make_steps(self, lane: int, roll: Roll, counted: int) -> _Steps:
        plain = self._turns[lane]
        codes = np.array([plain.code(roll, counted, p) for p in range(plain.rows + 1)])
        return _Steps(codes, self.graph.unit)


class ManyTurns(Protocol):
    """What is looked at of many positions at once; `arena.Positions` has it.

    Attributes:
        roll: int64[N], ids of rolls.
        features: int64[N, F], columns as in `Feature`.
    """

    roll: NDArray[np.int64]
    features: NDArray[np.int64]

    def turn(self, i: int) -> Turn:
        """One of them."""


class Solved(_Decider):
    """Perfect play of one ruleset for two.

    Args:
        rules: the ruleset.
        stored: its solution.
        policy: its decisions, if they were written down.
    """

    def __init__(self, rules: Ruleset, stored: Stored, policy: Policy | None = None) -> None:
        super().__init__(rules)
        self.stored = stored
        self.policy = policy
        self.sheets = make_sheets(rules)
        self._situations = Situations(sheets=self.sheets, needs=stored.closing.shape[1])
        self._bust = self.graph.stake
        self._flat = stored.closing.shape[1] - 1
        self._turns: dict[tuple[int, ...], PlainTurn] = {}
        self._bytes = 0

    def decide(self, turn: Turn) -> Decision:
        """What wins most often.

        Raises:
            UsageError: the game is not for two.
        """
        if len(turn.opponents) != 1:
            raise UsageError(FOR_TWO)
        roll, counted = self._roll(turn)
        if self.policy is not None:
            code = int(self._written(self.policy, np.array([roll.id]), _features(turn))[0])
        else:
            plain = self._turn_at(self._situation(turn))
            code = plain.code(roll, counted, int(turn.points) // self.graph.unit)
        return self._decision(turn, code)

    def decide_many(self, positions: ManyTurns) -> NDArray[np.int64]:
        """int64[N]: decision codes at N positions.

        Raises:
            UsageError: the game is not for two.
        """
        if positions.features.shape[1] != Feature.OPPONENT + 1:
            raise UsageError(FOR_TWO)
        if self.policy is not None:
            return self._written(self.policy, positions.roll, positions.features)
        turns = (positions.turn(i) for i in range(len(positions.roll)))
        return np.array([self.decide(turn).code for turn in turns], dtype=np.int64)

    def _written(
        self, policy: Policy, rolls: NDArray[np.int64], features: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Decisions as they were written down."""
        counted = features[:, Feature.LIMITED_ROLLS] * bool(self.rules.max_rolls)
        units = features[:, Feature.POINTS] // self.graph.unit
        return policy.decide(self._situations.numbers(features), rolls, counted, units)

    def turn_of(self, own: int, other: int, *, number: int, seat: int) -> PlainTurn:
        """All values of an ordinary turn, by sheets, round and seat; both from 1."""
        limited = bool(self.rules.rounds)
        return self._turn_at((own, other, (number - 1) * limited, (seat - 1) * limited))

    def last_turn_of(self, need: int, *, is_open: bool) -> PlainTurn:
        """All values of a last turn that needs so many units to equal the leader."""
        opens = self.rules.opening_minimum > self.rules.bank_minimum
        return self._turn_at((need, int(is_open or not opens)))

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

    def _turn_at(self, situation: tuple[int, ...]) -> PlainTurn:
        """The turn of a situation, solved with its neighbours when it is first asked about."""
        found = self._turns.get(situation)
        if found is not None:
            return found
        solved = self._closing(*situation) if len(situation) == 2 else self._block(*situation)
        for key, plain in solved.items():
            self._bytes += plain.size - (self._turns[key].size if key in self._turns else 0)
            self._turns[key] = plain
        while self._bytes > MOST_BYTES and len(self._turns) > len(solved):
            self._bytes -= self._turns.pop(next(iter(self._turns))).size
        return solved[situation]

    def _closing(self, need: int, is_open: int) -> dict[tuple[int, ...], PlainTurn]:
        """Last turns that need about so many units to equal the leader."""
        graph = self.graph
        minimum = graph.minimum(is_open=bool(is_open))
        first = max(0, need - need % BLOCK)
        needs = range(first, first + BLOCK) if need >= 0 else range(need, need + 1)
        rows = max(needs[-1] + 1, minimum)
        equal = 0.5 if self.rules.tie == "draw" else 0.0
        p = np.arange(rows + graph.max_gain + 1)
        ends = [
            Ends(
                stop=np.where(p > each, 1.0, np.where(p == each, equal, 0.0)),
                minimum=minimum,
                nothing=0.0,
                busted=0.0,
                keep=self.rules.bust == "keep",
            )
            for each in needs
        ]
        turns = plain_turns(graph, ends, 1.0, rows)
        return {(each, is_open): turn for each, turn in zip(needs, turns, strict=True)}

    def _block(
        self, own: int, other: int, number: int, seat: int
    ) -> dict[tuple[int, ...], PlainTurn]:
        """Turns that are not the last; as `duel.solve_turns`."""
        arrays = self.sheets.arrays
        opponent = self._opponent(other, number, seat)
        closing = not self.rules.rounds or seat == 0 or number < self.rules.rounds - 1
        worth = self._worth(other, opponent, closing)
        first = own - own % BLOCK
        block = range(first, min(first + BLOCK, len(self.sheets)))
        ends = []
        rows = 0
        for each in block:
            busted = 1.0 - float(opponent[arrays.after_bust[each]])
            minimum = int(arrays.minimum[each])
            rows = max(rows, self.sheets.target - int(arrays.score[each]), minimum)
            if closing and self._flat:
                rows = max(rows, self._rows(each, other, 1.0 - busted))
            ends.append(
                Ends(
                    stop=worth[int(arrays.score[each]) - self.sheets.lowest :],
                    minimum=minimum,
                    nothing=1.0 - float(opponent[each]),
                    busted=busted,
                    keep=self.rules.bust == "keep",
                )
            )
        turns = plain_turns(self.graph, ends, 1.0, rows)
        return {(each, other, number, seat): turn for each, turn in zip(block, turns, strict=True)}

    def _worth(self, other: int, opponent: Values, closing: bool) -> Values:
        """What it is worth to have written a score, by units from the lowest score on."""
        sheets = self.sheets
        below = 1.0 - opponent[: sheets.scores]
        if not closing or not self._flat:
            return np.append(below, np.ones(2))
        apart = sheets.target - int(sheets.arrays.score[other])
        leads = self.stored.closing[int(sheets.arrays.closed[other])]
        return np.concatenate([below, 1.0 - leads[min(apart, self._flat) :]])

    def _rows(self, own: int, other: int, lost: float) -> int:
        """Units from which on ending the turn is best for sure, if the target is reached."""
        arrays = self.sheets.arrays
        apart = int(arrays.score[own] - arrays.score[other])
        leads = self.stored.closing[int(arrays.closed[other])]
        stake = -1.0 if self.rules.bust == "keep" else self._bust * lost
        first = int(np.argmax(np.append(leads, -1.0) <= stake))
        return int(min(first, self._flat) - apart)

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


def _features(turn: Turn) -> NDArray[np.int64]:
    """A turn between two as a row of features."""
    row: list[Any] = [0] * (Feature.OPPONENT + 1)
    row[Feature.POINTS] = turn.points
    row[Feature.LIMITED_ROLLS] = turn.limited_rolls
    row[Feature.SCORE] = turn.score
    row[Feature.ROUND] = turn.round
    row[Feature.SEAT] = turn.seat
    row[Feature.LAST_ROUND] = turn.last_round
    row[Feature.BUSTS] = turn.busts
    row[Feature.OPEN] = turn.open
    row[Feature.OPPONENT] = turn.opponents[0]
    return np.array([[int(each) for each in row]], dtype=np.int64)


@lru_cache(maxsize=4)
def solved(rules: Ruleset) -> Solved:
    """Perfect play of a ruleset.

    Raises:
        UnsolvedError: it has not been solved yet; names the command that does.
    """
    stored = load_solved(rules)
    if stored is None:
        raise UnsolvedError(rules.name)
    return Solved(rules, stored, load_policy(rules))


@lru_cache(maxsize=4)
def solved_turn(rules: Ruleset) -> SolvedTurn:
    """The most points a turn; computed on the spot, in about a second."""
    return SolvedTurn(rules)


def is_solved(rules: Ruleset) -> bool:
    """Whether perfect play of a ruleset can be had at once."""
    return load_solved(rules) is not None

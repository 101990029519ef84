"""Two bots against each other, exactly.

The state of a game between two turns is a pair of sheets. Its probability M[i, j] is carried
forward round by round: with the distribution of the turn that the bot on sheet i plays against
sheet j,

    M'[i', j] = sum over i of M[i, j] * P(the turn leads from i to i')

first for seat 1, then for seat 2. Mass that reaches the target ends the game or gives the other bot
its last turn. What is left is halved and halved again in every round; it is followed down to
`LEFT`, or to the last round that the rules allow, where the scores decide.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.errors import UsageError
from arena.game import Feature
from arena.rules import MAX_ROUNDS, Ruleset
from arena.solver.answers import FEATURES
from arena.solver.distributions import EndArrays, Turns
from arena.solver.exact_kernel import close_mass, move_mass
from arena.solver.graph import turn_graph
from arena.solver.seen import rounds_needed, rows_needed, table_features
from arena.solver.sheets import lowest_score, make_sheets
from arena.solver.size import exact_size, with_override
from arena.solver.visits import SeatVisits, VisitLog

LEFT: Final = 1e-14
"""Probability of games not over that is no longer followed."""

TINY: Final = 1e-21
"""Probability of one state that is no longer followed."""

RARE: Final = 1e-14
"""The same where it is asked where a bot comes to."""

CLIPPED: Final = 1e-11

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactGame:
    """How a game between two bots comes out; all are probabilities, seat 1 first.

    Attributes:
        wins: of each seat.
        draw: a shared win.
        equal: games in which the scores were equal after a last turn, by the seat that led;
            contained in `wins` or `draw`, as the ruleset has it.
        rounds: of a game on average.
    """

    wins: tuple[float, float]
    draw: float
    equal: tuple[float, float]
    rounds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactTurn:
    """How one turn of a bot comes out at one table.

    Attributes:
        mean: points written on average; an instant win writes none.
        sd: their standard deviation.
        nothing: probability that nothing is written, instant wins left aside.
        rolls: on average.
        instant_win: probability of an instant win.
    """

    mean: float
    sd: float
    nothing: float
    rolls: float
    instant_win: float


def exact_turn(rules: Ruleset, turns: Turns, *, is_open: bool) -> ExactTurn:
    """One turn of a bot in seat 1 with nothing on the sheets but whether it is open."""
    unit = turn_graph(rules).unit
    table = np.zeros((1, FEATURES), dtype=np.int64)
    table[0, Feature.ROUND] = table[0, Feature.SEAT] = 1
    table[0, Feature.OPEN] = is_open
    d = int(turns.at(table)[0])
    ends = turns.ends
    own = slice(ends.first[d], ends.first[d + 1])
    prob = ends.stop[own] + (ends.lost[own] if rules.bust == "keep" else 0.0)
    points = ends.units[own] * unit
    written = points >= max(1, rules.minimum(is_open=is_open))
    prob, points = prob[written], points[written]
    mean = float((prob * points).sum())
    return ExactTurn(
        mean=mean,
        sd=float(np.sqrt(max(0.0, (prob * points**2).sum() - mean**2))),
        nothing=1.0 - float(prob.sum() + ends.win[d]),
        rolls=float(ends.rolls[d]),
        instant_win=float(ends.win[d]),
    )


def exact_game(
    rules: Ruleset,
    first: Turns,
    second: Turns,
    *,
    tick: Callable[[float], None] = lambda over: None,
) -> ExactGame:
    """Compute a game of two bots; the first sits in seat 1.

    Args:
        rules: the ruleset.
        first: sits in seat 1.
        second: sits in seat 2.
        tick: is told the share of games that is over.

    Raises:
        BotError: a bot cannot be computed.
        UsageError: too large, or scores sink without end under this ruleset.
    """
    rows, by_round = 1, False
    while True:
        game = _Game(rules, (first, second), rows, by_round=by_round)
        game.play(tick)
        needed = max(rows_needed(first), rows_needed(second))
        reads_round = first.reads(Feature.ROUND) or second.reads(Feature.ROUND)
        if needed <= rows and by_round >= reads_round:
            return game.result()
        rows, by_round = max(rows, needed), reads_round


def exact_visits(
    rules: Ruleset, first: Turns, second: Turns
) -> tuple[ExactGame, tuple[SeatVisits, SeatVisits]]:
    """A game of two bots, and how often each is to move where, in seat 1 and in seat 2.

    Visits are told apart by round where the rules or a bot look at its number.
    """
    rows, rounds = 1, rules.rounds or 1
    while True:
        log = VisitLog(rounds)
        game = _Game(rules, (first, second), rows, by_round=rounds > 1, log=log)
        game.play(lambda over: None)
        more_rows = max(rows_needed(first), rows_needed(second))
        more_rounds = max(rounds_needed(first, game.sheets), rounds_needed(second, game.sheets))
        if more_rows <= rows and more_rounds <= rounds:
            return game.result(), log.seats(game.sheets)
        rows, rounds = max(rows, more_rows), max(rounds, more_rounds)


class _Game:
    """The mass of all games of one pairing."""

    def __init__(
        self,
        rules: Ruleset,
        turns: tuple[Turns, Turns],
        rows: int,
        *,
        by_round: bool,
        log: VisitLog | None = None,
    ) -> None:
        exact_size(rules, rows=rows)
        self.rules = rules
        self.log = log
        self.turns = turns
        self.sheets = make_sheets(rules, rows=rows, see_open=True)
        self.by_round = by_round
        self.wins = [0.0, 0.0]
        self.equal = [0.0, 0.0]
        self.draw = 0.0
        self.rounds = 0.0
        count = len(self.sheets)
        # By the seat that leads: mass by its units above the target and the other's sheet.
        self.lead: list[Matrix] = [np.zeros((1, count)), np.zeros((1, count))]
        self.deep = 0.0  # how often a player was to move from the lowest score

    def play(self, tick: Callable[[float], None]) -> None:
        limit = self.rules.rounds or MAX_ROUNDS
        mass = np.zeros((len(self.sheets), len(self.sheets)))
        mass[self.sheets.first, self.sheets.first] = 1.0
        for number in range(1, limit + 1):
            left = float(mass.sum())
            if left < LEFT:
                break
            self.rounds += left
            tick(1.0 - left)
            if self.by_round or number == limit:
                self.close(1, number)
            mass = self.move(0, mass, number)
            if self.by_round or number == limit:
                self.close(0, number)
            mass = np.ascontiguousarray(self.move(1, np.ascontiguousarray(mass.T), number).T)
            if number == limit:
                self.wins[1] += float(self.lead[1].sum())
                self.lead[1][:] = 0.0
                self.compare(mass)
        self.close(0, 1)
        self.close(1, 1)
        if lowest_score(self.rules) is None:
            self.check_depth()

    def result(self) -> ExactGame:
        shared = sum(self.equal) if self.rules.tie == "draw" else 0.0
        own = self.equal if self.rules.tie == "leader" else [0.0, 0.0]
        return ExactGame(
            wins=(self.wins[0] + own[0], self.wins[1] + own[1]),
            draw=self.draw + shared,
            equal=(self.equal[0], self.equal[1]),
            rounds=self.rounds,
        )

    def move(self, seat: int, mass: Matrix, number: int) -> Matrix:
        """One turn of a seat everywhere; mass by its own sheet, then the other's."""
        own, other = np.nonzero(mass > (TINY if self.log is None else RARE))
        scores = self.sheets.arrays.score[other]
        turns = self.turns[seat]
        ids = np.full(mass.shape, -1)
        ids[own, other] = turns.at(table_features(self.sheets, seat, own, scores, number, False))
        ends = turns.ends
        self.deep += float(mass[self.sheets.arrays.score == self.sheets.lowest].sum())
        if self.log is not None:
            self.log.turns(seat, number, own, other, mass[own, other])
        self.make_room(seat, ends)
        out = np.zeros_like(mass)
        total = np.zeros(1)
        keep = self.rules.bust == "keep"
        place = (self.sheets.lowest, self.sheets.scores)
        move_mass(self.sheets.arrays, place, ends, keep, mass, ids, out, self.lead[seat], total)
        self.wins[seat] += float(total[0])
        if self.rules.end == "first_to_target":
            self.wins[seat] += float(self.lead[seat].sum())
            self.lead[seat][:] = 0.0
        return out

    def make_room(self, seat: int, ends: EndArrays) -> None:
        """Room for leads as large as any turn can make them."""
        height = int(ends.units.max(initial=0)) + 1
        have = self.lead[seat]
        if height > len(have):
            self.lead[seat] = np.zeros((height, have.shape[1]))
            self.lead[seat][: len(have)] = have

    def close(self, leader: int, number: int) -> None:
        """The last turns of the other seat, for all games in which this one leads."""
        lead = self.lead[leader]
        over, own = np.nonzero(lead > (TINY if self.log is None else RARE))
        if not len(over):
            return
        seat = 1 - leader
        here = lead[over, own]
        if self.log is not None:
            self.log.last(seat, number, over, own, here)
        target = over + self.sheets.target
        turns = self.turns[seat]
        ids = turns.at(table_features(self.sheets, seat, own, target, number, True))
        keep = self.rules.bust == "keep"
        out = np.zeros(3)
        total = np.zeros(1)
        close_mass(self.sheets.arrays, turns.ends, keep, own, target, here, ids, out, total)
        self.wins[seat] += float(out[0])
        self.equal[leader] += float(out[1])
        self.wins[leader] += float(out[2])
        self.wins[seat] += float(total[0])
        lead[:] = 0.0

    def compare(self, mass: Matrix) -> None:
        """Games that the last round of all ends."""
        score = self.sheets.arrays.score
        difference = score[:, None] - score[None, :]
        self.wins[0] += float(mass[difference > 0].sum())
        self.wins[1] += float(mass[difference < 0].sum())
        self.draw += float(mass[difference == 0].sum())

    def check_depth(self) -> None:
        """Refuse where scores sank so far that what was left out could matter."""
        if self.deep > CLIPPED:
            lowest = self.sheets.lowest * self.sheets.graph.unit
            raise UsageError(
                f"{self.rules.name} cannot be computed for these bots: penalties take them below "
                f"{lowest} points; give the scores a floor, for example "
                f"{with_override(self.rules, 'bust_penalty.floor')}={lowest // 2}"
            )

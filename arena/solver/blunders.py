"""Where a bot loses win probability: every decision against the best one, by how often it comes up.

With q(x, d) the value of deciding d at position x when all is played as well as can be afterwards,
and f(x) how often the bot comes to x in one game,

    value of best play - value of the bot = sum over x of f(x) * (max of q(x, .) - q(x, its d))

(the performance difference lemma: Kakade and Langford, Approximately Optimal Approximate
Reinforcement Learning, 2002). The opponent plays perfectly, or is a bot to which the best response
is the measure. Both seats count half.

Under bust penalties the bot `perfect` is such a bot too: it cannot see how long the other's row of
busts is and takes it for 0, so that the best response to it wins a little more than perfect play.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.game import Feature
from arena.rules import Ruleset, rule_tables
from arena.solver.best_walk import Values, best_rules
from arena.solver.cache import load_solved
from arena.solver.closing import closing_turn
from arena.solver.distributions import BotTurns, Turns
from arena.solver.duel import best_closing, duel_arrays
from arena.solver.exact import exact_visits
from arena.solver.habits import NOTED, Choice, Habit, Habits, choice_of
from arena.solver.judge import judge_turn
from arena.solver.perfect import final_values
from arena.solver.response import Facing, best_response
from arena.solver.roll_kinds import roll_kinds
from arena.solver.seen import table_features
from arena.solver.sheets import Sheets, make_sheets
from arena.solver.solved import UnsolvedError
from arena.solver.solved_turns import LaneTables, SolvedTurns, lane_values
from arena.solver.turn_kernel import LANES
from arena.solver.visits import Places, RoundVisits, SeatVisits

CUTOFF: Final = 1e-8
"""Decisions that cost less win probability than this are counted but not listed."""

RARE: Final = 1e-10
"""Tables that come up less often than this are left out."""


KEPT: Final = 1000
"""Turns of the bot whose positions are kept at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blunder:
    """One decision that loses win probability.

    Attributes:
        seat: of the bot.
        round: of the game, from 1, where its number makes a difference; else 0.
        score, opponent: points on both sheets.
        last_round: whether it is the bot's last turn.
        points: gathered in the turn before this roll.
        rolls: number of the roll; 0 where rolls are not limited.
        dice: on the table.
        did: what the bot decides.
        best: what is best.
        frequency: how often the bot comes here in one game, both seats counted half.
        loss: win probability lost each time.
    """

    seat: int
    round: int
    score: int
    opponent: int
    last_round: bool
    points: int
    rolls: int
    dice: tuple[int, ...]
    did: Choice
    best: Choice
    frequency: float
    loss: float

    @property
    def cost(self) -> float:
        """Win probability lost in one game."""
        return self.frequency * self.loss


@dataclass(frozen=True, slots=True, kw_only=True)
class Blunders:
    """All that a bot loses.

    Attributes:
        best: value of best play, both seats averaged; shared wins count 1/2.
        value: the bot's.
        lost: sum over all decisions, which is what separates the two.
        worst: the single blunders that cost most, worst first.
        habits: the same blunders at all scores together, worst first.
        decisions: how many cost more than `CUTOFF`.
    """

    best: float
    value: float
    lost: float
    worst: tuple[Blunder, ...]
    habits: tuple[Habit, ...]
    decisions: int


def find_blunders(
    rules: Ruleset,
    bot: BotTurns,
    against: Turns | None = None,
    *,
    most: int = 100,
    workers: int = 1,
    tick: Callable[[float], None] = lambda share: None,
) -> Blunders:
    """Find where a bot loses most.

    Args:
        rules: the ruleset.
        bot: whose decisions are judged.
        against: the opponent; None for perfect play.
        most: blunders that are listed.
        workers: threads.
        tick: is told the share that is done.

    Raises:
        BotError: a bot cannot be computed.
        UnsolvedError: the opponent is perfect play, which has not been computed.
    """
    opponent = SolvedTurns(rules) if against is None else against
    perfect = against is None and not rules.bust_penalty.after
    found: list[Blunder] = []
    habits = Habits(rules)
    best = value = lost = 0.0
    decisions = 0
    for seat in (1, 2):
        judged = _Seat(rules, bot, opponent, seat, perfect, workers)
        judged.habits, judged.most = habits, most
        judged.judge(partial(_tick_part, tick, (seat - 1) / 2, 1 / 2))
        best += judged.best / 2
        value += judged.value / 2
        lost += judged.lost
        decisions += judged.decisions
        found += judged.found
    return Blunders(
        best=best,
        value=value,
        lost=lost,
        worst=tuple(_worst(found, most)),
        habits=tuple(habits.worst(most)),
        decisions=decisions,
    )


def _tick_part(tick: Callable[[float], object], begin: float, size: float, done: float) -> None:
    """Tell of a part of the work, which is so large, that so much of it is done."""
    tick(begin + size * done)


def _worst(found: list[Blunder], most: int) -> list[Blunder]:
    return sorted(found, key=lambda blunder: -blunder.cost)[:most]


class _Seat:
    """The decisions of a bot in one seat."""

    def __init__(
        self,
        rules: Ruleset,
        bot: BotTurns,
        opponent: Turns,
        seat: int,
        perfect: bool,
        workers: int,
    ) -> None:
        self.rules = rules
        self.bot = bot
        self.seat = seat
        turns = (bot, opponent) if seat == 1 else (opponent, bot)
        game, visits = exact_visits(rules, *turns)
        self.visits: SeatVisits = visits[seat - 1]
        self.value = game.wins[seat - 1] + game.draw / 2
        self.sheets = self.visits.sheets
        if perfect:
            self.best, self.rounds = _perfect(rules, self.sheets, seat)
        else:
            response = best_response(rules, opponent, seat=seat, workers=workers, keep=True)
            self.best = response.wins
            self.rounds = [_by(self.sheets, response.sheets, one) for one in response.rounds]
        graph = self.sheets.graph
        self.extra = 2 * graph.max_gain + 100
        self.arrays = duel_arrays(self.sheets)
        self.walk = best_rules(graph, merged=False)
        tables = rule_tables(rules)
        self.rolls = tables.rolls
        kind = roll_kinds(tables, merged=True).of
        self.kinds = kind, np.lexsort((kind, tables.roll_dice))
        self.lost = 0.0
        self.found: list[Blunder] = []
        self.decisions = 0
        self.habits = Habits(rules)
        self.most = 0
        self.enough = 0.0  # cheaper blunders are not among the worst
        self._known: dict[int, tuple[NDArray[np.int64], NDArray[np.float64]]] = {}
        self._where = np.zeros((NOTED, 6), dtype=np.int64)
        self._worth = np.zeros((NOTED, 2))

    def judge(self, tick: Callable[[float], None]) -> None:
        """Judge all turns, ordinary ones and last ones."""
        rounds = self.visits.rounds
        total = sum(len(each.turns) + len(each.last) for each in rounds) or 1
        done = 0
        for each in rounds:
            turns = each.turns.more_often_than(RARE)
            self._judge_turns(each, turns, partial(_tick_part, tick, done / total, 1 / total))
            self._judge_last(each, each.last.more_often_than(RARE))
            done += len(each.turns) + len(each.last)
            tick(done / total)

    def _judge_turns(
        self, visits: RoundVisits, places: Places, tick: Callable[[int], None]
    ) -> None:
        """Ordinary turns of one round."""
        own, other = places.first, places.second
        facing = self.rounds[min(visits.number, len(self.rounds)) - 1]
        arrays = self.arrays._replace(closing=facing.closing) if facing.closes else self.arrays
        tables = LaneTables(self.sheets, arrays, extra=self.extra)
        for at in range(0, len(own), LANES):
            chunk = slice(at, at + LANES)
            lanes = tables.solve(facing.opponent, own[chunk], other[chunk], closing=facing.closes)
            scores = self.sheets.arrays.score[other[chunk]]
            table = table_features(
                self.sheets, self.seat - 1, own[chunk], scores, visits.number, False
            )
            self._judge(table, lanes, places.often[chunk])
            tick(at)

    def _judge_last(self, visits: RoundVisits, places: Places) -> None:
        """Last turns of one round."""
        arrays = self.sheets.arrays
        own, target = places.second, places.first + self.sheets.target
        for closed in (0, 1):
            mine = np.flatnonzero(arrays.closed[own] == closed)
            need = target[mine] - arrays.score[own[mine]]
            needs, which = np.unique(need, return_inverse=True)
            for at in range(0, len(needs), LANES):  # all who need the same have the same turn
                solved = closing_turn(
                    self.sheets.graph, needs[at : at + LANES], closed=bool(closed), extra=self.extra
                )
                lanes = lane_values(solved, solved.rows, len(needs[at : at + LANES]))
                inside = np.flatnonzero((which >= at) & (which < at + LANES))
                some = mine[inside]
                table = table_features(
                    self.sheets, self.seat - 1, own[some], target[some], visits.number, True
                )
                self._judge(table, [lanes[lane] for lane in which[inside] - at], places.often[some])

    def _judge(
        self, tables: NDArray[np.int64], lanes: list[Values], often: NDArray[np.float64]
    ) -> None:
        alike = self.bot.at(tables)
        trees, tree = self.bot.answers.trees.arrays, self.bot.answers.kinds.of
        for same, table, values, weight in zip(alike, tables, lanes, often / 2, strict=True):
            visit, mass = self._positions(int(same), table)
            lost, count = judge_turn(
                self.walk, trees, tree, self.kinds, table, visit, mass, values, weight, CUTOFF,
                self._where, self._worth,
            )  # fmt: skip
            self.lost += lost
            self.decisions += count
            self._note(table, self._where[:count], self._worth[:count])

    def _positions(
        self, same: int, table: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Positions of the bot's turn at a table, the same wherever its turn is the same."""
        if same not in self._known:
            if len(self._known) >= KEPT:
                self._known.clear()
            visit, mass = self.bot.positions(table)
            self._known[same] = visit.copy(), mass.copy()
        return self._known[same]

    def _note(
        self, table: NDArray[np.int64], where: NDArray[np.int64], worth: NDArray[np.float64]
    ) -> None:
        if not len(where):
            return
        cost = worth.prod(axis=1)
        self.habits.add(where, worth[:, 0], cost)
        for at in np.flatnonzero(cost > self.enough):
            self.found.append(self._blunder(table, where[at], worth[at]))
        if len(self.found) > 2 * self.most:
            self.found = _worst(self.found, self.most)
            self.enough = self.found[-1].cost if self.found else 0.0

    def _blunder(
        self, table: NDArray[np.int64], where: NDArray[np.int64], worth: NDArray[np.float64]
    ) -> Blunder:
        roll = self.rolls[where[0]]
        return Blunder(
            seat=self.seat,
            round=int(table[Feature.ROUND]) if len(self.visits.rounds) > 1 else 0,
            score=int(table[Feature.SCORE]),
            opponent=int(table[Feature.OPPONENT]),
            last_round=bool(table[Feature.LAST_ROUND]),
            points=int(where[1]) * self.sheets.graph.unit,
            rolls=int(where[2]) if self.rules.max_rolls else 0,
            dice=roll.dice,
            did=choice_of(roll, int(where[3])),
            best=choice_of(roll, int(where[4])),
            frequency=float(worth[0]),
            loss=float(worth[1]),
        )


def _perfect(rules: Ruleset, sheets: Sheets, seat: int) -> tuple[float, list[Facing]]:
    """Value of the game for a perfect player in a seat, and what its turns are solved against."""
    stored = load_solved(rules)
    if stored is None:
        raise UnsolvedError(rules.name)
    plain = make_sheets(rules)
    first = float(stored.values[0, 0, plain.first, plain.first])
    closing = best_closing(plain)[0]
    rounds = []
    for number in range(rules.rounds or 1):
        if not rules.rounds:
            opponent = stored.values[0, 0]
        elif seat == 1:
            opponent = stored.values[number, 1]
        elif number + 1 < rules.rounds:
            opponent = stored.values[number + 1, 0]
        else:
            opponent = final_values(plain)
        closes = not rules.rounds or seat == 1 or number + 1 < rules.rounds
        facing = Facing(opponent=opponent, closing=closing, closes=closes)
        rounds.append(_by(sheets, plain, facing))
    return first if seat == 1 else 1.0 - first, rounds


def _by(sheets: Sheets, others: Sheets, facing: Facing) -> Facing:
    """The same by sheets that tell more apart than the others."""
    arrays = sheets.arrays
    same = others.indices(arrays.score, arrays.closed == 1, arrays.busts)
    return Facing(
        opponent=np.ascontiguousarray(facing.opponent[np.ix_(same, same)]),
        closing=np.ascontiguousarray(facing.closing[same]),
        closes=facing.closes,
    )

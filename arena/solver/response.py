"""The best response to a bot, and what it wins.

With the distribution of the bot's turn on sheet j against sheet i, P(j -> j' | j, i), and values
v[i, j] of the one who responds, to move on sheet i against the bot's sheet j,

    o[j, i] = sum over j' below the target of P(j -> j') * (1 - v[i, j'])
              + sum over leads l of P(l) * (1 - c[i, l])
    v[i, j] = best turn of `arena.solver.duel` with o

where c[i, l] is the responder's last turn against the bot's lead; the bot's own last turns are
valued by its own distributions. Levels of equal sums of scores are solved from high to low, as in
`arena.solver.perfect`; within a level v and o are one fixed point.

Where the rules limit the rounds, or the bot looks at the number of the round, there are values v
and o for each round, found backwards without any fixed point: from the scores after the last
round, or from the fixed point of the round from which on the bot plays alike.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from arena.jit import compiled
from arena.rules import MAX_ROUNDS, Ruleset
from arena.solver.distributions import Turns
from arena.solver.duel import Indices, Matrix, TurnSolver, best_closing, duel_arrays
from arena.solver.exact_kernel import close_values
from arena.solver.iterate import extrapolated
from arena.solver.levels import Levels
from arena.solver.perfect import final_values
from arena.solver.seen import rounds_needed, rows_needed, table_features
from arena.solver.sheets import Sheets, make_sheets
from arena.solver.size import response_size

SETTLED: Final = 1e-12
SWEPT: Final = 1e-10
CYCLES: Final = 500
SWEEPS: Final = 200

SETTLING: Final = 10
"""The fixed point takes about as long as so many rounds."""

Tick = Callable[[float], None]
"""Is told the share that is done."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Facing:
    """What a player's turns of one round are solved against.

    Attributes:
        opponent: float64[I, I], values for the other, who moves next, by its sheet and the
            player's.
        closing: float64[I, L], values of the other's last turn by its sheet and the units that
            the player is above the target.
        closes: whether the other has a last turn at all; else the player wins by reaching the
            target.
    """

    opponent: Matrix
    closing: Matrix
    closes: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BestResponse:
    """The best response to a bot that sits in one seat.

    Attributes:
        sheets: what the indices mean.
        wins: value of the game for the one who responds; shared wins count 1/2.
        rounds: what its turns of each round are solved against; of later rounds as of the last.
            Empty if that was not asked for.
    """

    sheets: Sheets
    wins: float
    rounds: tuple[Facing, ...]


def best_response(
    rules: Ruleset,
    turns: Turns,
    *,
    seat: int,
    workers: int = 1,
    tick: Tick = lambda share: None,
    told: Callable[[int], None] = lambda rounds: None,
    keep: bool = False,
) -> BestResponse:
    """The best response to a bot.

    Args:
        rules: the ruleset; penalties need a floor.
        turns: of the bot.
        seat: of the one who responds, 1 or 2.
        workers: threads.
        tick: is told the share that is done.
        told: is told how many rounds will be told apart, whenever more than was known before.
        keep: also return what the turns of each round are solved against.

    Raises:
        BotError: the bot cannot be computed.
        UnsolvableError: too large, or scores sink without end under this ruleset.
    """
    rows, rounds = 1, rules.rounds or 1
    while True:
        response_size(rules, rows=rows, rounds=rounds if keep else 1)
        sheets = make_sheets(rules, rows=rows, see_open=True)
        response = _Response(sheets, turns, seat, rounds, workers)
        try:
            found = response.solve(tick, keep)
        finally:
            response.solver.close()
        if found is not None:
            return found
        rows = max(rows, rows_needed(turns))
        more = rounds_needed(turns, sheets)
        if more > rounds:
            # A bot may look at more rounds the more it is asked; every new start costs the same.
            rounds = min(max(more, 2 * rounds), MAX_ROUNDS)
            told(rounds)


class _Response:
    """The best response, with so many rounds and rows of busts told apart."""

    def __init__(self, sheets: Sheets, turns: Turns, seat: int, rounds: int, workers: int) -> None:
        rules = sheets.graph.rules
        self.sheets = sheets
        self.turns = turns
        self.seat = seat
        self.rounds = rounds
        self.limited = bool(rules.rounds)
        self.keep = rules.bust == "keep"
        self.penalties = bool(rules.bust_penalty.after)
        self.answer, self.flat = best_closing(sheets)
        self.solver = TurnSolver(sheets, duel_arrays(sheets), workers)
        self.levels = Levels(sheets)

    def solve(self, tick: Tick, keep: bool) -> BestResponse | None:
        """The response; None if the bot turns out to look at more than is told apart."""
        begin = 0 if self.limited else SETTLING
        steps = begin + self.rounds - (not self.limited)
        start, number = final_values(self.sheets), self.rounds
        kept: list[Facing] = []
        if not self.limited:
            settled = self.settle(lambda share: tick(share * begin / steps))
            if settled is None:
                return None
            start, facing = settled
            kept, number = [facing], number - 1
        for left in range(number, 0, -1):
            start, facing = self.step(left, start)
            kept = [facing, *kept] if keep else [facing]
            tick(1.0 - (left - 1) / steps)
            if self.outgrown():
                return None
        first = float(start[self.sheets.first, self.sheets.first])
        return BestResponse(
            sheets=self.sheets,
            wins=first if self.seat == 1 else 1.0 - first,
            rounds=tuple(kept) if keep else (),
        )

    def outgrown(self) -> bool:
        """Whether the bot looks at more than is told apart."""
        rows, rounds = rows_needed(self.turns), rounds_needed(self.turns, self.sheets)
        return rows > self.sheets.rows or rounds > self.rounds

    def step(self, number: int, after: Matrix) -> tuple[Matrix, Facing]:
        """One round back.

        Args:
            number: of the round.
            after: values for seat 1 to move in the next round, or by the scores after the last.

        Returns:
            values for seat 1 to move in this round; what the responder's turns are solved against.
        """
        last = self.limited and number == self.rounds
        count = len(self.sheets)
        order = np.lexsort((np.arange(count), self.sheets.arrays.score))
        own, other = np.repeat(order, count), np.tile(order, count)
        mover, bot = np.zeros((count, count)), np.zeros((count, count))
        if self.seat == 1:
            # Whoever leads after the last turn of the last round has won.
            answer = np.zeros((count, 1)) if last else self.answer
            self.reply(own, other, number, after, answer, bot)
            facing = Facing(opponent=bot, closing=self.bot_closing(number), closes=True)
        else:
            closing = np.zeros((count, 1)) if last else self.bot_closing(number + 1)
            facing = Facing(opponent=after, closing=closing, closes=not last)
        mover[own, other] = self.respond(facing, own, other)
        if self.seat == 2:
            self.reply(own, other, number, mover, self.answer, bot)
        return (mover if self.seat == 1 else bot), facing

    def respond(self, facing: Facing, own: Indices, other: Indices) -> Matrix:
        """v of pairs."""
        if facing.closes:
            self.solver.arrays = self.solver.arrays._replace(closing=facing.closing)
        return self.solver.values(facing.opponent, own, other, closing=facing.closes)

    def reply(
        self,
        own: Indices,
        other: Indices,
        number: int,
        mover: Matrix,
        answer: Matrix,
        bot: Matrix,
    ) -> None:
        """Fill in o of pairs, own sheets the responder's, from v in `mover`."""
        score = self.sheets.arrays.score[own]
        table = table_features(self.sheets, 2 - self.seat, other, score, number, False)
        ids = self.turns.at(table)
        place = (self.sheets.lowest, self.sheets.scores)
        ends = self.turns.ends
        _reply(self.sheets.arrays, place, ends, self.keep, mover, answer, own, other, ids, bot)

    def bot_closing(self, number: int) -> Matrix:
        """The bot's last turns in a round: value by its sheet and the lead against it."""
        leads = self.flat + 1 if self.flat else 0
        closing = np.zeros((len(self.sheets), max(leads, 1)))
        own = np.repeat(np.arange(len(self.sheets)), leads)
        lead = np.tile(np.arange(leads), len(self.sheets)) + self.sheets.target
        if leads:
            table = table_features(self.sheets, 2 - self.seat, own, lead, number, True)
            ids = self.turns.at(table)
            equal = 0.5 if self.sheets.graph.rules.tie == "draw" else 0.0
            values = close_values(
                self.sheets.arrays, self.turns.ends, self.keep, own, lead, ids, equal
            )
            closing[:] = values.reshape(closing.shape)
        return closing

    def settle(self, tick: Tick) -> tuple[Matrix, Facing] | None:
        """The fixed point of rounds that are all alike; returns as `step`, None as `solve`."""
        mover = self.levels.guess()
        bot = mover.copy()
        facing = Facing(opponent=bot, closing=self.bot_closing(self.rounds), closes=True)
        done = 0
        for sweep in range(SWEEPS):
            change = 0.0
            for total in self.levels.totals:
                own, other = self.levels.pairs(total)
                if not sweep:
                    above = self.levels.above
                    mover[own, other] = mover[above[own], above[other]]
                change = max(change, self.level(own, other, mover, facing))
                done += len(own)
                tick(min(done / len(self.sheets) ** 2, 1.0))
                if self.outgrown():
                    return None
            if not self.penalties or change < SWEPT:
                break
        return (mover if self.seat == 1 else bot), facing

    def level(self, own: Indices, other: Indices, mover: Matrix, facing: Facing) -> float:
        """Settle all pairs of one sum of scores; the first change."""
        seen: list[Matrix] = []
        first_change = 0.0
        for cycle in range(CYCLES):
            before = mover[own, other]
            self.reply(own, other, self.rounds, mover, self.answer, facing.opponent)
            after = self.respond(facing, own, other)
            mover[own, other] = after
            change = float(np.abs(after - before).max())
            first_change = first_change if cycle else change
            if change <= SETTLED:
                break
            seen = [*seen, after]
            if len(seen) == 3:
                mover[own, other] = np.clip(extrapolated(*seen), 0.0, 1.0)
                seen = []
        return first_change


@compiled
def _reply(
    sheets: Any,
    place: Any,
    ends: Any,
    keep: Any,
    mover: Any,
    answer: Any,
    own: Any,
    other: Any,
    ids: Any,
    bot: Any,
) -> None:
    """o of pairs (responder's sheet, bot's sheet) from v."""
    lowest, scores = place
    leads = answer.shape[1] - 1
    for k in range(len(own)):
        i, j, d = own[k], other[k], ids[k]
        value = ends.win[d]
        minimum, base = sheets.minimum[j], sheets.score[j] - lowest
        for e in range(ends.first[d], ends.first[d + 1]):
            units, stop, lost = ends.units[e], ends.stop[e], ends.lost[e]
            written = 0.0
            if units < minimum:
                value += stop * (1.0 - mover[i, j])
            else:
                written += stop
            if keep and units >= minimum:
                written += lost
            else:
                value += lost * (1.0 - mover[i, sheets.after_bust[j]])
            to = base + units
            if to < scores:
                value += written * (1.0 - mover[i, to])
            else:
                value += written * (1.0 - answer[i, min(to - scores, leads)])
        bot[j, i] = value

"""The best response to a bot, and what it wins.

With the distribution of the bot's turn on sheet j against sheet i, P(j -> j' | j, i), and values
v[i, j] of the one who responds, to move on sheet i against the bot's sheet j,

    o[j, i] = sum over j' below the target of P(j -> j') * (1 - v[i, j'])
              + sum over leads l of P(l) * (1 - c[i, l])
    v[i, j] = best turn of `arena.solver.duel` with o

where c[i, l] is the responder's last turn against the bot's lead; the bot's own last turns are
valued by its own distributions. Levels of equal sums of scores are solved from high to low, as in
`arena.solver.perfect`; within a level v and o are one fixed point.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from arena.errors import BotError
from arena.game import Feature
from arena.jit import compiled
from arena.rules import Ruleset
from arena.solver.distributions import Turns
from arena.solver.duel import DuelArrays, Indices, Matrix, TurnSolver, best_closing, duel_arrays
from arena.solver.exact import rows_needed, table_features
from arena.solver.exact_kernel import close_values
from arena.solver.iterate import extrapolated
from arena.solver.levels import Levels
from arena.solver.sheets import Sheets, make_sheets

SETTLED: Final = 1e-12
SWEPT: Final = 1e-10
CYCLES: Final = 500
SWEEPS: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BestResponse:
    """The best response to a bot that sits in one seat.

    Attributes:
        sheets: what the indices mean.
        arrays: of the duel, the bot's last turns in `closing`.
        mover: float64[I, I], v.
        bot: float64[I, I], o.
        seat: of the one who responds, 1 or 2.
    """

    sheets: Sheets
    arrays: DuelArrays
    mover: Matrix
    bot: Matrix
    seat: int

    @property
    def wins(self) -> float:
        """Value of the game for the one who responds; shared wins count 1/2."""
        start = self.sheets.first
        first = float(self.mover[start, start])
        return first if self.seat == 1 else 1.0 - float(self.bot[start, start])


def best_response(
    rules: Ruleset,
    turns: Turns,
    *,
    seat: int,
    workers: int = 1,
    tick: Callable[[float], None] = lambda share: None,
) -> BestResponse:
    """The best response to a bot.

    Args:
        rules: the ruleset; without a limit of rounds, penalties with a floor.
        turns: of the bot.
        seat: of the one who responds, 1 or 2.
        workers: threads.
        tick: is told the share that is done.

    Raises:
        BotError: the bot cannot be computed, or looks at the number of the round.
    """
    if rules.rounds:
        raise BotError(f"best responses are not computed under a limit of rounds ({rules.name})")
    rows = 1
    while True:
        sheets = make_sheets(rules, rows=rows, see_open=True)
        response = _Response(rules, sheets, turns, seat, workers)
        try:
            found = response.solve(tick)
        finally:
            response.solver.close()
        if turns.reads(Feature.ROUND):
            raise BotError(
                f"the best response to {turns.name} is not computed: it looks at the number of "
                "the round"
            )
        needed = rows_needed(turns)
        if needed <= sheets.rows:
            return found
        rows = needed


class _Response:
    def __init__(
        self, rules: Ruleset, sheets: Sheets, turns: Turns, seat: int, workers: int
    ) -> None:
        self.sheets = sheets
        self.turns = turns
        self.seat = seat
        self.keep = rules.bust == "keep"
        self.penalties = bool(rules.bust_penalty.after)
        self.answer, flat = best_closing(sheets)
        self.arrays = duel_arrays(sheets, self.bot_closing(flat))
        self.solver = TurnSolver(sheets, self.arrays, workers)
        self.levels = Levels(sheets)
        self.mover = self.levels.guess()
        self.bot = self.mover.copy()

    def bot_closing(self, flat: int) -> Matrix:
        """The bot's last turns: value by its sheet and the lead against it."""
        leads = flat + 1 if flat else 0
        closing = np.zeros((len(self.sheets), max(leads, 1)))
        own = np.repeat(np.arange(len(self.sheets)), leads)
        lead = np.tile(np.arange(leads), len(self.sheets)) + self.sheets.target
        if leads:
            table = table_features(self.sheets, 2 - self.seat, own, lead, 1, True)
            ids = self.turns.at(table)
            equal = 0.5 if self.sheets.graph.rules.tie == "draw" else 0.0
            values = close_values(
                self.sheets.arrays, self.turns.ends, self.keep, own, lead, ids, equal
            )
            closing[:] = values.reshape(closing.shape)
        return closing

    def solve(self, tick: Callable[[float], None]) -> BestResponse:
        totals = self.levels.totals
        done = 0
        for sweep in range(SWEEPS):
            change = 0.0
            for total in totals:
                own, other = self.levels.pairs(total)
                change = max(change, self.level(own, other, sweep))
                done += len(own)
                tick(min(done / len(self.sheets) ** 2, 1.0))
            if not self.penalties or change < SWEPT:
                break
        return BestResponse(
            sheets=self.sheets,
            arrays=self.arrays,
            mover=self.mover,
            bot=self.bot,
            seat=self.seat,
        )

    def level(self, own: Indices, other: Indices, sweep: int) -> float:
        """Settle all pairs of one sum of scores; the first change where sweeps go on."""
        mover, sheets = self.mover, self.sheets
        score = sheets.arrays.score
        table = table_features(sheets, 2 - self.seat, other, score[own], 1, False)
        ids = self.turns.at(table)
        ends = self.turns.ends
        if not sweep:
            mover[own, other] = mover[self.levels.above[own], self.levels.above[other]]
        seen: list[Matrix] = []
        first_change, change = 0.0, np.inf
        place = (sheets.lowest, sheets.scores)
        for cycle in range(CYCLES):
            before = mover[own, other]
            _reply(
                sheets.arrays, place, ends, self.keep, mover, self.answer, own, other, ids, self.bot
            )
            after = self.solver.values(self.bot, own, other, closing=True)
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

"""Perfect play for two.

The values v[i, j] of the mover on sheet i against sheet j satisfy

    v[i, j] = best turn of `arena.solver.duel` with o = v

All pairs with the same sum of scores form a level. Writing points leads to a higher level, writing
nothing to the other player's turn on the same level: from the highest level down, the pairs (i, j)
and (j, i) are one fixed point, which is iterated with extrapolation (`arena.solver.iterate`).
Penalties lead to lower levels; with them all levels are swept again until nothing changes.

With a limit of rounds there are values v1 and v2 for each round and seat, found backwards without
any fixed point: v1 of a round from its v2, v2 from the next round's v1, or from the scores.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from arena.rules import Ruleset
from arena.solver.duel import Matrix, TurnSolver, duel_arrays
from arena.solver.iterate import extrapolated
from arena.solver.levels import Levels
from arena.solver.sheets import Sheets, make_sheets

SETTLED: Final = 1e-12
"""Change of one more iteration, within a level, that counts as none."""

SWEPT: Final = 1e-10
"""Change of a whole sweep that counts as none."""

SLOW: Final = 0.5
"""Sweeps that leave more than this share of the change are extrapolated."""

CYCLES: Final = 500
SWEEPS: Final = 2_000

Tick = Callable[[int], None]
"""Is told how many more pairs are solved."""

Save = Callable[["Unfinished"], None]
"""Is given what would be lost if the program ended now; decides itself whether to write it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Unfinished:
    """A solve that has not come to its end.

    Attributes:
        values: as far as they are known.
        done: steps that are finished: levels of this sweep, or seats of rounds.
        sweep: sweeps that are finished.
        residual: largest so far in this sweep.
    """

    values: Matrix
    done: int
    sweep: int
    residual: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PerfectPlay:
    """Values of perfect play between two.

    Attributes:
        sheets: what the indices mean.
        values: float64[1, 1, I, I]: value for the mover, by its sheet and the other's; with a
            limit of rounds float64[rounds, 2, I, I], by round and seat first.
        residual: largest difference between the two sides of the equations.
    """

    sheets: Sheets
    values: Matrix
    residual: float

    @property
    def first_wins(self) -> float:
        """Value of the game for the first seat; shared wins count 1/2."""
        start = self.sheets.first
        return float(self.values[0, 0, start, start])


def solve_perfect(
    rules: Ruleset,
    *,
    workers: int = 1,
    tick: Tick = lambda pairs: None,
    save: Save = lambda unfinished: None,
    resume: Unfinished | None = None,
) -> PerfectPlay:
    """Solve a ruleset for two players; ask `arena.solver.size` first whether it can be.

    Args:
        rules: the ruleset; penalties need a floor.
        workers: threads.
        tick: progress.
        save: called after every step.
        resume: what an earlier solve had reached.
    """
    sheets = make_sheets(rules)
    solver = TurnSolver(sheets, duel_arrays(sheets), workers)
    try:
        if rules.rounds:
            return _solve_rounds(sheets, solver, tick, save, resume)
        return _Sweeps(sheets, solver, tick, save).solve(resume)
    finally:
        solver.close()


class _Sweeps:
    """Levels from high to low, as often as it takes."""

    def __init__(self, sheets: Sheets, solver: TurnSolver, tick: Tick, save: Save) -> None:
        self.sheets = sheets
        self.solver = solver
        self.tick = tick
        self.save = save
        self.levels = Levels(sheets)
        self.values = self.levels.guess()

    def solve(self, resume: Unfinished | None) -> PerfectPlay:
        sheets = self.sheets
        totals = self.levels.totals
        penalties = bool(sheets.graph.rules.bust_penalty.after)
        sweep, done, residual = 0, 0, 0.0
        if resume is not None:
            self.values[:] = resume.values
            sweep, done, residual = resume.sweep, resume.done, resume.residual
            self.tick(sum(len(self.levels.pairs(total)[0]) for total in totals[:done]))
        change = 1.0
        seen: list[Matrix] = []
        while sweep < SWEEPS:
            settled = max(SETTLED, change * 1e-3) if penalties else SETTLED
            for number in range(done, len(totals)):
                residual = max(residual, self.level(totals[number], sweep, settled))
                self.save(
                    Unfinished(values=self.values, done=number + 1, sweep=sweep, residual=residual)
                )
            sweep, done, slow, change = sweep + 1, 0, residual > SLOW * change, residual
            if not penalties or residual < SWEPT:
                break
            residual = 0.0
            seen = [*seen, self.values.copy()][-3:] if slow else []
            if len(seen) == 3:
                self.values[:] = np.clip(extrapolated(*seen), 0.0, 1.0)
                seen = []
        return PerfectPlay(sheets=sheets, values=self.values[None, None], residual=change)

    def level(self, total: int, sweep: int, settled: float) -> float:
        """Settle all pairs of one sum of scores.

        Returns:
            the largest change: of the last iteration, or where sweeps go on of the first one.
        """
        own, other = self.levels.pairs(total)
        values = self.values
        if not sweep:
            values[own, other] = values[self.levels.above[own], self.levels.above[other]]
        upper = self.sheets.arrays.score[own] >= self.sheets.arrays.score[other]
        halves = [(own[half], other[half]) for half in (upper, ~upper) if half.any()]
        first_change = 0.0
        change = np.inf
        seen: list[Matrix] = []
        for cycle in range(CYCLES):
            before = values[own, other]
            for mine, theirs in halves:
                values[mine, theirs] = self.solver.values(values, mine, theirs, closing=True)
            after = values[own, other]
            change = float(np.abs(after - before).max())
            if not cycle:
                first_change = change
            if change <= settled:
                break
            seen = [*seen, after]
            if len(seen) == 3:
                values[own, other] = np.clip(extrapolated(*seen), 0.0, 1.0)
                seen = []
        self.tick(len(own))
        return first_change if self.sheets.graph.rules.bust_penalty.after else change


def final_values(sheets: Sheets) -> Matrix:
    """Value for the player of the row when the scores decide: 1, 0, or 1/2 where they are equal."""
    score = sheets.arrays.score
    return np.asarray(0.5 + 0.5 * np.sign(score[:, None] - score[None, :]))


def _solve_rounds(
    sheets: Sheets, solver: TurnSolver, tick: Tick, save: Save, resume: Unfinished | None
) -> PerfectPlay:
    """Backwards from the last round; the seat that moves second first."""
    rounds = sheets.graph.rules.rounds
    count = len(sheets)
    values = np.zeros((rounds, 2, count, count)) if resume is None else resume.values
    order = np.lexsort((np.arange(count), sheets.arrays.score))
    own, other = np.repeat(order, count), np.tile(order, count)
    for step in range(0 if resume is None else resume.done, 2 * rounds):
        number, seat = rounds - 1 - step // 2, 1 - step % 2
        if seat == 0:
            opponent = values[number, 1]
        else:
            last = number == rounds - 1
            opponent = final_values(sheets) if last else values[number + 1, 0]
        closing = seat == 0 or number < rounds - 1
        values[number, seat][own, other] = solver.values(opponent, own, other, closing=closing)
        tick(len(own))
        save(Unfinished(values=values, done=step + 1, sweep=0, residual=0.0))
    return PerfectPlay(sheets=sheets, values=values, residual=0.0)

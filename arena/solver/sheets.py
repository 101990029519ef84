"""What can stand on a player's score sheet between two turns.

A *sheet* is a score below the target, whether the player is open, and the length of the row of
busts, as far as these three matter under the ruleset. Scores are in units. Sheets are numbered so
that open sheets without a row of busts come first, by score: writing p units leads from a score s
to sheet s - lowest + p.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rules import Ruleset
from arena.solver.graph import TurnGraph, turn_graph

DEEP: Final = 6
"""Penalties in a row below 0 that stand for a score without a floor, where one is needed."""


class SheetArrays(NamedTuple):
    """All sheets as arrays. I sheets.

    Attributes:
        score: int64[I], units.
        minimum: int64[I], units that a turn must be worth to be written.
        after_bust: int64[I], sheet after a bust that writes nothing.
        closed: int64[I], 1 if the player is not open, where that is told apart.
        busts: int64[I], length of the row of busts.
    """

    score: NDArray[np.int64]
    minimum: NDArray[np.int64]
    after_bust: NDArray[np.int64]
    closed: NDArray[np.int64]
    busts: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sheets:
    """The sheets of a ruleset.

    Attributes:
        graph: the inside of a turn.
        target: units.
        lowest: lowest score in units; 0 where there are no penalties.
        rows: lengths of the row of busts that differ.
        arrays: see `SheetArrays`.
    """

    graph: TurnGraph
    target: int
    lowest: int
    rows: int
    arrays: SheetArrays

    def __len__(self) -> int:
        return len(self.arrays.score)

    @property
    def scores(self) -> int:
        """How many scores there are below the target."""
        return self.target - self.lowest

    @property
    def first(self) -> int:
        """The sheet that a game begins with."""
        return self.index(score=0, is_open=False, busts=0)

    def index(self, *, score: int, is_open: bool, busts: int) -> int:
        """The number of a sheet.

        Args:
            score: units, below the target.
            is_open: whether the player has banked once.
            busts: busts in a row, as the referee counts them.
        """
        one = np.array([score]), np.array([not is_open]), np.array([busts])
        return int(self.indices(*one)[0])

    def indices(
        self, score: NDArray[np.int64], closed: NDArray[np.bool_], busts: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """int64[N]: the numbers of N sheets; whether they are closed is only looked at if told."""
        row = np.minimum(busts, self.rows - 1)
        found = row * self.scores + score - self.lowest
        closed_from = self.rows * self.scores
        if len(self) > closed_from:
            apart = closed_from + row * (1 - self.lowest) + score - self.lowest
            found = np.where(closed, apart, found)
        return np.asarray(found)


def bust_rows(rules: Ruleset) -> int:
    """How many lengths of a row of busts differ for the rules; 1 without a penalty."""
    penalty = rules.bust_penalty
    if not penalty.after:
        return 1
    return penalty.after if penalty.resets else penalty.after + 1


def after_bust(rules: Ruleset, row: int, rows: int) -> tuple[int, int]:
    """Length of the row after one more bust that writes nothing, and the points it costs.

    Args:
        rules: the ruleset.
        row: length before.
        rows: lengths that are told apart; longer ones count as the last.
    """
    penalty = rules.bust_penalty
    costs = penalty.after and row + 1 >= penalty.after
    after = 0 if costs and penalty.resets else min(row + 1, rows - 1)
    return after, penalty.points if costs else 0


def lowest_score(rules: Ruleset) -> int | None:
    """Lowest score in points that a player can have; None if there is none."""
    penalty = rules.bust_penalty
    if not penalty.after:
        return 0
    if penalty.floor is not None:
        return min(0, penalty.floor)
    if not rules.rounds:
        return None
    most = rules.rounds // penalty.after if penalty.resets else rules.rounds - penalty.after + 1
    return -max(0, most) * penalty.points


def make_sheets(rules: Ruleset, *, rows: int = 1, see_open: bool = False) -> Sheets:
    """The sheets of a ruleset; without a floor for penalties, scores stop at `DEEP` penalties.

    Args:
        rules: the ruleset.
        rows: at least so many lengths of the row of busts are told apart.
        see_open: tell apart who is open even where it makes no difference for the rules.
    """
    graph = turn_graph(rules)
    low = lowest_score(rules)
    lowest = (-DEEP * rules.bust_penalty.points if low is None else low) // graph.unit
    given = rules.bust_penalty.floor
    floor = lowest if given is None else given // graph.unit
    target = graph.units(rules.target)
    rows = max(rows, bust_rows(rules))
    listed = [(score, False, row) for row in range(rows) for score in range(lowest, target)]
    see_open |= graph.minimum(is_open=False) > graph.minimum(is_open=True)
    if see_open and rules.bust_penalty.after:
        listed += [(score, True, row) for row in range(rows) for score in range(lowest, 1)]
    elif see_open:  # without penalties a player is open exactly if the score is not 0
        listed = [(score, score == 0, row) for score, _, row in listed]
    number = {sheet: index for index, sheet in enumerate(listed)}

    def busted(score: int, closed: bool, row: int) -> int:
        after, cost = after_bust(rules, row, rows)
        return number[max(score - cost // graph.unit, min(floor, score)), closed, after]

    return Sheets(
        graph=graph,
        target=target,
        lowest=lowest,
        rows=rows,
        arrays=SheetArrays(
            score=np.array([score for score, _, _ in listed], dtype=np.int64),
            minimum=np.array(
                [graph.minimum(is_open=not closed) for _, closed, _ in listed], dtype=np.int64
            ),
            after_bust=np.array([busted(*sheet) for sheet in listed], dtype=np.int64),
            closed=np.array([closed for _, closed, _ in listed], dtype=np.int64),
            busts=np.array([row for _, _, row in listed], dtype=np.int64),
        ),
    )

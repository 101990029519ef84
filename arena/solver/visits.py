"""Where a bot is to move, and how often, in one game against another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.solver.sheets import Sheets

Indices = NDArray[np.int64]
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Places:
    """N places and how often a player is to move there in one game.

    Attributes:
        first: int64[N]; the player's own sheet, or in a last turn the leader's units above the
            target.
        second: int64[N]; the other's sheet, or in a last turn the player's own.
        often: float64[N].
    """

    first: Indices
    second: Indices
    often: Matrix

    def more_often_than(self, rare: float) -> Places:
        """The places that come up more often than that."""
        kept = self.often > rare
        return Places(first=self.first[kept], second=self.second[kept], often=self.often[kept])

    def __len__(self) -> int:
        return len(self.often)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RoundVisits:
    """Where a player is to move in one round, or in all that are not told apart from it.

    Attributes:
        number: of the round, from 1.
        turns: ordinary turns.
        last: last turns, in which the other leads.
    """

    number: int
    turns: Places
    last: Places


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeatVisits:
    """Where the player in one seat is to move.

    Attributes:
        sheets: what the places mean.
        rounds: by round, as far as rounds are told apart.
    """

    sheets: Sheets
    rounds: tuple[RoundVisits, ...]


class VisitLog:
    """Visits as they are met, round after round.

    Args:
        rounds: so many rounds are told apart; later ones count as the last of them.
    """

    def __init__(self, rounds: int) -> None:
        self._rounds = rounds
        self._met: dict[tuple[int, int, bool], list[Places]] = {}

    def turns(self, seat: int, number: int, own: Indices, other: Indices, often: Matrix) -> None:
        """Ordinary turns of a seat, 0 or 1, in a round."""
        self._add((seat, self._told(number), False), own, other, often)

    def last(self, seat: int, number: int, over: Indices, own: Indices, often: Matrix) -> None:
        """Last turns of a seat, 0 or 1, in a round."""
        self._add((seat, self._told(number), True), over, own, often)

    def seats(self, sheets: Sheets) -> tuple[SeatVisits, SeatVisits]:
        """All that was met, in seat 1 and in seat 2."""
        return self._seat(sheets, 0), self._seat(sheets, 1)

    def _told(self, number: int) -> int:
        return min(number, self._rounds)

    def _add(
        self, key: tuple[int, int, bool], first: Indices, second: Indices, often: Matrix
    ) -> None:
        met = self._met.setdefault(key, [])
        met.append(Places(first=first, second=second, often=often))
        if len(met) > 8:
            self._met[key] = [_together(met)]

    def _seat(self, sheets: Sheets, seat: int) -> SeatVisits:
        numbers = sorted({number for at, number, _ in self._met if at == seat})
        return SeatVisits(
            sheets=sheets,
            rounds=tuple(
                RoundVisits(
                    number=number,
                    turns=_together(self._met.get((seat, number, False), [])),
                    last=_together(self._met.get((seat, number, True), [])),
                )
                for number in numbers
            ),
        )


def _together(met: Iterable[Places]) -> Places:
    """The same places added up, in order."""
    parts = list(met)
    none = np.zeros(0, dtype=np.int64)
    both = np.column_stack(
        [
            np.concatenate([none, *(part.first for part in parts)]),
            np.concatenate([none, *(part.second for part in parts)]),
        ]
    )
    places, inverse = np.unique(both, axis=0, return_inverse=True)
    often = np.zeros(len(places))
    np.add.at(often, inverse.reshape(-1), np.concatenate([none, *(part.often for part in parts)]))
    return Places(
        first=np.ascontiguousarray(places[:, 0]),
        second=np.ascontiguousarray(places[:, 1]),
        often=often,
    )

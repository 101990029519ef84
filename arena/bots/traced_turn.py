"""`TracedTurn`: a `Turn` whose numbers write down what a bot learns from them."""

from __future__ import annotations

import random
from typing import Any

from arena.bots.notebook import Notebook, units_of
from arena.bots.observed import Observed
from arena.game.questions import Feature
from arena.game.turn import Turn


class TracedTurn(Turn):
    """One position, shown in observed numbers.

    The roll, its holds and the rules are plain: notes hold for one roll of one ruleset. Seat,
    `last_round` and `open` are plain, too, and noted when they are read, so that `turn.open is
    True` works.

    Args:
        turn: the same in plain integers.
        book: the notebook of the position.
        seats: players in the game.
    """

    __slots__ = ("_book", "_has_rolls", "_minimum", "_seed")

    _book: Notebook
    _seed: int
    _minimum: int | None
    _has_rolls: bool | None
    """What bots ask for with every hold; noted and kept when they first do."""

    def __init__(self, turn: Turn, book: Notebook, seats: int) -> None:
        numbers: list[Any] = [
            Observed(book, weights, 0, value)
            for weights, value in zip(units_of(seats), book.features, strict=True)
        ]
        put = object.__setattr__
        put(self, "_book", book)
        put(self, "_roll", turn._roll)
        put(self, "_rng", None)
        put(self, "_shelf", None)
        put(self, "_seed", turn._rng_seed)
        put(self, "_minimum", None)
        put(self, "_has_rolls", None)
        put(self, "rules", turn.rules)
        put(self, "points", numbers[Feature.POINTS])
        put(self, "rolls", numbers[Feature.ROLLS])
        put(self, "limited_rolls", numbers[Feature.LIMITED_ROLLS])
        put(self, "score", numbers[Feature.SCORE])
        put(self, "round", numbers[Feature.ROUND])
        put(self, "busts", numbers[Feature.BUSTS])
        put(self, "opponents", tuple(numbers[Feature.OPPONENT :]))
        # With one opponent the two are the same number, and one expression makes fewer notes.
        put(self, "to_beat", numbers[Feature.TO_BEAT if seats > 2 else Feature.OPPONENT])

    @property
    def seat(self) -> int:  # type: ignore[override]  # nobody writes it
        """Place in turn order, from 1; noted."""
        return self._book.feature(Feature.SEAT)

    @property
    def last_round(self) -> bool:  # type: ignore[override]  # nobody writes it
        """Whether this is the last turn; noted."""
        return self._book.flag(Feature.LAST_ROUND)

    @property
    def open(self) -> bool:  # type: ignore[override]  # nobody writes it
        """Whether the player has banked once; noted."""
        return self._book.flag(Feature.OPEN)

    @property
    def minimum(self) -> int:
        """What this turn must be worth to be written; `open` is noted where it matters."""
        found = self._minimum
        if found is None:
            found = self.rules.minimum(is_open=True)
            if found != self.rules.minimum(is_open=False):
                found = super().minimum  # else no need to learn whether the player is open
            object.__setattr__(self, "_minimum", found)
        return found

    @property
    def has_rolls(self) -> bool:
        """Whether the limits on rolls leave another one; noted."""
        found = self._has_rolls
        if found is None:
            found = super().has_rolls
            object.__setattr__(self, "_has_rolls", found)
        return found

    @property
    def _rng_seed(self) -> int:  # type: ignore[override]  # nobody writes it
        self._book.repeatable = False
        return self._seed

    @property
    def rng(self) -> random.Random:
        """Random numbers; the answer becomes unrepeatable."""
        self._book.repeatable = False
        return super().rng

    def __reduce_ex__(self, protocol: object) -> Any:
        # What a bot learns from a pickled turn would not be noted; it is asked with plain numbers.
        raise TypeError("a traced turn cannot be pickled")

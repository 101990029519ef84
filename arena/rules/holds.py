"""What can be done with one roll: the legal holds and the decisions they offer.

A hold is a non-empty set of dice of one roll that splits completely into combinations; its points
are the best such split. Holds of one roll with the same points and number of dice are the same
decision and appear once.
"""

from __future__ import annotations

from typing import Final, Literal, NoReturn

Action = Literal["bank", "roll", "reroll"]

REROLL_CODE: Final = 255
"""Code of the decision to roll all dice again and keep nothing."""


class _Frozen:
    """Attributes are set once, in `__init__`, through `object.__setattr__`."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} cannot be changed")


class Decision(_Frozen):
    """What a bot answers: a hold and how to go on, or the free re-roll.

    Made by `hold.bank()`, `hold.roll()` and `turn.reroll()` only.

    Attributes:
        action: `"bank"`, `"roll"` or `"reroll"`.
        hold: the dice set aside; None for a re-roll.
        code: 2 * index of the hold among the holds of its roll, + 1 to roll on; `REROLL_CODE`.
    """

    __slots__ = ("action", "code", "hold")

    action: Action
    hold: Hold | None
    code: int

    def __init__(self, action: Action, hold: Hold | None, code: int) -> None:
        object.__setattr__(self, "action", action)
        object.__setattr__(self, "hold", hold)
        object.__setattr__(self, "code", code)

    def __repr__(self) -> str:
        if self.hold is None:
            return "reroll"
        return f"{self.action} {' '.join(map(str, self.hold.dice))}"


class Hold(_Frozen):
    """Dice set aside from one roll.

    Attributes:
        dice: faces, ascending; one choice among those with equal points and number.
        points: what the best split of the dice is worth.
        dice_left: dice that the next roll would have: all of them after hot dice.
        hot: whether all dice have now scored.
        index: place among the holds of the roll.
    """

    __slots__ = ("_bank", "_roll", "dice", "dice_left", "hot", "index", "points")

    dice: tuple[int, ...]
    points: int
    dice_left: int
    hot: bool
    index: int
    _bank: Decision
    _roll: Decision

    def __init__(
        self, *, dice: tuple[int, ...], points: int, dice_left: int, hot: bool, index: int
    ) -> None:
        object.__setattr__(self, "dice", dice)
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "dice_left", dice_left)
        object.__setattr__(self, "hot", hot)
        object.__setattr__(self, "index", index)
        object.__setattr__(self, "_bank", Decision("bank", self, 2 * index))
        object.__setattr__(self, "_roll", Decision("roll", self, 2 * index + 1))

    def bank(self) -> Decision:
        """Set these dice aside, end the turn and write its points if they reach the minimum.

        Where the ruleset forces a roll (hot dice `must`), the dice are rolled all the same.
        """
        return self._bank

    def roll(self) -> Decision:
        """Set these dice aside and roll `dice_left` dice.

        Where no further roll is possible, the turn ends as if banked.
        """
        return self._roll

    def __repr__(self) -> str:
        return f"Hold({' '.join(map(str, self.dice))} = {self.points}, {self.dice_left} left)"


class Roll(_Frozen):
    """One set of dice on the table and all that the rules say about it.

    Attributes:
        id: place among all rolls of the ruleset, fewest dice first.
        dice: faces, ascending.
        holds: legal holds, most points first, then fewest dice.
        instant_win: whether rolling it wins the game at once.
        goes_on: whether rolling on is allowed after it (`continue_faces`).
    """

    __slots__ = ("dice", "goes_on", "holds", "id", "instant_win")

    id: int
    dice: tuple[int, ...]
    holds: tuple[Hold, ...]
    instant_win: bool
    goes_on: bool

    def __init__(
        self,
        *,
        id: int,  # noqa: A002 - the field's word for it
        dice: tuple[int, ...],
        holds: tuple[Hold, ...],
        instant_win: bool,
        goes_on: bool,
    ) -> None:
        object.__setattr__(self, "id", id)
        object.__setattr__(self, "dice", dice)
        object.__setattr__(self, "holds", holds)
        object.__setattr__(self, "instant_win", instant_win)
        object.__setattr__(self, "goes_on", goes_on)

    @property
    def bust(self) -> bool:
        """Whether the roll scores nothing."""
        return not self.holds

    def __repr__(self) -> str:
        return f"Roll({' '.join(map(str, self.dice))})"


REROLL = Decision("reroll", None, REROLL_CODE)

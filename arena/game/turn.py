"""What a player sees when it must decide, and what it may answer."""

from __future__ import annotations

import random
from typing import NoReturn, Protocol

from arena.errors import UsageError
from arena.game.rng import AddressedRandom, RngShelf
from arena.rules import MAX_ROLLS_PER_TURN, REROLL, Decision, Hold, Roll, Ruleset


class TurnInTheMaking:
    """The fields of a `Turn`, to be filled in; `turn.__class__ = Turn` then makes it one.

    Engines that ask millions of questions make turns in this way, which is several times faster
    than calling `Turn`.
    """

    __slots__ = (
        "_rng",
        "_rng_seed",
        "_roll",
        "_shelf",
        "busts",
        "last_round",
        "limited_rolls",
        "open",
        "opponents",
        "points",
        "rolls",
        "round",
        "rules",
        "score",
        "seat",
        "to_beat",
    )

    rules: Ruleset
    points: int
    rolls: int
    limited_rolls: int
    score: int
    opponents: tuple[int, ...]
    round: int
    seat: int
    last_round: bool
    to_beat: int
    busts: int
    open: bool
    _roll: Roll
    _rng_seed: int
    _rng: random.Random | None
    _shelf: RngShelf | None


class Turn(TurnInTheMaking):
    """One position: a roll that scores, and what is known at the table. It cannot be changed.

    Attributes:
        rules: the ruleset of the game.
        points: gathered in this turn before this roll, not yet written.
        rolls: rolls of this turn, this one included.
        limited_rolls: the same as far as `rules.max_rolls` counts them.
        score: points written so far.
        opponents: scores of the others, in turn order after this player.
        round: round of the game, from 1; each player has one turn in a round.
        seat: place in turn order, from 1.
        last_round: whether somebody has reached the target and this is the last turn.
        to_beat: the highest score of the others.
        busts: busts in a row before this turn.
        open: whether the player has banked once.
    """

    __slots__ = ()

    def __init__(
        self,
        rules: Ruleset,
        roll: Roll,
        *,
        points: int,
        rolls: int,
        limited_rolls: int,
        score: int,
        opponents: tuple[int, ...],
        round: int,  # noqa: A002 - the field's word for it
        seat: int,
        last_round: bool,
        to_beat: int,
        busts: int,
        open: bool,  # noqa: A002 - the field's word for it
        rng_seed: int = 0,
    ) -> None:
        put = object.__setattr__  # what a player sees is not for the player to change
        put(self, "rules", rules)
        put(self, "_roll", roll)
        put(self, "points", points)
        put(self, "rolls", rolls)
        put(self, "limited_rolls", limited_rolls)
        put(self, "score", score)
        put(self, "opponents", opponents)
        put(self, "round", round)
        put(self, "seat", seat)
        put(self, "last_round", last_round)
        put(self, "to_beat", to_beat)
        put(self, "busts", busts)
        put(self, "open", open)
        put(self, "_rng_seed", rng_seed)
        put(self, "_rng", None)
        put(self, "_shelf", None)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Turn cannot be changed; keep {name} in a variable of your own")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a Turn cannot be changed")

    def __copy__(self) -> Turn:
        return self

    def __deepcopy__(self, memo: object) -> Turn:
        return self

    @property
    def dice(self) -> tuple[int, ...]:
        """The faces of this roll, ascending."""
        return self._roll.dice

    @property
    def holds(self) -> tuple[Hold, ...]:
        """The legal holds of this roll, most points first, then fewest dice; never empty."""
        return self._roll.holds

    @property
    def minimum(self) -> int:
        """What this turn must be worth to be written."""
        return self.rules.minimum(is_open=self.open)

    @property
    def can_reroll(self) -> bool:
        """Whether `reroll()` is legal: nothing kept yet, and a roll is left."""
        return self.rules.reroll_all and self._roll.goes_on and not self.points and self.has_rolls

    @property
    def has_rolls(self) -> bool:
        """Whether the limits on rolls leave another one in this turn, hot dice left aside."""
        limit = self.rules.max_rolls
        return self.rolls < MAX_ROLLS_PER_TURN and (not limit or self.limited_rolls < limit)

    @property
    def rng(self) -> random.Random:
        """Random numbers for mixed strategies, seeded from the game's address.

        A bot that reads it is asked anew each time it comes to this position.
        """
        rng = self._rng
        if rng is None:
            shelf, seed = self._shelf, self._rng_seed
            rng = AddressedRandom(seed) if shelf is None else shelf.take(seed)
            object.__setattr__(self, "_rng", rng)
        return rng

    def can_roll(self, hold: Hold) -> bool:
        """Whether there is a further roll after this hold."""
        rules = self.rules
        if not self._roll.goes_on or (hold.hot and rules.hot_dice == "end"):
            return False
        if hold.hot and rules.rolls_reset_on_hot_dice:
            return self.rolls < MAX_ROLLS_PER_TURN
        return self.has_rolls

    def must_roll(self, hold: Hold) -> bool:
        """Whether the rules force a roll after this hold (hot dice `must`)."""
        return hold.hot and self.rules.hot_dice == "must" and self.can_roll(hold)

    def can_bank(self, hold: Hold) -> bool:
        """Whether the turn may end with this hold and its points would be written.

        Banking less than the minimum is legal all the same; it writes nothing.
        """
        return self.points + hold.points >= self.minimum and not self.must_roll(hold)

    def reroll(self) -> Decision:
        """Roll all dice again and keep nothing, where `can_reroll`.

        Raises:
            UsageError: the ruleset or the position does not allow it.
        """
        if not self.can_reroll:
            raise UsageError(
                "turn.reroll() is not possible here: it needs a ruleset with reroll_all, before "
                "anything was kept in the turn; ask turn.can_reroll first"
            )
        return REROLL

    def __repr__(self) -> str:
        return (
            f"Turn(dice={self.dice}, points={self.points!r}, rolls={self.rolls!r}, "
            f"score={self.score!r}, opponents={self.opponents!r}, round={self.round!r}, "
            f"seat={self.seat!r}, last_round={self.last_round!r}, busts={self.busts!r}, "
            f"open={self.open!r})"
        )


class Player(Protocol):
    """Whoever decides: a bot, a person, a script."""

    def decide(self, turn: Turn) -> Decision:
        """What to do with this roll."""

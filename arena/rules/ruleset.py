"""`Ruleset`: one way to play 10,000, as plain values."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, fields
from typing import Literal

HotDice = Literal["may", "must", "end"]
Bust = Literal["forfeit", "keep"]
End = Literal["first_to_target", "last_round"]
Tie = Literal["leader", "draw"]

MAX_ROLLS_PER_TURN = 1000
"""No turn has more rolls than this; the last of them leaves no roll. Keeps every game finite."""

MAX_ROUNDS = 1000
"""A game without a winner after so many rounds ends as if `rounds` were this number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BustPenalty:
    """What a row of busts costs; `after = 0` is no penalty.

    Attributes:
        after: busts in a row that cost a penalty.
        points: taken from the score each time.
        resets: whether the row starts anew after a penalty; otherwise every further bust costs.
        floor: the score is never taken below it; None is no floor.
    """

    after: int = 0
    points: int = 0
    resets: bool = True
    floor: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Combination:
    """Dice that score together.

    Attributes:
        pattern: canonical dice string, for example `"111"` or `"aabbcc"`.
        points: what it is worth; more than zero.
    """

    pattern: str
    points: int


class _Hashed:
    """Room for a hash that is worked out once; it is no field, and is not pickled."""

    __slots__ = ("_hash",)

    _hash: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset(_Hashed):
    """One way to play, complete. Field names are the keys of a ruleset file; see `MEANINGS`.

    Made by `arena.rules.load_ruleset`, which checks every value; making one by hand skips that.

    Attributes:
        name: how the user names it, overrides included (`tienduizend:hot_dice=end`).
        title: one line for people.
        source: where the rules are from and which readings were chosen.
    """

    name: str
    title: str = ""
    source: str = ""
    dice: int = 6
    target: int = 10_000
    opening_minimum: int = 0
    bank_minimum: int = 0
    max_rolls: int = 0
    rolls_reset_on_hot_dice: bool = False
    hot_dice: HotDice = "may"
    bust: Bust = "forfeit"
    reroll_all: bool = False
    continue_faces: tuple[int, ...] = ()
    end: End = "last_round"
    tie: Tie = "leader"
    instant_win: tuple[str, ...] = ()
    rounds: int = 0
    bust_penalty: BustPenalty = field(default_factory=BustPenalty)
    nothing_scores: int = 0
    combinations: tuple[Combination, ...]

    @property
    def key(self) -> str:
        """16 hex digits that are equal exactly for rulesets that play alike (names left out)."""
        rules = asdict(self)
        for text in ("name", "title", "source"):
            del rules[text]
        return hashlib.sha256(json.dumps(rules, sort_keys=True).encode()).hexdigest()[:16]

    def __hash__(self) -> int:
        """Of all fields. Bots that keep what they know by ruleset ask for it at each decision."""
        try:
            return self._hash
        except AttributeError:
            found = hash(tuple(getattr(self, each.name) for each in fields(self)))
            object.__setattr__(self, "_hash", found)
            return found

    def minimum(self, *, is_open: bool) -> int:
        """Points that a turn must be worth to be written, by whether the player is open."""
        return self.bank_minimum if is_open else max(self.bank_minimum, self.opening_minimum)

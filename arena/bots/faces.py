"""Rolls that tell whether a bot looks at faces.

Most bots decide by what each hold is worth and leaves, not by which faces it has. Such a bot has
one answer for all rolls with equal holds, so it need not be asked about each of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.rules import Decision, Hold, Roll


class Eye:
    """Whether a bot has looked at the faces of a roll or of a hold, ever."""

    __slots__ = ("looked",)

    def __init__(self) -> None:
        self.looked = False


class WatchedHold(Hold):
    """A hold that tells when its dice are looked at."""

    __slots__ = ("_eye", "_faces")

    _eye: Eye
    _faces: tuple[int, ...]

    def __init__(self, hold: Hold, eye: Eye) -> None:
        put = object.__setattr__
        for name in ("points", "dice_left", "hot", "index"):
            put(self, name, getattr(hold, name))
        put(self, "_eye", eye)
        put(self, "_faces", hold.dice)
        put(self, "_bank", Decision("bank", self, hold.bank().code))
        put(self, "_roll", Decision("roll", self, hold.roll().code))

    @property
    def dice(self) -> tuple[int, ...]:  # type: ignore[override]  # nobody writes it
        """Faces, ascending; looking is told."""
        self._eye.looked = True
        return self._faces


class WatchedRoll(Roll):
    """A roll that tells when its dice, or those of its holds, are looked at."""

    __slots__ = ("_eye", "_faces")

    _eye: Eye
    _faces: tuple[int, ...]

    def __init__(self, roll: Roll, eye: Eye) -> None:
        put = object.__setattr__
        for name in ("id", "instant_win", "goes_on"):
            put(self, name, getattr(roll, name))
        put(self, "holds", tuple(WatchedHold(hold, eye) for hold in roll.holds))
        put(self, "_eye", eye)
        put(self, "_faces", roll.dice)

    @property
    def dice(self) -> tuple[int, ...]:  # type: ignore[override]  # nobody writes it
        """Faces, ascending; looking is told."""
        self._eye.looked = True
        return self._faces


class WatchedRolls(dict[int, Roll]):
    """The rolls of a ruleset by id, watched; each is made when it is first asked about."""

    def __init__(self, rolls: Sequence[Roll], eye: Eye) -> None:
        super().__init__()
        self._rolls = rolls
        self._eye = eye

    def __missing__(self, number: int) -> Roll:
        roll = self[number] = WatchedRoll(self._rolls[number], self._eye)
        return roll

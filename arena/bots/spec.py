"""`BotSpec`: one bot with its parameters, as plain data that names it everywhere."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from arena.bots.bot import ParameterValue


@dataclass(frozen=True, slots=True, kw_only=True)
class BotSpec:
    """A bot that may play: found, checked, not yet started.

    Attributes:
        name: as the user wrote it: `hold:points=300,dice=0`, or `hold`.
        class_name: the class in the file.
        path: file that defines the class.
        parameters: all parameters with their values, defaults included, in order.
        source_hash: 16 hex digits of the file's content.
        remembers: whether the class keeps notes during a game.
        by_name_only: whether it plays only where it is named, not where all bots do.
        seats: the numbers of players with which it plays; empty for all.
        solved_only: whether it plays only rulesets that `arena solve` has computed.
        summary: first line of its docstring.
    """

    name: str
    class_name: str
    path: str
    parameters: tuple[tuple[str, ParameterValue], ...]
    source_hash: str
    remembers: bool = False
    by_name_only: bool = False
    seats: tuple[int, ...] = ()
    solved_only: bool = False
    summary: str = ""

    def plays(self, seats: int) -> bool:
        """Whether it plays games of so many."""
        return not self.seats or seats in self.seats

    @property
    def key(self) -> str:
        """16 hex digits; equal exactly for bots of equal source and parameters."""
        text = "\x00".join([self.source_hash, self.class_name, repr(self.parameters)])
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def seats_text(seats: Sequence[int]) -> str:
    """Numbers of players in words: `2`, `2 and 4`, `2 to 8`."""
    if len(seats) > 2 and list(seats) == list(range(seats[0], seats[-1] + 1)):
        return f"{seats[0]} to {seats[-1]}"
    return " and ".join(filter(None, [", ".join(map(str, seats[:-1])), str(seats[-1])]))

"""`BotSpec`: one bot with its parameters, as plain data that names it everywhere."""

from __future__ import annotations

import hashlib
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
        summary: first line of its docstring.
    """

    name: str
    class_name: str
    path: str
    parameters: tuple[tuple[str, ParameterValue], ...]
    source_hash: str
    remembers: bool = False
    by_name_only: bool = False
    summary: str = ""

    @property
    def key(self) -> str:
        """16 hex digits; equal exactly for bots of equal source and parameters."""
        text = "\x00".join([self.source_hash, self.class_name, repr(self.parameters)])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

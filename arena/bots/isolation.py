"""How far bots are kept apart from the machine, and from each other.

isolation = choose_isolation()      # strict where bubblewrap works, else limits
isolation.note                      # one line for people, if less than strict was to be had
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, assert_never

from arena.bots.isolation_bwrap import find_sandbox
from arena.bots.isolation_limits import Limits
from arena.bots.isolation_places import drop_to, interpreter, is_root
from arena.errors import UsageError


class Level(StrEnum):
    """How far."""

    STRICT = "strict"
    LIMITS = "limits"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Isolation:
    """A level, with all that a worker needs to start bots under it.

    Attributes:
        level: how far.
        limits: what a bot's process may use; not looked at where the level is `none`.
        sandbox: for `strict`, the words in front of the interpreter's.
        user: user id that a bot's process changes to once it is started; -1 for none.
        hash_seed: of Python's hashes of text in a bot's process; fixed, so that a bot that loops
            over a set of texts plays the same games everywhere.
        note: one line for people where less than `strict` was to be had; else empty.
    """

    level: Level
    limits: Limits = field(default_factory=Limits)
    sandbox: tuple[str, ...] = ()
    user: int = -1
    hash_seed: int = 0
    note: str = ""

    @property
    def limits_text(self) -> str:
        """The limits that are in force and not the usual ones; empty for none."""
        return "" if self.level is Level.NONE else str(self.limits)


TRUST: Final = Isolation(level=Level.NONE)
"""Bots run in this process."""


def choose_isolation(level: Level | None = None, limits: Limits | None = None) -> Isolation:
    """The isolation that is wanted, or the best that is to be had.

    Args:
        level: None for `strict` where bubblewrap works, and `limits` elsewhere.
        limits: None for the usual ones.

    Raises:
        UsageError: `strict` is wanted and cannot be had.
    """
    limits = limits or Limits()
    match level:
        case Level.NONE:
            return Isolation(level=Level.NONE, limits=limits)
        case Level.LIMITS:
            user = drop_to()
            return Isolation(level=Level.LIMITS, limits=limits, user=user, note=_as_root(user))
        case Level.STRICT | None:
            sandbox = find_sandbox()
            if not sandbox.missing:
                return Isolation(
                    level=Level.STRICT, limits=limits, sandbox=sandbox.words, user=sandbox.user
                )
            if level is Level.STRICT:
                raise UsageError(
                    f"--isolation strict is not possible: {sandbox.missing}; {sandbox.remedy}, "
                    "or use --isolation limits"
                )
            user = drop_to()
            seen = (
                f"Bots run with limits, but see files and the network: {sandbox.missing}; "
                f"for strict isolation {sandbox.remedy}."
            )
            return Isolation(
                level=Level.LIMITS,
                limits=limits,
                user=user,
                note=" ".join(filter(None, [seen, _as_root(user)])),
            )
        case _:
            assert_never(level)


def _as_root(user: int) -> str:
    """What people must know where bots run as root because there is no other user for them."""
    if user >= 0 or not is_root():
        return ""
    return (
        f"Bots run as root, and may read and write whatever root may: other users cannot read the "
        f"interpreter ({interpreter()}). Run arena as another user, or use --isolation strict."
    )

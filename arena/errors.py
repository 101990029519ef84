"""The error tree: every mistake a user can make is an `ArenaError`.

A message says what, where, what is allowed and what to do.

Only the command line turns an error into text and an exit code. Any other exception is a bug and
keeps its traceback.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class ArenaError(Exception):
    """Root of all errors that are somebody's mistake rather than a bug."""

    exit_code = 5


class UsageError(ArenaError, ValueError):
    """A command, an argument or a name that does not exist."""

    exit_code = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """One mistake in a file or specification.

    Attributes:
        where: file or specification the mistake stands in.
        key: dotted key, empty when the file as a whole is meant.
        value: the value found, as the user wrote it; empty when there is none.
        allowed: what would have been right, as a phrase that follows a colon.
    """

    where: str
    key: str
    value: str
    allowed: str

    def __str__(self) -> str:
        """One line: where, key = value: what is allowed."""
        found = f"{self.key} = {self.value}" if self.key and self.value else self.key or self.value
        return ": ".join(part for part in (self.where, found, self.allowed) if part)


class MistakesError(ArenaError, ValueError):
    """All mistakes of one file or specification, reported together."""

    exit_code = 3
    what = "mistake"

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        count = len(self.mistakes)
        head = f"{count} {self.what}{'' if count == 1 else 's'}"
        super().__init__("\n".join([f"{head}:", *(f"  {mistake}" for mistake in self.mistakes)]))

    def __reduce__(self) -> tuple[type[MistakesError], tuple[tuple[Mistake, ...]]]:
        return type(self), (self.mistakes,)


class RulesetError(MistakesError):
    """A ruleset file or override that cannot be played."""

    what = "ruleset mistake"


class ConfigError(MistakesError):
    """A tournament file that cannot be run."""

    what = "configuration mistake"


class ResultsError(MistakesError):
    """A table of results that cannot be rated."""

    what = "table mistake"


class TranscriptError(ArenaError, ValueError):
    """A transcript that cannot be read or does not replay."""

    exit_code = 3


class BotError(ArenaError):
    """A bot that cannot be found, loaded or started."""

    exit_code = 2


class CheckError(ArenaError):
    """A bot that is not fit to play; what is wrong with it was told."""

    exit_code = 4


class RunError(ArenaError, RuntimeError):
    """A run that could not finish; what was finished is kept."""


class StoreError(ArenaError, OSError):
    """A result file that cannot be opened, read or written."""


class NoResultsError(StoreError):
    """A result file that is not there, or is something else."""

    exit_code = 3


class ReportError(ArenaError, OSError):
    """A report that cannot be written."""

"""Rounds: matches that are played together, before it is known what comes next.

A tournament is an iterator of rounds. It is asked for the next one when all matches of the last one
are finished, and may look at their results. It looks at nothing but the first blocks of matches, as
many as it asked for itself; so the same tournament takes the same course for any number of workers,
and after a stop it takes it again from the results that are kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from arena.records import MatchStats
from arena.tournament.ledger import Ledger
from arena.tournament.tasks import PlannedMatch


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """Matches that can be played in any order.

    Attributes:
        planned: which, and how far each.
        told: what they are for, in a few words for people; may be empty.
    """

    planned: tuple[PlannedMatch, ...]
    told: str = ""


Rounds = Iterator[Round]


class PrefixLedger(Ledger, Protocol):
    """A ledger that can look back at how a match stood after some of its blocks."""

    def prefix(self, match_id: str, blocks: int) -> MatchStats | None:
        """The sum of as few finished chunks from the first one on as have so many blocks.

        All that there are without a gap where they have fewer; None where the first is missing.
        """

"""Playing where it helps most, until enough is known.

The matches are those of a round-robin or gauntlet. Every round plays a few blocks more; after it
all games of the ruleset are rated together, and the rule says whether they suffice. If not, the
next blocks go where the undecided ranks or the widest intervals gain most. No match gets more than
its largest number of blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, assert_never

import numpy as np

from arena.bots.spec import BotSpec
from arena.records import MatchStats
from arena.tournament.rounds import Round
from arena.tournament.sequential import block_counts
from arena.tournament.stopping import Stopping
from arena.tournament.table import Lineup, Table
from arena.tournament.verdicts import Rated, said_of_ranks, said_of_widths

if TYPE_CHECKING:
    from arena.stats.arrays import Floats, Ints

FIRST_BLOCKS: Final = 16
"""Blocks that every match gets before anything is looked at."""

GROWTH: Final = 8
"""A round plays one in so many of the blocks that there are, or more."""

FEWEST_BLOCKS: Final = 4
"""A round plays as many blocks as so many for every match, at least."""

PIECES: Final = 16
"""The blocks of a round are given to matches in so many pieces."""

UNPLAYED: Final = 0.35
"""Deviation of a block score that is assumed where nothing was played."""


def adaptive(lineups: Sequence[Lineup], table: Table, stopping: Stopping) -> Iterator[Round]:
    """Rounds that end when the rule is met, or when all matches have all their blocks."""
    matches = _Matches(lineups, table)
    yield matches.first_round()
    matches.leave_out_withdrawn()
    while True:
        standing = _standing(matches, stopping)
        following = standing.next_round() if standing is not None and not standing.done else None
        if following is None:
            break
        yield following
    if standing is not None:
        standing.tell()


class _Matches:
    """The matches of one ruleset and how many blocks each was given."""

    def __init__(self, lineups: Sequence[Lineup], table: Table) -> None:
        self.table = table
        self.given = np.zeros(len(lineups), dtype=np.int64)
        self._take(lineups)

    def _take(self, lineups: Sequence[Lineup]) -> None:
        self.lineups = list(lineups)
        self.bots: list[BotSpec] = list(dict.fromkeys(bot for each in lineups for bot in each))
        self._index = {bot.key: number for number, bot in enumerate(self.bots)}

    def leave_out_withdrawn(self) -> None:
        """Go on without bots that were tried in vain: their games tell nothing about the others."""
        out = {bot for each in self.lineups for bot in self.table.withdrawn(each)}
        if out:
            names = ", ".join(bot.name for bot in self.bots if bot in out)
            self.table.tell(f"left out after the first look, since they were withdrawn: {names}")
            kept = [place for place, each in enumerate(self.lineups) if out.isdisjoint(each)]
            self.given = self.given[kept]
            self._take([self.lineups[place] for place in kept])

    def first_round(self) -> Round:
        blocks = min(FIRST_BLOCKS, self.table.blocks)
        return self.round_of(np.full(len(self.lineups), blocks), "first look at everybody")

    def round_of(self, blocks: Ints, told: str) -> Round:
        """So many blocks more for every match, as far as it may have them."""
        more = np.minimum(blocks, self.table.blocks - self.given)
        self.given = self.given + more
        planned = [
            self.table.play_to(self.lineups[place], int(self.given[place]))
            for place in np.nonzero(more)[0]
        ]
        return Round(planned=tuple(planned), told=told)

    @property
    def open(self) -> Ints:
        """Places of the matches that may still get blocks."""
        return np.nonzero(self.given < self.table.blocks)[0]

    @property
    def budget(self) -> int:
        """Blocks of the next round."""
        return max(FEWEST_BLOCKS * len(self.lineups), int(self.given.sum()) // GROWTH)

    def rows(self) -> list[tuple[list[int], MatchStats]]:
        """Bots by number, and results, of all matches that were played."""
        found = []
        for lineup in self.lineups:
            stats = self.table.stands(lineup)
            if stats is not None and stats.blocks:
                found.append((self.numbers(lineup), stats))
        return found

    def numbers(self, lineup: Lineup) -> list[int]:
        return [self._index[bot.key] for bot in lineup]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standing:
    """All games of a ruleset rated together, and what is still to be known.

    Attributes:
        rated: the ratings.
        targets: float64[t, n], contrasts of ratings that are not known well enough.
        wanted: bool[n], bots whose games may help.
        told: what is missing, in a few words.
        said: sentences about the end.
    """

    matches: _Matches
    rated: Rated
    targets: Floats
    wanted: Ints
    told: str
    said: tuple[str, ...]

    @property
    def done(self) -> bool:
        return not len(self.targets)

    def next_round(self) -> Round | None:
        """Blocks where they help most; None where no match may have more."""
        matches = self.matches
        free = matches.open
        if not len(free):
            return None
        blocks = np.zeros(len(matches.lineups), dtype=np.int64)
        pairs = len(matches.lineups[0]) == 2
        blocks[free] = self._for_pairs(free) if pairs else self._for_tables(free)
        if not blocks.any():
            return None
        return matches.round_of(blocks, self.told)

    def _for_pairs(self, free: Ints) -> Ints:
        from arena.stats import allocate, block_deviation

        ends = np.array([self.matches.numbers(self.matches.lineups[place]) for place in free])
        deviation = []
        for place in free:
            stats = self.matches.table.stands(self.matches.lineups[place])
            known = stats is not None and stats.blocks > 0
            deviation.append(block_deviation(block_counts(stats)) if known and stats else UNPLAYED)
        budget = self.matches.budget
        return allocate(
            self.rated,
            self.targets,
            first=ends[:, 0],
            second=ends[:, 1],
            deviation=np.array(deviation),
            blocks=budget,
            piece=max(budget // PIECES, 1),
        ).blocks

    def _for_tables(self, free: Ints) -> Ints:
        """Equal numbers of blocks for all matches with a bot that is not known well enough."""
        wanted = set(self.wanted.tolist())
        helps = [
            not wanted.isdisjoint(self.matches.numbers(self.matches.lineups[place]))
            for place in free
        ]
        each = -(-self.matches.budget // max(sum(helps), 1))
        return np.where(helps, each, 0).astype(np.int64)

    def tell(self) -> None:
        """Add the end to what there is to tell."""
        table, given = self.matches.table, self.matches.given
        most = table.blocks * len(given)
        table.tell(f"stopped after {given.sum():,} of at most {most:,} blocks")
        for sentence in self.said:
            table.tell(sentence)


def _standing(matches: _Matches, stopping: Stopping) -> _Standing | None:
    """Rate what was played; None where there is nothing to rate."""
    rated = _rated(matches)
    if rated is None:
        return None
    if stopping.goal == "half_width":
        return _by_width(matches, rated, stopping.half_width)
    if stopping.goal == "ranks":
        return _by_ranks(matches, rated, stopping)
    if stopping.goal == "sprt":
        raise ValueError("a sequential test of every pair needs no ratings; see pair_tests")
    assert_never(stopping.goal)


def _by_width(matches: _Matches, rated: Rated, half_width: float) -> _Standing:
    from arena.stats import half_width_decision, width_targets

    decision = half_width_decision(rated, half_width=half_width)
    return _Standing(
        matches=matches,
        rated=rated,
        targets=width_targets(decision),
        wanted=decision.wide,
        told=f"widest ±{decision.half_widths.max():.1f} Elo",
        said=said_of_widths(matches.bots, decision, half_width),
    )


def _by_ranks(matches: _Matches, rated: Rated, stopping: Stopping) -> _Standing:
    from arena.stats import rank_decision, rank_targets

    decision = rank_decision(rated, confidence=stopping.ranks, tie=stopping.tie)
    pairs = int(np.triu(decision.open).sum())
    return _Standing(
        matches=matches,
        rated=rated,
        targets=rank_targets(rated, decision),
        wanted=np.nonzero(decision.open.any(1))[0],
        told=f"{pairs} pairs undecided" if pairs != 1 else "1 pair undecided",
        said=said_of_ranks(matches.bots, rated, decision, stopping),
    )


def _rated(matches: _Matches) -> Rated | None:
    from arena.stats import (
        fit_bradley_terry,
        fit_plackett_luce,
        results_from_matches,
        seated_matches,
    )

    rows, bots = matches.rows(), len(matches.bots)
    if not rows:
        return None
    lineups = np.array([numbers for numbers, _ in rows])
    if lineups.shape[1] == 2:
        tables = np.array([stats.pair_table for _, stats in rows])
        return fit_bradley_terry(
            results_from_matches(
                bots=bots, first=lineups[:, 0], second=lineups[:, 1], tables=tables
            )
        )
    return fit_plackett_luce(
        seated_matches(
            bots=bots,
            lineups=lineups,
            blocks=[stats.blocks for _, stats in rows],
            sums=[stats.block_sums / stats.unit for _, stats in rows],
            cross=[stats.block_products / stats.unit**2 for _, stats in rows],
        )
    )

"""Tournaments whose matches end as given strengths say, without playing them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from arena.records import ChunkResult, Match, MatchStats, Trial
from arena.store import Course
from arena.tournament import PlannedMatch, Round, Tournament, read_config
from arena.tournament.ledger import MemoryTrials


def pretended(match: Match, blocks: int, elo: Mapping[str, float]) -> MatchStats:
    """Results of a pair as strengths say; the blocks of the weaker bot are split or lost."""
    first, second = (elo[bot] for bot in match.bots)
    won = round(2 * blocks / (1 + 10 ** ((second - first) / 400)))
    both, split = max(won - blocks, 0), min(won, 2 * blocks - won)
    lost = blocks - both - split
    table = np.zeros((3, 3), dtype=np.int64)
    table[2, 2], table[2, 0], table[0, 0] = both, split, lost
    zero = MatchStats.zero(seats=2, rotations=2)
    unit = zero.unit
    points = np.array([2 * both + split, 2 * lost + split])
    squares = np.array([4 * both + split, 4 * lost + split])
    by_seat = np.array([both + split + lost, both + split + lost])
    products = np.zeros((4, 4), dtype=np.int64)
    products[[0, 1], [0, 1]] = squares * unit**2
    results = np.zeros((2, 2, 3), dtype=np.int64)
    results[0, 0], results[0, 1] = (lost, 0, both + split), (both + split, 0, lost)
    results[1, 0], results[1, 1] = (lost + split, 0, both), (both, 0, lost + split)
    return replace(
        zero,
        blocks=blocks,
        pair_table=table,
        results=results,
        block_sums=np.concatenate([points, by_seat]) * unit,
        block_products=products,
    )


@dataclass
class Pretender(MemoryTrials):
    """A ledger that holds what would have been played.

    Attributes:
        missing: matches that could not be played.
        out: bots that are withdrawn.
    """

    elo: Mapping[str, float]
    missing: frozenset[frozenset[str]] = frozenset()
    out: frozenset[str] = frozenset()
    played: dict[str, MatchStats] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__()

    def play(self, planned: PlannedMatch) -> None:
        for place, bot in enumerate(planned.match.bots):
            if bot in self.out:
                self.add_trial(Trial(id=planned.match.alone(place).id, withdrawn="it hung"))
        if frozenset(planned.match.bots) not in self.missing:
            stats = pretended(planned.match, planned.blocks, self.elo)
            self.played[planned.match.id] = stats

    def prefix(self, match_id: str, blocks: int) -> MatchStats | None:
        return self.played.get(match_id)

    def stats(self, match_id: str) -> MatchStats | None:
        return self.played.get(match_id)

    def finished(self, match_id: str) -> list[tuple[int, int]]:
        known = self.played.get(match_id)
        return [(0, known.blocks)] if known else []

    def add_chunk(self, result: ChunkResult) -> bool:
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A tournament that was held."""

    rounds: list[Round]
    courses: tuple[Course, ...]

    @property
    def lines(self) -> list[str]:
        """What is told of the first ruleset."""
        return list(self.courses[0].lines)

    def pairs(self, rules: str = "tienduizend") -> list[list[frozenset[str]]]:
        """Who met whom, round by round."""
        return [
            [frozenset(each.match.bots) for each in part.planned if each.match.rules == rules]
            for part in self.rounds
        ]


def hold(folder: Path, text: str, ledger: Pretender) -> Held:
    """Hold the tournament of a configuration."""
    file = folder / "cup.toml"
    file.write_text(text.replace("'", '"'))
    tournament = Tournament(read_config(file), ledger)
    rounds = []
    for each in tournament.rounds():
        rounds.append(each)
        for planned in each.planned:
            ledger.play(planned)
        assert len(rounds) < 500, "this tournament does not end"
    return Held(rounds=rounds, courses=tournament.courses)


def field_of(count: int) -> list[str]:
    """So many bots that differ."""
    return [f"hold:points={300 + 10 * number}" for number in range(count)]


def strengths(bots: list[str], step: float = 30.0) -> dict[str, float]:
    """Each weaker than the one before."""
    return {bot: -step * place for place, bot in enumerate(bots)}

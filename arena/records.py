"""The records that travel between rooms: matches, chunks of work, results that add, faults."""

from __future__ import annotations

import hashlib
import shlex
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from math import lcm
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.game import match_key
from arena.game.counts import ROUND_BINS, SCORE_BINS, TURN_BINS, Counts

ENGINE_VERSION: Final = 1
"""Raised whenever equal input would give other results; old results are then not reused."""


def _hash(*parts: object) -> str:
    text = "\x00".join(map(str, parts))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A set of bots on one ruleset, to be played in blocks on the same dice.

    Attributes:
        rules: ruleset specification, for people and for loading.
        rules_key: `Ruleset.key`.
        bots: names by place, 2 to 8; with `fixed_seats` the place is the seat.
        bot_keys: content keys of the bots (source and parameters), by place.
        seed: the user's seed.
        fixed_seats: whether the order is kept; otherwise every block has all rotations.
        engine: `ENGINE_VERSION`.
        limits: of the bots' processes, where they are not the usual ones, as text; they decide what
            a faulty bot comes to, but not which dice are thrown.
    """

    rules: str
    rules_key: str
    bots: tuple[str, ...]
    bot_keys: tuple[str, ...]
    seed: int
    fixed_seats: bool = False
    engine: int = ENGINE_VERSION
    limits: str = ""

    @property
    def id(self) -> str:
        """16 hex digits; equal exactly for matches that give equal results."""
        return _hash(self._game_id, self.limits) if self.limits else self._game_id

    @property
    def dice_key(self) -> int:
        """Key of the dice; depends on all that the id depends on, but for the limits."""
        return match_key(self.seed, self._game_id)

    @property
    def _game_id(self) -> str:
        """16 hex digits of what honest bots play."""
        order = "fixed" if self.fixed_seats else "rotated"
        return _hash(self.rules_key, *self.bot_keys, order, self.seed, self.engine)

    @property
    def seats(self) -> int:
        """Players in a game."""
        return len(self.bots)

    @property
    def rotations(self) -> int:
        """Games in a block."""
        return 1 if self.fixed_seats else self.seats

    def alone(self, place: int) -> Match:
        """The games of the bot at that place with itself in every seat, in which it is tried."""
        return replace(
            self,
            bots=(self.bots[place],) * self.seats,
            bot_keys=(self.bot_keys[place],) * self.seats,
            fixed_seats=True,  # rotations of equal bots are the same game
        )

    @property
    def trial_ids(self) -> tuple[str, ...]:
        """Ids of the games in which its bots are tried, by place."""
        return tuple(self.alone(place).id for place in range(self.seats))

    def replay_command(self, block: int, rotation: int) -> str:
        """The command line that prints one of its games."""
        words = ["arena", "replay", *self.bots, "--rules", self.rules, "--seed", str(self.seed)]
        words += ["--block", str(block)]
        words += ["--fixed-seats"] if self.fixed_seats else ["--rotation", str(rotation)]
        for limit in self.limits.split(", ") if self.limits else ():
            words += ["--limit", limit.replace(" ", "")]
        return shlex.join(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A run of blocks of one match, the unit of work.

    Attributes:
        first_block: number of the first block, from 0.
        blocks: how many.
    """

    match: Match
    first_block: int
    blocks: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MatchStats:
    """Results of many blocks of one match; they add. S seats, K rotations.

    Block scores are in units: a win is `unit` = lcm(1..S), a draw between k is unit / k. The block
    vector has the scores of the S bots by place, then of the S seats.

    Attributes:
        blocks: blocks played.
        results: int64[K, S, 3], losses, draws and wins by rotation and place of the bot.
        pair_table: int64[3, 3], for two bots in rotation: blocks by the result (0 loss, 1 draw,
            2 win) of the first bot when it sits in seat 1, and when it sits in seat 2; else 0.
        block_sums: int64[2S], sum of the block vectors, in units.
        block_products: int64[2S, 2S], sum of their outer products, in units squared.
        turns, rolls, busts, written, decisions, forfeits: int64[S], see `Counts`.
        turn_points: int64[S, TURN_BINS]; final_scores: int64[S, SCORE_BINS];
        rounds: int64[ROUND_BINS], see `Counts`.
        questions: int64[S], how often the bot was really asked; depends on the machine.
    """

    blocks: int
    results: NDArray[np.int64]
    pair_table: NDArray[np.int64]
    block_sums: NDArray[np.int64]
    block_products: NDArray[np.int64]
    turns: NDArray[np.int64]
    rolls: NDArray[np.int64]
    busts: NDArray[np.int64]
    written: NDArray[np.int64]
    decisions: NDArray[np.int64]
    forfeits: NDArray[np.int64]
    turn_points: NDArray[np.int64]
    final_scores: NDArray[np.int64]
    rounds: NDArray[np.int64]
    questions: NDArray[np.int64]

    def __add__(self, other: MatchStats) -> MatchStats:
        if self.results.shape != other.results.shape:
            raise ValueError("statistics of matches of different shape do not add")
        sums = {f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)}
        return MatchStats(**sums)

    @property
    def seats(self) -> int:
        """S, bots in the match."""
        return int(self.results.shape[1])

    @property
    def rotations(self) -> int:
        """K, games in a block."""
        return int(self.results.shape[0])

    @property
    def games(self) -> int:
        """Games played."""
        return self.blocks * self.rotations

    @property
    def unit(self) -> int:
        """Block score of one win."""
        return score_unit(self.seats)

    @property
    def digest(self) -> str:
        """64 hex digits of all results; equal for equal input on any machine."""
        digest = hashlib.sha256(str(self.blocks).encode())
        for each in fields(self):
            if each.name not in ("blocks", "questions"):
                array = np.ascontiguousarray(getattr(self, each.name), dtype="<i8")
                digest.update(each.name.encode() + array.tobytes())
        return digest.hexdigest()

    @classmethod
    def zero(cls, *, seats: int, rotations: int) -> MatchStats:
        """Nothing played yet."""
        shapes: dict[str, tuple[int, ...]] = {
            "results": (rotations, seats, 3),
            "pair_table": (3, 3),
            "block_sums": (2 * seats,),
            "block_products": (2 * seats, 2 * seats),
            "turn_points": (seats, TURN_BINS),
            "final_scores": (seats, SCORE_BINS),
            "rounds": (ROUND_BINS,),
        }
        names = [f.name for f in fields(cls) if f.name != "blocks"]
        arrays = {n: np.zeros(shapes.get(n, (seats,)), dtype=np.int64) for n in names}
        return cls(blocks=0, **arrays)

    @classmethod
    def from_counts(cls, counts: Counts, questions: NDArray[np.int64]) -> MatchStats:
        """The statistics of what an engine counted."""
        blocks, rotations = counts.winners.shape
        seats = len(counts.turns)
        results, scores = _results(counts.winners, seats)
        vectors = _block_vectors(scores)
        pair_table = np.zeros((3, 3), dtype=np.int64)
        if seats == rotations == 2:
            first = results[:, :, 0]
            pair_table = np.bincount(first[:, 0] * 3 + first[:, 1], minlength=9).reshape(3, 3)
        outcome = np.arange(3)
        return cls(
            blocks=blocks,
            results=(results[..., None] == outcome).sum(axis=0, dtype=np.int64),
            pair_table=pair_table.astype(np.int64),
            block_sums=vectors.sum(axis=0),
            block_products=vectors.T @ vectors,
            turns=counts.turns,
            rolls=counts.rolls,
            busts=counts.busts,
            written=counts.written,
            decisions=counts.decisions,
            forfeits=counts.forfeits,
            turn_points=counts.turn_points,
            final_scores=counts.final_scores,
            rounds=counts.rounds,
            questions=questions,
        )


def score_unit(seats: int) -> int:
    """Units in which a win and every share of a draw are whole numbers."""
    return lcm(*range(1, seats + 1))


def seat_of(place: int, rotation: int, seats: int) -> int:
    """Seat, from 0, of the bot at that place of the match in that rotation."""
    return (place - rotation) % seats


def _results(winners: NDArray[np.uint8], seats: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Results and scores in units, both int64[B, K, S] by place, of winner masks [B, K]."""
    rotations = winners.shape[1]
    seat = np.array([[seat_of(b, k, seats) for b in range(seats)] for k in range(rotations)])
    won = (winners[:, :, None] >> seat.astype(np.uint8)) & 1
    count = won.sum(axis=2, dtype=np.int64)[:, :, None]
    alone = np.where(count == 1, 2, 1)
    return won * alone, won * (score_unit(seats) // np.maximum(count, 1))


def _block_vectors(scores: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64[B, 2S]: scores of each bot, then of each seat, of every block."""
    _, rotations, seats = scores.shape
    by_seat = np.zeros((len(scores), seats), dtype=np.int64)
    for rotation in range(rotations):
        for place in range(seats):
            by_seat[:, seat_of(place, rotation, seats)] += scores[:, rotation, place]
    return np.concatenate([scores.sum(axis=1), by_seat], axis=1)


class FaultKind(StrEnum):
    """What a bot did wrong."""

    LOAD = "load error"
    EXCEPTION = "exception"
    ILLEGAL = "illegal decision"
    WRONG_TYPE = "wrong type"
    TIMEOUT = "time-out"
    MEMORY = "memory"
    CRASH = "crash"
    DIED = "silent death"
    OUTPUT = "flood of output"
    UNREPEATABLE = "unrepeatable"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault of a bot, with all that its author needs.

    Attributes:
        bot: its name.
        kind: what kind of fault.
        message: one line that the author understands.
        traceback: cut to the author's own lines; may be empty.
        output: the last that the bot printed; may be empty.
        position: what it was asked and what it could have answered, as lines of text; may be empty.
        block: block of the match, from 0; -1 where no game is meant.
        rotation: rotation within the block.
        forfeits: whether a game was lost by it.
    """

    bot: str
    kind: FaultKind
    message: str
    traceback: str = ""
    output: str = ""
    position: str = ""
    block: int = -1
    rotation: int = 0
    forfeits: bool = True

    @property
    def is_mark(self) -> bool:
        """Whether it says something about the bot rather than about a game."""
        return self.block < 0 or self.kind is FaultKind.WITHDRAWN


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What came of trying a bot before it plays on a ruleset.

    Attributes:
        id: `Match.id` of `Match.alone`, the games in which it was tried.
        withdrawn: why it forfeits all its games there, as half a sentence; empty if it plays.
        faults: for which it was withdrawn, the first of each kind; they belong to no game of a
            match.
    """

    id: str
    withdrawn: str = ""
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ChunkResult:
    """What a worker gives back for one chunk.

    Attributes:
        faults: the first ones of the chunk; `stats.forfeits` counts all.
        trials: of bots that had not been tried yet.
        seconds: time the worker spent on it.
        worker: its process id.
    """

    chunk: Chunk
    stats: MatchStats
    faults: tuple[Fault, ...] = field(default=())
    trials: tuple[Trial, ...] = ()
    seconds: float = 0.0
    worker: int = 0

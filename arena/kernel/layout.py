"""How the kernel lays out rules, trees, games and counts in memory.

Points are kept in *units*: the greatest common divisor of all points that the ruleset can give or
take, 50 in most rulesets, so that the numbers which index tables are small. A *leaf* is what is to
be done at a position, in one 32-bit word; an *entry* is the root of the decision tree of one roll.

Leaf: bits 0 to 3 the kind, bits 4 to 6 the dice that the next roll would have, bits 7 to 31 the
points of the hold in units. A leaf of kind TREE holds the index of a node in bits 4 to 31 instead.

Entry: four words: t, leaf for turn points below t, leaf from t on, and one that is not used. The
commonest tree, one inequality on the turn points, needs nothing else.
"""

from __future__ import annotations

from math import gcd
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.game.dice import OUTCOMES, REJECTED
from arena.game.questions import Feature, feature_count
from arena.rules import MAX_ROLLS_PER_TURN, MAX_ROUNDS, REROLL_CODE, RuleTables

ROLL: Final = 0  # keep the hold and roll on, or end the turn where no roll is left
BANK: Final = 1  # keep the hold and end the turn
REROLL: Final = 2  # keep nothing and roll all dice
BUST: Final = 3  # the roll scores nothing
NOTHING: Final = 4  # the roll scores nothing, which is worth points in this ruleset
WIN: Final = 5  # the roll wins the game
FAULT: Final = 6  # the bot gave no decision: it forfeits
TREE: Final = 7  # go on in the tree
UNKNOWN: Final = 8  # the bot has to be asked, and its answer may be remembered
ALWAYS: Final = 9  # the bot has to be asked each time

KIND_BITS: Final = 4
DICE_SHIFT: Final = 4
GAIN_SHIFT: Final = 7
MAX_GAIN: Final = (1 << (32 - GAIN_SHIFT)) - 1
ENTRY_WORDS: Final = 4
STATES: Final = 4
"""Trees of a bot for each roll: by whether it is open (1) and whether it is the last round (2)."""

MAX_SEATS: Final = 8


class Rules(NamedTuple):
    """A ruleset as the compiled code sees it; points in units, arrays by number of dice.

    Attributes:
        roll_of: uint16, see `RuleTables`.
        first, outcomes, rejected: uint64[7], see `RuleTables.first` and `arena.game.dice`.
        rolls: R, number of rolls.
        limit: rolls that count in a turn.
        minimum_closed, minimum_open: what a turn must be worth to be written.
    """

    roll_of: NDArray[np.uint16]
    first: NDArray[np.uint64]
    outcomes: NDArray[np.uint64]
    rejected: NDArray[np.uint64]
    rolls: int
    unit: int
    dice: int
    target: int
    target_points: int
    minimum_closed: int
    minimum_open: int
    limit: int
    resets: bool
    keeps: bool
    first_to_target: bool
    tie_leader: bool
    max_rounds: int
    penalty_after: int
    penalty_points: int
    penalty_resets: bool
    floor: int
    nothing: int


def rules_struct(tables: RuleTables) -> Rules:
    """The compiled code's view of a ruleset.

    Raises:
        OverflowError: points too large for a leaf; the referee can still play such a ruleset.
    """
    rules = tables.ruleset
    penalty = rules.bust_penalty
    unit = point_unit(tables)
    if max([rules.nothing_scores, *tables.hold_points.tolist()]) // unit > MAX_GAIN:
        raise OverflowError(f"the points of {rules.name} are too large for the kernel")
    lowest = -(1 << 40)
    return Rules(
        roll_of=tables.roll_of,
        first=_by_dice(tables.first[: rules.dice + 1]),
        outcomes=_by_dice(OUTCOMES),
        rejected=_by_dice(REJECTED),
        rolls=len(tables.rolls),
        unit=unit,
        dice=rules.dice,
        target=-(-rules.target // unit),
        target_points=rules.target,
        minimum_closed=-(-rules.minimum(is_open=False) // unit),
        minimum_open=-(-rules.minimum(is_open=True) // unit),
        limit=rules.max_rolls or MAX_ROLLS_PER_TURN,
        resets=rules.rolls_reset_on_hot_dice and rules.max_rolls > 0,
        keeps=rules.bust == "keep",
        first_to_target=rules.end == "first_to_target",
        tie_leader=rules.tie == "leader",
        max_rounds=rules.rounds or MAX_ROUNDS,
        penalty_after=penalty.after,
        penalty_points=penalty.points // unit,
        penalty_resets=penalty.resets,
        floor=lowest if penalty.floor is None else penalty.floor // unit,
        nothing=rules.nothing_scores // unit,
    )


def point_unit(tables: RuleTables) -> int:
    """The greatest common divisor of all points that the ruleset can give or take."""
    rules = tables.ruleset
    penalty = rules.bust_penalty
    return gcd(
        *tables.hold_points.tolist(), rules.nothing_scores, penalty.points, penalty.floor or 0
    )


def feature_units(unit: int, seats: int) -> NDArray[np.int64]:
    """int64[F]: what one step of each feature is worth in points or counts."""
    units = np.ones(feature_count(seats), dtype=np.int64)
    units[[Feature.POINTS, Feature.SCORE, Feature.TO_BEAT]] = unit
    units[Feature.OPPONENT :] = unit
    return units


def fixed_leaf(tables: RuleTables, roll_id: int) -> int:
    """The leaf of a roll that no bot is asked about; UNKNOWN for the others."""
    roll = tables.rolls[roll_id]
    rules = tables.ruleset
    if roll.instant_win:
        return WIN
    if roll.holds:
        return UNKNOWN
    nothing = rules.nothing_scores > 0 and len(roll.dice) == rules.dice
    return NOTHING if nothing else BUST


def decision_leaves(tables: RuleTables, unit: int) -> NDArray[np.uint32]:
    """uint32[2H + 1]: the leaf of hold h, banked at 2h and rolled at 2h + 1; last the re-roll.

    Where the rules leave one way only, both leaves are that way.
    """
    rules = tables.ruleset
    leaves = np.empty(2 * len(tables.hold_points) + 1, dtype=np.uint32)
    leaves[-1] = REROLL
    for roll in tables.rolls:
        for hold in roll.holds:
            index = int(tables.hold_first[roll.id]) + hold.index
            body = (hold.points // unit) << GAIN_SHIFT | hold.dice_left << DICE_SHIFT
            stops = not roll.goes_on or (hold.hot and rules.hot_dice == "end")
            must = hold.hot and rules.hot_dice == "must" and not stops
            leaves[2 * index] = body | (ROLL if must else BANK)
            leaves[2 * index + 1] = body | (BANK if stops else ROLL)
    return leaves


def leaf_index(tables: RuleTables, roll_id: int, code: int) -> int:
    """Where `decision_leaves` has the leaf of a decision."""
    return -1 if code == REROLL_CODE else 2 * int(tables.hold_first[roll_id]) + code


def _by_dice(values: Any) -> NDArray[np.uint64]:
    padded = [int(value) for value in values]
    return np.array(padded + [0] * (7 - len(padded)), dtype=np.uint64)


class Games(NamedTuple):
    """The games in progress, one slot each; W slots.

    Attributes:
        game: int64[W], number of the game in the run: block * rotations + rotation.
        word, rng_word: uint64[W], words of the block for dice and for `turn.rng`.
        scores, is_open, busts: int64[W, 8], by seat.
        seat, round, leader: int64[W], whose turn it is, the round from 1, who reached the target
            first (-1 nobody); seats from 0.
        points, rolls, limited, roll: int64[W], of the turn in progress, and the roll that waits.
        asked: int64[W], bit s: the bot in seat s was asked in this game before.
        leaf: uint32[W], the answer to the waiting position; UNKNOWN: look into the tree.
    """

    game: NDArray[np.int64]
    word: NDArray[np.uint64]
    rng_word: NDArray[np.uint64]
    scores: NDArray[np.int64]
    is_open: NDArray[np.int64]
    busts: NDArray[np.int64]
    seat: NDArray[np.int64]
    round: NDArray[np.int64]
    leader: NDArray[np.int64]
    points: NDArray[np.int64]
    rolls: NDArray[np.int64]
    limited: NDArray[np.int64]
    roll: NDArray[np.int64]
    asked: NDArray[np.int64]
    leaf: NDArray[np.uint32]


def new_games(slots: int) -> Games:
    """Empty slots."""

    def row(dtype: type = np.int64) -> NDArray[Any]:
        return np.zeros(slots, dtype=dtype)

    def by_seat() -> NDArray[np.int64]:
        return np.zeros((slots, MAX_SEATS), dtype=np.int64)

    return Games(
        game=row(),
        word=row(np.uint64),
        rng_word=row(np.uint64),
        scores=by_seat(),
        is_open=by_seat(),
        busts=by_seat(),
        seat=row(),
        round=row(),
        leader=row(),
        points=row(),
        rolls=row(),
        limited=row(),
        roll=row(),
        asked=row(),
        leaf=row(np.uint32),
    )


class Lineup(NamedTuple):
    """Who plays and what is counted; places and seats from 0.

    Attributes:
        seats, rotations: S and K.
        tree: int64[S], number of the tree set of the bot at each place.
        features: F.
    """

    seats: int
    rotations: int
    tree: NDArray[np.int64]
    features: int


class Tallies(NamedTuple):
    """The arrays of `Counts` that the kernel fills; winners flat, by game."""

    winners: NDArray[np.uint8]
    turns: NDArray[np.int64]
    rolls: NDArray[np.int64]
    busts: NDArray[np.int64]
    written: NDArray[np.int64]
    decisions: NDArray[np.int64]
    forfeits: NDArray[np.int64]
    turn_points: NDArray[np.int64]
    final_scores: NDArray[np.int64]
    rounds: NDArray[np.int64]

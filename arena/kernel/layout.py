"""How the kernel lays out rules, trees, games and counts in memory.

Everything lies in a few flat arrays that are indexed by unsigned words: each array more that the
inner loop must hold costs a register, each signed index a test for a negative one (measured: 2.2
times the time with one array for each column).

Points are kept in *units*: the greatest common divisor of all points that the ruleset can give or
take, 50 in most rulesets, so that the numbers which index tables are small. Seats, places and slots
count from 0, rounds and rolls from 1.
"""

from __future__ import annotations

from enum import IntEnum
from math import gcd
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.game.counts import SCORE_BINS, TURN_BINS, Counts
from arena.game.dice import OUTCOMES, REJECTED
from arena.game.questions import Feature, feature_count
from arena.rules import MAX_ROLLS_PER_TURN, MAX_ROUNDS, REROLL_CODE, RuleTables

MAX_SEATS: Final = 8

# --- Leaves and entries -------------------------------------------------------------------------
# A leaf is what is to be done at a position, in one 32-bit word: bits 0 to 3 the kind, bits 4 to 6
# the dice that the next roll would have, bits 7 to 31 the points of the hold in units. A leaf of
# kind TREE holds the index of a node in bits 4 to 31 instead.
#
# An entry is the root of the tree of one roll, in four 32-bit words: t, the leaf for turn points
# below t, the leaf from t on, and one that is not used. The commonest tree, one inequality on the
# turn points, needs nothing else.

ROLL: Final = 0  # keep the hold and roll on, or end the turn where no roll is left
BANK: Final = 1  # keep the hold and end the turn
ROLL_ANEW: Final = 2  # like ROLL, and the count of rolls starts anew
REROLL: Final = 3  # keep nothing and roll all dice
BUST: Final = 4  # the roll scores nothing
NOTHING: Final = 5  # the roll scores nothing, which is worth points in this ruleset
WIN: Final = 6  # the roll wins the game
FAULT: Final = 7  # the bot gave no decision: it forfeits
TREE: Final = 8  # go on in the tree
UNKNOWN: Final = 9  # the bot has to be asked, and its answer may be remembered
ALWAYS: Final = 10  # the bot has to be asked each time

KIND_BITS: Final = 4
KIND_MASK: Final = (1 << KIND_BITS) - 1
DICE_SHIFT: Final = 4
GAIN_SHIFT: Final = 7
MAX_GAIN: Final = (1 << (32 - GAIN_SHIFT)) - 1
ENTRY_WORDS: Final = 4
HEAD: Final = 4
"""Words of a node of a tree before its terms, see `trees`."""

# What stays the same throughout a turn is looked at once, when the turn begins: whether the bot is
# open (bit 0), whether it is the last round (bit 1), and up to PREDICATES inequalities that the bot
# was seen to ask about (bits 2 and up). Their outcomes make the *state* of the turn; each bot has
# a tree for each state and roll: its *tree set*, states by rolls.
OPEN_BIT: Final = 1
LAST_ROUND_BIT: Final = 2
PREDICATES: Final = 5
PREDICATE_SHIFT: Final = 2
PREDICATE_TERMS: Final = 3
PREDICATE_WORDS: Final = 8
"""Words of a predicate: threshold, then feature and weight of its terms (weight 0: none)."""
PREDICATE_SET: Final = PREDICATE_WORDS * (PREDICATES + 1)
"""Words of the predicates of a bot: their number in the first, they follow from PREDICATE_WORDS."""


# --- Rules --------------------------------------------------------------------------------------
class Number(IntEnum):
    """Places in `Rules.numbers`; points in units."""

    ROLLS = 0  # R, rolls of the ruleset
    UNIT = 1  # points of one unit
    DICE = 2
    TARGET = 3
    TARGET_POINTS = 4  # not in units
    MINIMUM_CLOSED = 5
    MINIMUM_OPEN = 6
    LIMIT = 7  # rolls that count in a turn
    KEEPS = 8  # whether a bust keeps the points
    FIRST_TO_TARGET = 9
    TIE_LEADER = 10
    MAX_ROUNDS = 11
    PENALTY_AFTER = 12
    PENALTY_POINTS = 13
    PENALTY_RESETS = 14
    FLOOR = 15
    NOTHING = 16


class Rules(NamedTuple):
    """A ruleset as the compiled code sees it.

    Attributes:
        roll_of: uint16, `RuleTables.roll_of`, then the same with classes in place of rolls.
        by_dice: uint64[7 * 4], for each number of dice: where its outcomes begin in `roll_of`,
            6**dice, and the lower halves that are rejected (see `arena.game.dice`).
        numbers: int64, see `Number`.
    """

    roll_of: NDArray[np.uint16]
    by_dice: NDArray[np.uint64]
    numbers: NDArray[np.int64]


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
    by_dice = np.zeros((7, 4), dtype=np.uint64)
    for dice in range(1, rules.dice + 1):
        by_dice[dice, :3] = tables.first[dice], OUTCOMES[dice], REJECTED[dice]
    values = {
        Number.ROLLS: len(tables.rolls),
        Number.UNIT: unit,
        Number.DICE: rules.dice,
        Number.TARGET: -(-rules.target // unit),
        Number.TARGET_POINTS: rules.target,
        Number.MINIMUM_CLOSED: max(1, -(-rules.minimum(is_open=False) // unit)),
        Number.MINIMUM_OPEN: max(1, -(-rules.minimum(is_open=True) // unit)),
        Number.LIMIT: rules.max_rolls or MAX_ROLLS_PER_TURN,
        Number.KEEPS: rules.bust == "keep",
        Number.FIRST_TO_TARGET: rules.end == "first_to_target",
        Number.TIE_LEADER: rules.tie == "leader",
        Number.MAX_ROUNDS: rules.rounds or MAX_ROUNDS,
        Number.PENALTY_AFTER: penalty.after,
        Number.PENALTY_POINTS: penalty.points // unit,
        Number.PENALTY_RESETS: penalty.resets,
        Number.FLOOR: -(1 << 40) if penalty.floor is None else penalty.floor // unit,
        Number.NOTHING: rules.nothing_scores // unit,
    }
    return Rules(
        roll_of=np.concatenate([tables.roll_of, roll_classes(tables)[tables.roll_of]]),
        by_dice=by_dice.reshape(-1),
        numbers=np.array([values[number] for number in Number], dtype=np.int64),
    )


def roll_classes(tables: RuleTables) -> NDArray[np.uint16]:
    """uint16[R]: the class of each roll.

    Rolls of a class have equally many dice and the same holds but for the faces. A bot that does
    not look at faces has one answer for all of them; most bots do not, and then have to be asked a
    quarter of the questions.
    """
    classes: dict[tuple[object, ...], int] = {}
    found = []
    for roll in tables.rolls:
        holds = tuple((hold.points, hold.dice_left) for hold in roll.holds)
        signature = (len(roll.dice), roll.instant_win, roll.goes_on, holds)
        found.append(classes.setdefault(signature, len(classes)))
    return np.array(found, dtype=np.uint16)


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


def fixed_leaves(tables: RuleTables) -> NDArray[np.uint32]:
    """uint32[R]: the leaf of every roll that no bot is asked about; UNKNOWN for the others."""
    rules = tables.ruleset
    leaves = np.full(len(tables.rolls), UNKNOWN, dtype=np.uint32)
    for roll in tables.rolls:
        nothing = rules.nothing_scores > 0 and len(roll.dice) == rules.dice
        if roll.instant_win:
            leaves[roll.id] = WIN
        elif roll.bust:
            leaves[roll.id] = NOTHING if nothing else BUST
    return leaves


def decision_leaves(tables: RuleTables, unit: int) -> NDArray[np.uint32]:
    """uint32[2H + 2]: the leaf of hold h, banked at 2h and rolled at 2h + 1; the re-roll, a fault.

    Where the rules leave one way only, both leaves of a hold are that way.
    """
    rules = tables.ruleset
    leaves = np.empty(2 * len(tables.hold_points) + 2, dtype=np.uint32)
    leaves[-2:] = REROLL, FAULT
    for roll in tables.rolls:
        for hold in roll.holds:
            at = 2 * (int(tables.hold_first[roll.id]) + hold.index)
            body = (hold.points // unit) << GAIN_SHIFT | hold.dice_left << DICE_SHIFT
            anew = hold.hot and rules.rolls_reset_on_hot_dice and rules.max_rolls
            roll_on = ROLL_ANEW if anew else ROLL
            stops = not roll.goes_on or (hold.hot and rules.hot_dice == "end")
            must = hold.hot and rules.hot_dice == "must" and not stops
            leaves[at] = body | (roll_on if must else BANK)
            leaves[at + 1] = body | (BANK if stops else roll_on)
    return leaves


def leaves_of(
    leaves: NDArray[np.uint32],
    hold_first: NDArray[np.int64],
    rolls: NDArray[np.int64],
    codes: NDArray[np.int64],
) -> NDArray[np.uint32]:
    """uint32[N]: the leaves of decisions, codes as in `Answers`, from `decision_leaves`."""
    index = 2 * hold_first[rolls] + codes
    index[codes == REROLL_CODE] = len(leaves) - 2
    index[codes < 0] = len(leaves) - 1
    found: NDArray[np.uint32] = leaves[index]
    return found


# --- Games in progress --------------------------------------------------------------------------
class Cell(IntEnum):
    """Columns of a game in progress; SCORE, OPEN and BUSTS have one column for each seat.

    LIMITED counts the rolls against the limit, ASKED has a bit for each seat that was asked in this
    game before, LEAF is the answer to the position that waits (UNKNOWN: look into the tree).
    """

    GAME = 0  # number in the run: block * rotations + rotation
    SEAT = 1
    ROUND = 2
    LEADER = 3  # seat that reached the target first, -1 for none
    POINTS = 4
    ROLLS = 5
    LIMITED = 6
    ROLL = 7  # id of the roll that waits
    ASKED = 8
    LEAF = 9
    WORD = 10  # of the block, for dice
    RNG_WORD = 11  # of the block, for `turn.rng`
    SCORE = 16
    OPEN = 24
    BUSTS = 32


CELLS: Final = 40
"""Columns of a game; game `slot` begins at `slot * CELLS`."""


# --- Counts -------------------------------------------------------------------------------------
class Tally(IntEnum):
    """Columns of what is counted for a bot; the last two have many."""

    TURNS = 0
    ROLLS = 1
    BUSTS = 2
    WRITTEN = 3  # in units; final scores and the penalties that were taken off them
    DECISIONS = 4  # rolls that no bot decided on, negative, busts left aside
    FORFEITS = 5
    TURN_POINTS = 8
    FINAL_SCORES = 8 + TURN_BINS


TALLIES: Final = 8 + TURN_BINS + SCORE_BINS
"""Columns of a bot; the bot at `place` begins at `place * TALLIES`."""


def fill_counts(counts: Counts, tallies: NDArray[np.int64], unit: int) -> None:
    """Copy what the kernel counted, int64[S * TALLIES], into counts."""
    rows = tallies.reshape(-1, TALLIES)
    counts.turns[:] = rows[:, Tally.TURNS]
    counts.rolls[:] = rows[:, Tally.ROLLS]
    counts.busts[:] = rows[:, Tally.BUSTS]
    counts.written[:] = rows[:, Tally.WRITTEN] * unit
    counts.decisions[:] = decision_counts(tallies)
    counts.forfeits[:] = rows[:, Tally.FORFEITS]
    counts.turn_points[:] = rows[:, Tally.TURN_POINTS : Tally.FINAL_SCORES]
    counts.final_scores[:] = rows[:, Tally.FINAL_SCORES :]


def decision_counts(tallies: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64[S]: decisions of the bot at each place in turns that are over."""
    rows = tallies.reshape(-1, TALLIES)
    decisions: NDArray[np.int64] = (
        rows[:, Tally.ROLLS] - rows[:, Tally.BUSTS] + rows[:, Tally.DECISIONS]
    )
    return decisions


class SetWord(IntEnum):
    """Places in the words of a tree set, SET_WORDS in all; see `Lineup.sets`."""

    SHIFT = 0  # where its rolls begin in `Rules.roll_of`
    BASE = 1  # its first entry
    STRIDE = 2  # entries of each state: all rolls, or all classes of rolls


SET_WORDS: Final = 4
"""Words of a tree set; `play` finds them by shifting its number by two."""


class Lineup(NamedTuple):
    """Who plays.

    Attributes:
        seats, rotations: S and K.
        tree: int64[S], number of the tree set of the bot at each place.
        sets: int64, SET_WORDS words for each tree set.
        predicates: int64, PREDICATE_SET words for each tree set.
        features: F.
    """

    seats: int
    rotations: int
    tree: NDArray[np.int64]
    sets: NDArray[np.int64]
    predicates: NDArray[np.int64]
    features: int


class Sample(NamedTuple):
    """Remembered answers that were used in play, to be asked again; room for A.

    Attributes:
        mask: uint64, an answer is taken where `word of the roll & mask` is zero.
        taken: int64[1], how many there are.
        trees, rolls: int64[A]; features: int64[A, F] in units; leaves: uint32[A].
    """

    mask: np.uint64
    taken: NDArray[np.int64]
    trees: NDArray[np.int64]
    rolls: NDArray[np.int64]
    features: NDArray[np.int64]
    leaves: NDArray[np.uint32]


def new_sample(room: int, features: int) -> Sample:
    """An empty sample that takes one answer in 4096 while there is room."""
    return Sample(
        mask=np.uint64((1 << 12) - 1),
        taken=np.zeros(1, dtype=np.int64),
        trees=np.zeros(room, dtype=np.int64),
        rolls=np.zeros(room, dtype=np.int64),
        features=np.zeros((room, features), dtype=np.int64),
        leaves=np.zeros(room, dtype=np.uint32),
    )

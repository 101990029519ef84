"""The compiled game: plays until all games are over or wait for an answer.

The twin of `arena.game.referee`; from the same address both play the same game. See `layout` for
the arrays. A game is finished before the next is begun, for its data are then in the cache; only a
game that has to wait is left in its slot.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.game.counts import (
    ROUND_BINS,
    SCORE_BINS,
    SCORE_BINS_TO_TARGET,
    TURN_BIN_POINTS,
    TURN_BINS,
)
from arena.game.questions import Feature
from arena.jit import compiled_uncounted, inlined
from arena.kernel.dice import block_word, redraw, roll_word, turn_word
from arena.kernel.layout import (
    ALWAYS,
    BANK,
    BUST,
    CELLS,
    DICE_SHIFT,
    FAULT,
    GAIN_SHIFT,
    KIND_MASK,
    NOTHING,
    PREDICATE_SET,
    REROLL,
    ROLL,
    ROLL_ANEW,
    TALLIES,
    TREE,
    UNKNOWN,
    WIN,
    Cell,
    Number,
    SetWord,
    Tally,
)
from arena.kernel.states import state_of
from arena.kernel.trees import walk
from arena.rules import MAX_ROLLS_PER_TURN

_KIND = np.uint32(KIND_MASK)
_DICE = np.uint32(7)
_DICE_SHIFT = np.uint32(DICE_SHIFT)
_GAIN_SHIFT = np.uint32(GAIN_SHIFT)
_ROLL = np.uint32(ROLL)
_UNKNOWN = np.uint32(UNKNOWN)
_LOWER_HALF = np.uint64(0xFFFFFFFF)
_32, _2, _1 = np.uint64(32), np.uint64(2), np.uint64(1)
_BASE, _STRIDE = np.uint64(SetWord.BASE), np.uint64(SetWord.STRIDE)


@inlined
def features_of(cells: Any, slot: Any, seats: Any, x: Any) -> None:
    """Write into x, int64[F], the features of the position in a slot, in units."""
    at = np.uint64(slot * CELLS)
    x[Feature.POINTS] = cells[at + np.uint64(Cell.POINTS)]
    x[Feature.ROLLS] = cells[at + np.uint64(Cell.ROLLS)]
    x[Feature.LIMITED_ROLLS] = cells[at + np.uint64(Cell.LIMITED)]
    seat, round_ = cells[at + np.uint64(Cell.SEAT)], cells[at + np.uint64(Cell.ROUND)]
    turn_features(cells, at, seat, round_, cells[at + np.uint64(Cell.LEADER)], seats, x)


@inlined
def turn_features(
    cells: Any, at: Any, seat: Any, round_: Any, leader: Any, seats: Any, x: Any
) -> None:
    """Write into x the features that stay the same throughout a turn."""
    column = at + np.uint64(seat)
    x[Feature.SCORE] = cells[column + np.uint64(Cell.SCORE)]
    x[Feature.ROUND] = round_
    x[Feature.SEAT] = seat + 1
    x[Feature.LAST_ROUND] = np.int64(leader >= 0)
    x[Feature.BUSTS] = cells[column + np.uint64(Cell.BUSTS)]
    x[Feature.OPEN] = cells[column + np.uint64(Cell.OPEN)]
    best = np.int64(-(1 << 60))
    other = np.uint64(seat)
    for i in range(1, seats):
        other += _1
        if other == np.uint64(seats):
            other = np.uint64(0)
        score = cells[at + np.uint64(Cell.SCORE) + other]
        x[np.uint64(Feature.OPPONENT + i - 1)] = score
        best = max(best, score)
    x[Feature.TO_BEAT] = best


@inlined
def throw(roll_of: Any, by_dice: Any, shift: Any, word: Any, dice: Any) -> Any:
    """The roll that a word stands for, and the word that was used in the end."""
    row = dice << _2
    scaled = (word >> _32) * by_dice[row + _1]
    while scaled & _LOWER_HALF < by_dice[row + _2]:
        word = redraw(word)
        scaled = (word >> _32) * by_dice[row + _1]
    return np.uint64(roll_of[shift + by_dice[row] + (scaled >> _32)]), word


@inlined
def begin_game(cells: Any, slot: Any, game: Any, block: Any, keys: Any) -> None:
    """Put a new game into a slot; block is uint64, keys are uint64[2]."""
    at = np.uint64(slot * CELLS)
    for cell in range(CELLS):
        cells[at + np.uint64(cell)] = 0
    cells[at + np.uint64(Cell.GAME)] = game
    cells[at + np.uint64(Cell.ROUND)] = 1
    cells[at + np.uint64(Cell.LEADER)] = -1
    cells[at + np.uint64(Cell.WORD)] = np.int64(block_word(keys[0], block))
    cells[at + np.uint64(Cell.RNG_WORD)] = np.int64(block_word(keys[1], block))


@inlined
def suspend(
    cells: Any, at: Any, seat: Any, round_: Any, points: Any, rolls: Any, limited: Any, roll: Any
) -> None:
    """Write the position of a turn in progress into the cells from `at` on."""
    cells[at + np.uint64(Cell.SEAT)] = seat
    cells[at + np.uint64(Cell.ROUND)] = round_
    cells[at + np.uint64(Cell.POINTS)] = points
    cells[at + np.uint64(Cell.ROLLS)] = rolls
    cells[at + np.uint64(Cell.LIMITED)] = limited
    cells[at + np.uint64(Cell.ROLL)] = np.int64(roll)


@compiled_uncounted
def take_sample(
    cells: Any, slot: Any, seats: Any, tree: Any, roll: Any, leaf: Any, sample: Any
) -> None:
    """Note a remembered answer that was just used, while there is room."""
    n = sample.taken[0]
    if n < len(sample.leaves):
        features_of(cells, slot, seats, sample.features[n])
        sample.trees[n] = tree
        sample.rolls[n] = np.int64(roll)
        sample.leaves[n] = leaf
        sample.taken[0] = n + 1


@inlined
def close_turn(
    numbers: Any,
    cells: Any,
    at: Any,
    seat: Any,
    minimum: Any,
    points: Any,
    busted: Any,
    tallies: Any,
    tally: Any,
) -> Any:
    """Write the points of a turn on the score sheet; what was written.

    Without an `if` on what the dice decided: it would be mispredicted in every third turn.
    """
    column = at + np.uint64(seat)
    kept = np.int64(points >= minimum) & (1 - busted | numbers[Number.KEEPS])
    written = points * kept
    cells[column + np.uint64(Cell.SCORE)] += written
    cells[column + np.uint64(Cell.OPEN)] |= kept
    row = (cells[column + np.uint64(Cell.BUSTS)] + busted) * (1 - kept)
    cells[column + np.uint64(Cell.BUSTS)] = row
    if numbers[Number.PENALTY_AFTER] and busted and row >= numbers[Number.PENALTY_AFTER]:
        if numbers[Number.PENALTY_RESETS]:
            cells[column + np.uint64(Cell.BUSTS)] = 0
        before = cells[column + np.uint64(Cell.SCORE)]
        after = max(before - numbers[Number.PENALTY_POINTS], min(numbers[Number.FLOOR], before))
        cells[column + np.uint64(Cell.SCORE)] = after
        tallies[tally + np.uint64(Tally.WRITTEN)] += before - after
    return written


@inlined
def highest(numbers: Any, cells: Any, at: Any, seats: Any) -> Any:
    """Mask of the seats that win by their score."""
    first = np.int64(at) + Cell.SCORE
    best = cells[first]
    for seat in range(1, seats):
        best = max(best, cells[first + seat])
    leader = cells[np.int64(at) + Cell.LEADER]
    if numbers[Number.TIE_LEADER] and leader >= 0 and cells[first + leader] == best:
        return np.int64(1) << leader
    mask = np.int64(0)
    for seat in range(seats):
        if cells[first + seat] == best:
            mask |= np.int64(1) << seat
    return mask


@inlined
def end_game(
    numbers: Any,
    cells: Any,
    at: Any,
    seats: Any,
    rotation: Any,
    last_seat: Any,
    round_: Any,
    mask: Any,
    tallies: Any,
    rounds: Any,
    winners: Any,
) -> None:
    """Count a game that is over; `mask` has the seats that won, `last_seat` had the last turn."""
    winners[cells[at]] = mask
    rounds[min(round_, ROUND_BINS - 1)] += 1
    for seat in range(seats):
        place = (seat + rotation) % seats
        score = cells[np.int64(at) + Cell.SCORE + seat]
        scaled = (
            score * numbers[Number.UNIT] * SCORE_BINS_TO_TARGET // numbers[Number.TARGET_POINTS]
        )
        bin_ = min(max(scaled, 0), SCORE_BINS - 1)
        tally = place * TALLIES
        tallies[tally + Tally.FINAL_SCORES + bin_] += 1
        tallies[tally + Tally.TURNS] += round_ - np.int64(seat > last_seat)
        tallies[tally + Tally.WRITTEN] += score


@compiled_uncounted
def run(
    rules: Any,
    entries: Any,
    nodes: Any,
    cells: Any,
    lineup: Any,
    tallies: Any,
    rounds: Any,
    winners: Any,
    sample: Any,
    keys: Any,
    first_block: Any,
    progress: Any,
    resume: Any,
    waiting: Any,
    free: Any,
    x: Any,
) -> None:
    """Play all games of a run as far as answers are known.

    Args:
        rules, entries, nodes, cells, lineup, tallies, sample: see `layout` and `trees`.
        rounds: int64[ROUND_BINS]; winners: uint8, by game; see `Counts`.
        keys: uint64[2], of the dice and of `turn.rng`.
        first_block: number of the run's first block.
        progress: int64[5]: next game, games in all, slots to resume, slots waiting, slots free.
        resume, waiting, free: int64[W], lists of slots, their lengths in `progress`.
        x: int64[F], scratch.
    """
    resumed = 0
    waits = 0
    roll_of, by_dice, numbers = rules.roll_of, rules.by_dice, rules.numbers
    seats, rotations, trees = lineup.seats, lineup.rotations, lineup.tree
    predicates, sets = lineup.predicates, lineup.sets
    while True:
        pending = resumed < progress[2]
        if pending:
            slot = resume[resumed]
            resumed += 1
        elif progress[0] < progress[1] and progress[4] > 0:
            progress[4] -= 1
            slot = free[progress[4]]
            block = np.uint64(first_block + progress[0] // rotations)
            begin_game(cells, slot, progress[0], block, keys)
            progress[0] += 1
        else:
            break
        over = play_game(
            roll_of,
            by_dice,
            numbers,
            entries,
            nodes,
            cells,
            slot,
            pending,
            seats,
            rotations,
            trees,
            predicates,
            sets,
            tallies,
            rounds,
            winners,
            sample,
            x,
        )
        if over:
            free[progress[4]] = slot
            progress[4] += 1
        else:
            waiting[waits] = slot
            waits += 1
    progress[2] = 0
    progress[3] = waits


@compiled_uncounted
def play_game(
    roll_of: Any,
    by_dice: Any,
    numbers: Any,
    entries: Any,
    nodes: Any,
    cells: Any,
    slot: Any,
    pending: Any,
    seats: Any,
    rotations: Any,
    trees: Any,
    predicates: Any,
    sets: Any,
    tallies: Any,
    rounds: Any,
    winners: Any,
    sample: Any,
    x: Any,
) -> Any:
    """Play the game in a slot on: True when it is over, False when it waits for an answer.

    Args:
        pending: whether the game was waiting, its roll on the table.
    """
    at = np.uint64(slot * CELLS)
    rotation = cells[at + np.uint64(Cell.GAME)] % rotations
    word = np.uint64(cells[at + np.uint64(Cell.WORD)])
    seat = cells[at + np.uint64(Cell.SEAT)]
    round_ = cells[at + np.uint64(Cell.ROUND)]
    leader = cells[at + np.uint64(Cell.LEADER)]
    all_dice = np.uint64(numbers[Number.DICE])
    limit = min(numbers[Number.LIMIT], MAX_ROLLS_PER_TURN)
    unit = numbers[Number.UNIT]
    sample_mask = sample.mask
    place = seat + rotation
    if place >= seats:
        place -= seats
    shift = np.uint64(sets[np.uint64(trees[np.uint64(place)]) << _2])
    next_turn = turn_word(word, seat, round_)
    next_roll, next_drawn = throw(roll_of, by_dice, shift, roll_word(next_turn, 1), all_dice)
    while True:
        tally = np.uint64(place * TALLIES)
        opened = cells[at + np.uint64(Cell.OPEN) + np.uint64(seat)]
        tree = trees[np.uint64(place)]
        looked = predicates[np.uint64(tree * PREDICATE_SET)] != 0
        state = opened + 2 if leader >= 0 else opened
        if looked:
            turn_features(cells, at, seat, round_, leader, seats, x)
            state = state_of(predicates, tree, x)
        own = np.uint64(tree) << _2
        base = np.uint64(sets[own + _BASE] + state * sets[own + _STRIDE])
        minimum = numbers[Number.MINIMUM_OPEN] if opened else numbers[Number.MINIMUM_CLOSED]
        turn, roll, drawn = next_turn, next_roll, next_drawn
        this_shift = shift
        upcoming = roll_word(turn, 2)
        # The first roll of the next turn, too, so that it is there when this turn has ended: it
        # does not depend on what happens in it, and the processor works on both at once.
        after = seat + 1
        if after == seats:
            after = np.int64(0)
        place = after + rotation
        if place >= seats:
            place -= seats
        shift = np.uint64(sets[np.uint64(trees[np.uint64(place)]) << _2])
        next_turn = turn_word(word, after, round_ + 1 if after == 0 else round_)
        next_roll, next_drawn = throw(roll_of, by_dice, shift, roll_word(next_turn, 1), all_dice)
        points = np.int64(0)
        rolls = np.int64(1)
        start = np.int64(0)  # rolls before the count against the limit began
        last = limit  # the roll after which none is left
        dice = all_dice
        leaf = _ROLL
        if pending:
            points = cells[at + np.uint64(Cell.POINTS)]
            rolls = cells[at + np.uint64(Cell.ROLLS)]
            start = rolls - cells[at + np.uint64(Cell.LIMITED)]
            last = min(start + limit, MAX_ROLLS_PER_TURN)
            roll = np.uint64(cells[at + np.uint64(Cell.ROLL)])
            upcoming = roll_word(turn, rolls + 1)
            drawn = np.uint64(0)  # leads out of the innermost loop
        while True:
            # The innermost loop: roll on while the answers are known to be to roll on.
            while True:
                entry = (base + roll) << _2
                # Chosen by bits, not by an `if`: that would be mispredicted half of the time.
                low, high = entries[entry + _1], entries[entry + _2]
                above = np.uint32(points >= np.int64(entries[entry]))
                leaf = low ^ ((low ^ high) & (np.uint32(0) - above))
                if leaf & _KIND != _ROLL or drawn & sample_mask == 0 or rolls >= last:
                    break
                points += np.int64(leaf >> _GAIN_SHIFT)
                dice = np.uint64((leaf >> _DICE_SHIFT) & _DICE)
                rolls += 1
                roll, drawn = throw(roll_of, by_dice, this_shift, upcoming, dice)
                upcoming = roll_word(turn, rolls + 1)
            kind = leaf & _KIND
            if rolls == MAX_ROLLS_PER_TURN and (kind <= REROLL or kind == TREE):
                kind = np.uint32(ALWAYS)  # what is remembered counts on a roll being left
            if kind >= TREE:
                if kind == TREE:
                    if not looked:
                        turn_features(cells, at, seat, round_, leader, seats, x)
                        looked = True
                    x[Feature.POINTS] = points
                    x[Feature.ROLLS] = rolls
                    x[Feature.LIMITED_ROLLS] = rolls - start
                    leaf = walk(nodes, leaf, x)
                    kind = leaf & _KIND
                if kind >= UNKNOWN:
                    asks = kind
                    if pending:
                        leaf = np.uint32(cells[at + np.uint64(Cell.LEAF)])
                        kind = leaf & _KIND
                    if kind >= UNKNOWN:
                        suspend(cells, at, seat, round_, points, rolls, rolls - start, roll)
                        cells[at + np.uint64(Cell.LEAF)] = asks
                        return False
            if drawn & sample_mask == 0 and kind <= REROLL and not pending:
                suspend(cells, at, seat, round_, points, rolls, rolls - start, roll)
                take_sample(cells, slot, seats, tree, roll, leaf, sample)
            pending = False
            if kind in (BANK, BUST):
                points += np.int64(leaf >> _GAIN_SHIFT)  # none for a bust
                break
            if kind <= ROLL_ANEW:
                points += np.int64(leaf >> _GAIN_SHIFT)
                dice = np.uint64((leaf >> _DICE_SHIFT) & _DICE)
                if kind == ROLL_ANEW:
                    start = rolls
                    last = min(start + limit, MAX_ROLLS_PER_TURN)
                if rolls >= last:
                    break
            elif kind == NOTHING:
                tallies[tally + np.uint64(Tally.DECISIONS)] -= 1
                points += numbers[Number.NOTHING]
                if rolls >= last:
                    break
            elif kind != REROLL:
                break
            rolls += 1
            roll, drawn = throw(roll_of, by_dice, this_shift, upcoming, dice)
            upcoming = roll_word(turn, rolls + 1)
        tallies[tally + np.uint64(Tally.ROLLS)] += rolls
        last_seat = seat
        if kind in (WIN, FAULT):
            mask = np.int64(1) << seat
            if kind == FAULT:
                mask = (np.int64(1) << seats) - 1 - mask
                tallies[tally + np.uint64(Tally.FORFEITS)] += 1
            else:
                tallies[tally + np.uint64(Tally.DECISIONS)] -= 1
            break
        busted = np.int64(kind == BUST)
        written = close_turn(numbers, cells, at, seat, minimum, points, busted, tallies, tally)
        tallies[tally + np.uint64(Tally.BUSTS)] += busted
        bin_ = min(written * unit // TURN_BIN_POINTS, TURN_BINS - 1)
        tallies[tally + np.uint64(Tally.TURN_POINTS) + np.uint64(bin_)] += 1
        over = False
        score = cells[at + np.uint64(Cell.SCORE) + np.uint64(seat)]
        if score >= numbers[Number.TARGET] and leader < 0:
            leader = seat
            cells[at + np.uint64(Cell.LEADER)] = seat
            over = numbers[Number.FIRST_TO_TARGET] != 0
        if not over:
            wraps = seat + 1 == seats
            seat = np.int64(0) if wraps else seat + 1
            over = seat == leader or (wraps and round_ == numbers[Number.MAX_ROUNDS])
            if wraps and not over:
                round_ += 1
        if over:
            mask = highest(numbers, cells, at, seats)
            break
    end_game(numbers, cells, at, seats, rotation, last_seat, round_, mask, tallies, rounds, winners)
    return True

"""Every roll of a ruleset with its legal holds, as objects for people and as arrays for kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING

from arena.rules.holds import Hold, Roll
from arena.rules.patterns import FACES, FaceCounts, matches
from arena.rules.ruleset import Ruleset

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Scorer:
    """The points of sets of dice under one ruleset.

    Combinations that stand for the same dice count with the most points.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        best: dict[FaceCounts, int] = {}
        for combination in ruleset.combinations:
            for dice in matches(combination.pattern):
                best[dice] = max(combination.points, best.get(dice, 0))
        self._by_lowest: list[list[tuple[FaceCounts, int]]] = [[] for _ in FACES]
        for dice, points in best.items():
            self._by_lowest[_lowest(dice)].append((dice, points))
        self._known: dict[tuple[int, ...], int | None] = {(0,) * len(FACES): 0}

    def points(self, dice: Sequence[int]) -> int | None:
        """Points of the best split of all these faces into combinations; None if one is left."""
        return self._split(tuple(map(dice.count, FACES)))

    def _split(self, counts: tuple[int, ...]) -> int | None:
        if counts in self._known:
            return self._known[counts]
        best: int | None = None
        # Some combination holds a die of the lowest face, so it has no lower one.
        for combination, points in self._by_lowest[_lowest(counts)]:
            rest = tuple(have - need for have, need in zip(counts, combination, strict=True))
            if min(rest) < 0:
                continue
            others = self._split(rest)
            if others is not None and (best is None or others + points > best):
                best = others + points
        self._known[counts] = best
        return best


def _lowest(counts: Sequence[int]) -> int:
    """Index of the lowest face that occurs."""
    return next(index for index, count in enumerate(counts) if count)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RuleTables:
    """All rolls of one ruleset. R rolls, H holds of all rolls together, D dice in the cup.

    A roll of m dice is drawn as an outcome u in [0, 6**m): die i shows `u // 6**i % 6 + 1`.

    Attributes:
        ruleset: the rules that the tables follow.
        rolls: the R rolls by id, fewest dice first, then by faces.
        outcomes: `outcomes[m][u]` is the roll that outcome u of m dice shows; `outcomes[0]` = ().
        roll_of: uint16[6 + 36 + ... + 6**D], roll id of outcome u of m dice at `first[m] + u`.
        first: int64[D + 2], where the outcomes of m dice begin in `roll_of`; at D + 1 its end.
        roll_dice: int64[R], number of dice of each roll.
        hold_first: int64[R + 1], holds of roll r are `hold_first[r]` to `hold_first[r + 1] - 1`.
        hold_points: int64[H], points of each hold.
        hold_left: int64[H], dice that the next roll would have.
        hold_hot: bool[H], whether all dice have scored.
        instant_win: bool[R], whether the roll wins the game.
        goes_on: bool[R], whether rolling on is allowed after the roll.
    """

    ruleset: Ruleset
    rolls: tuple[Roll, ...]
    outcomes: tuple[tuple[Roll, ...], ...]
    roll_of: NDArray[np.uint16]
    first: NDArray[np.int64]
    roll_dice: NDArray[np.int64]
    hold_first: NDArray[np.int64]
    hold_points: NDArray[np.int64]
    hold_left: NDArray[np.int64]
    hold_hot: NDArray[np.bool_]
    instant_win: NDArray[np.bool_]
    goes_on: NDArray[np.bool_]

    def roll(self, dice: Sequence[int]) -> Roll:
        """The roll that shows these faces, in any order.

        Raises:
            ValueError: not 1 to `ruleset.dice` faces from 1 to 6.
        """
        if not 1 <= len(dice) <= self.ruleset.dice or any(face not in FACES for face in dice):
            raise ValueError(
                f"a roll of {self.ruleset.name} is 1 to {self.ruleset.dice} faces from 1 to 6, "
                f"not {' '.join(map(str, dice)) or 'empty'}"
            )
        return self.outcomes[len(dice)][_outcome(dice)]


def _outcome(dice: Sequence[int]) -> int:
    outcome = 0
    for face in dice:
        outcome = outcome * 6 + face - 1
    return outcome


@lru_cache(maxsize=64)
def rule_tables(ruleset: Ruleset) -> RuleTables:
    """The tables of a ruleset; made once per process and ruleset."""
    import numpy as np  # takes longer to import than all of arena, and `arena --help` needs none

    scorer = Scorer(ruleset)
    rolls: list[Roll] = []
    outcomes: list[tuple[Roll, ...]] = [()]
    shown: list[tuple[int, ...]] = [()]  # what the outcomes of one die less show, ascending
    for count in range(1, ruleset.dice + 1):
        of_dice: dict[tuple[int, ...], Roll] = {}
        for dice in combinations_with_replacement(FACES, count):
            of_dice[dice] = _roll(ruleset, scorer, len(rolls), dice)
            rolls.append(of_dice[dice])
        with_one_more = {
            dice: [of_dice[tuple(sorted((*dice, face)))] for face in FACES] for dice in set(shown)
        }
        # The added die varies fastest; die 0 of an outcome is the last that was added.
        outcomes.append(tuple(roll for dice in shown for roll in with_one_more[dice]))
        shown = [roll.dice for roll in outcomes[count]]
    holds = [hold for roll in rolls for hold in roll.holds]
    return RuleTables(
        ruleset=ruleset,
        rolls=tuple(rolls),
        outcomes=tuple(outcomes),
        roll_of=np.array([roll.id for row in outcomes for roll in row], dtype=np.uint16),
        first=np.cumsum([0, *(len(row) for row in outcomes)], dtype=np.int64),
        roll_dice=np.array([len(roll.dice) for roll in rolls], dtype=np.int64),
        hold_first=np.cumsum([0, *(len(roll.holds) for roll in rolls)], dtype=np.int64),
        hold_points=np.array([hold.points for hold in holds], dtype=np.int64),
        hold_left=np.array([hold.dice_left for hold in holds], dtype=np.int64),
        hold_hot=np.array([hold.hot for hold in holds], dtype=np.bool_),
        instant_win=np.array([roll.instant_win for roll in rolls], dtype=np.bool_),
        goes_on=np.array([roll.goes_on for roll in rolls], dtype=np.bool_),
    )


def _roll(ruleset: Ruleset, scorer: Scorer, roll_id: int, dice: tuple[int, ...]) -> Roll:
    wins = any(_shows(dice, pattern) for pattern in ruleset.instant_win)
    faces = ruleset.continue_faces
    return Roll(
        id=roll_id,
        dice=dice,
        holds=_legal_holds(ruleset, scorer, dice),
        instant_win=wins,
        goes_on=not faces or any(face in faces for face in dice),
    )


def _shows(dice: tuple[int, ...], pattern: str) -> bool:
    counts = tuple(dice.count(face) for face in FACES)
    return len(pattern) == len(dice) and counts in set(matches(pattern))


def _legal_holds(ruleset: Ruleset, scorer: Scorer, dice: tuple[int, ...]) -> tuple[Hold, ...]:
    found: dict[tuple[int, int], tuple[int, ...]] = {}  # (-points, number of dice) -> first dice
    for count in range(1, len(dice) + 1):
        for kept in sorted(set(combinations(dice, count))):
            points = scorer.points(kept)
            if points is not None:
                found.setdefault((-points, count), kept)
    holds = []
    for index, ((negative, count), kept) in enumerate(sorted(found.items())):
        hot = count == len(dice)
        left = ruleset.dice if hot else len(dice) - count
        holds.append(Hold(dice=kept, points=-negative, dice_left=left, hot=hot, index=index))
    return tuple(holds)

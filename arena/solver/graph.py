"""The inside of a turn as a graph: where a player can stand, what a roll can bring, where it leads.

A *spot* is where a player stands with the cup in hand: dice to roll and rolls counted so far. A
*landing* is where a hold leads: it offers to stop, to roll on from a spot, or both. Rolls of one
spot that offer the same holds are one *group*. With turn points p in units, the values of all
engines of this room obey

    R[p, s] = bust[s] * lost[p] + win[s] * won + sum over groups g of s: prob[g] * best[p, g]
    best[p, g] = max over options o of g: X[p + gain[o], landing[o]]
    X[p, y] = max(stop[p] if y may stop, R[p, spot of y] if y may roll)

where `stop[p]` is the value of ending the turn with p, `lost[p]` that of a bust at p, `won` that
of an instant win. Every gain is at least one unit, so p only grows and R is found from large p to
small. At p = 0 a free re-roll adds the option R[0, s + one counted roll] to every group after
which rolling on is allowed; where rolls are not counted this is a fixed point, see `turn_kernel`.

Many groups offer all that another offers, and more (1-1-5 offers all of 1-5). Such a group names
the other as its parent and lists only the rest, which halves the work.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from math import gcd
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rules import Hold, Roll, Ruleset, RuleTables, rule_tables

STOP = -1
"""Spot of a landing that offers no roll."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A player with the cup in hand.

    Attributes:
        dice: dice that will be rolled.
        counted: rolls of the turn so far, as far as `max_rolls` counts them; 0 if it does not.
    """

    dice: int
    counted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Landing:
    """What is offered after a hold.

    Attributes:
        stop: whether the turn may end here.
        spot: index of the spot to roll on from; `STOP` if the turn must end.
    """

    stop: bool
    spot: int


class Option(NamedTuple):
    """One hold of a group: what it adds in units, and the landing it leads to."""

    gain: int
    landing: int


class TurnArrays(NamedTuple):
    """The graph as arrays for compiled code. S spots, G groups, O options, Y landings.

    Attributes:
        dice: int64[S], dice rolled from each spot.
        bust: float64[S], probability that the roll scores nothing.
        win: float64[S], probability of an instant win.
        group_first: int64[S + 1], groups of spot s are `group_first[s]` to the next less one.
        prob: float64[G].
        free: bool[G], whether rolling on is allowed after the roll, so that a free re-roll is.
        parent: int64[G], an earlier group whose options belong to this one too; -1 for none.
        option_first: int64[G + 1], the other options; a group has at least one.
        gain: int64[O], units; at least 1.
        landing: int64[O].
        step: uint64[O], `gain * Y + landing`: how far the option leads in a table of landings.
        may_stop: bool[Y].
        roll_spot: int64[Y], `STOP` where the turn must end.
        reroll_spot: int64[S], spot that a free re-roll leads to; `STOP` where there is none.
    """

    dice: NDArray[np.int64]
    bust: NDArray[np.float64]
    win: NDArray[np.float64]
    group_first: NDArray[np.int64]
    prob: NDArray[np.float64]
    free: NDArray[np.bool_]
    parent: NDArray[np.int64]
    option_first: NDArray[np.int64]
    gain: NDArray[np.int64]
    landing: NDArray[np.int64]
    step: NDArray[np.uint64]
    may_stop: NDArray[np.bool_]
    roll_spot: NDArray[np.int64]
    reroll_spot: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TurnGraph:
    """The graph of one ruleset.

    Attributes:
        rules: the ruleset.
        unit: points of one unit; every score and every hold is a multiple of it.
        spots: spots by index; the turn begins at 0.
        landings: landings by index.
        arrays: the same as arrays.
        max_gain: most units that one roll can add.
    """

    rules: Ruleset
    unit: int
    spots: tuple[Spot, ...]
    landings: tuple[Landing, ...]
    arrays: TurnArrays
    max_gain: int

    def units(self, points: int) -> int:
        """The least number of units that is worth at least so many points."""
        return -(-points // self.unit)

    def minimum(self, *, is_open: bool) -> int:
        """Units that a turn must be worth to be written; at least 1, as nothing writes nothing."""
        return max(1, self.units(self.rules.minimum(is_open=is_open)))

    @property
    def stake(self) -> float:
        """Least probability of a bust: what any further roll puts at stake.

        0 where a roll can be forced: points then go on growing also where nobody wants them.
        """
        arrays = self.arrays
        forced = bool((~arrays.may_stop & (arrays.roll_spot != STOP)).any())
        return 0.0 if forced else float(arrays.bust.min())

    def spot(self, dice: int, counted: int) -> int:
        """Index of a spot, from dice and rolls made as `max_rolls` counts them."""
        return self.spots.index(Spot(dice=dice, counted=counted if self.rules.max_rolls else 0))

    def landing(self, roll: Roll, hold: Hold, counted: int) -> int:
        """Index of the landing after a hold of a roll that was number `counted` of the turn."""
        return self.landings.index(_landing(self.rules, list(self.spots), roll, hold, counted))


def unit_of(tables: RuleTables) -> int:
    """Greatest common divisor of all that can be added to or taken off a score."""
    rules = tables.ruleset
    sizes = [*map(int, tables.hold_points), rules.nothing_scores, rules.bust_penalty.points]
    return reduce(gcd, [*sizes, rules.bust_penalty.floor or 0]) or rules.target


@lru_cache(maxsize=32)
def turn_graph(rules: Ruleset) -> TurnGraph:
    """The graph of a ruleset; made once per process and ruleset."""
    tables = rule_tables(rules)
    builder = _Builder(rules, tables, unit_of(tables))
    return builder.graph()


def _landing(rules: Ruleset, spots: list[Spot], roll: Roll, hold: Hold, counted: int) -> Landing:
    """Where a hold leads; a spot that is not known yet is added to the list."""
    if hold.hot and rules.rolls_reset_on_hot_dice:
        counted = 0
    limited = bool(rules.max_rolls)
    rolls_left = not limited or counted < rules.max_rolls
    if not rolls_left or not roll.goes_on or (hold.hot and rules.hot_dice == "end"):
        return Landing(stop=True, spot=STOP)
    spot = _index(spots, Spot(dice=hold.dice_left, counted=counted if limited else 0))
    return Landing(stop=not (hold.hot and rules.hot_dice == "must"), spot=spot)


def _index(items: list[Spot], item: Spot) -> int:
    if item not in items:
        items.append(item)
    return items.index(item)


@dataclass(slots=True)
class _Outcomes:
    """What a roll from one spot can bring."""

    bust: float = 0.0
    win: float = 0.0
    reroll_spot: int = STOP
    groups: dict[tuple[frozenset[Option], bool], float] = field(
        default_factory=lambda: defaultdict(float)
    )


class _Builder:
    def __init__(self, rules: Ruleset, tables: RuleTables, unit: int) -> None:
        self.rules = rules
        self.tables = tables
        self.unit = unit
        self.spots = [Spot(dice=rules.dice, counted=0)]
        self.landings: list[Landing] = []
        self.outcomes: list[_Outcomes] = []

    def graph(self) -> TurnGraph:
        while len(self.outcomes) < len(self.spots):
            self.outcomes.append(self.expand(self.spots[len(self.outcomes)]))
        arrays = self.arrays()
        return TurnGraph(
            rules=self.rules,
            unit=self.unit,
            spots=tuple(self.spots),
            landings=tuple(self.landings),
            arrays=arrays,
            max_gain=int(arrays.gain.max(initial=1)),
        )

    def expand(self, spot: Spot) -> _Outcomes:
        """Everything that can be rolled from a spot."""
        rules = self.rules
        result = _Outcomes()
        counted = spot.counted + 1 if rules.max_rolls else 0
        rolls_left = not rules.max_rolls or counted < rules.max_rolls
        if rules.reroll_all and spot.dice == rules.dice and rolls_left:
            result.reroll_spot = _index(self.spots, Spot(dice=rules.dice, counted=counted))
        counts: dict[int, int] = defaultdict(int)
        for roll in self.tables.outcomes[spot.dice]:
            counts[roll.id] += 1
        for roll_id, count in counts.items():
            self.add(result, self.tables.rolls[roll_id], count / 6**spot.dice, counted)
        return result

    def add(self, result: _Outcomes, roll: Roll, prob: float, counted: int) -> None:
        rules = self.rules
        if roll.instant_win:
            result.win += prob
        elif roll.holds:
            options = frozenset(
                Option(
                    hold.points // self.unit,
                    self.land(_landing(rules, self.spots, roll, hold, counted)),
                )
                for hold in roll.holds
            )
            result.groups[options, roll.goes_on] += prob
        elif rules.nothing_scores and len(roll.dice) == rules.dice:
            # Worth points, and all dice must roll on; not a decision, so no free re-roll either.
            limit = rules.max_rolls
            spot = Spot(dice=rules.dice, counted=counted)
            on = not limit or counted < limit
            landing = Landing(stop=not on, spot=_index(self.spots, spot) if on else STOP)
            option = Option(rules.nothing_scores // self.unit, self.land(landing))
            result.groups[frozenset([option]), False] += prob
        else:
            result.bust += prob

    def land(self, landing: Landing) -> int:
        if landing not in self.landings:
            self.landings.append(landing)
        return self.landings.index(landing)

    def arrays(self) -> TurnArrays:
        groups = [group for outcomes in self.outcomes for group in _with_parents(outcomes.groups)]
        sizes = [len(outcomes.groups) for outcomes in self.outcomes]
        firsts = np.repeat(np.cumsum([0, *sizes[:-1]]), sizes)  # parents count within their spot
        options = [option for group in groups for option in group.rest]
        gain = np.array([option.gain for option in options], dtype=np.int64)
        landing = np.array([option.landing for option in options], dtype=np.int64)
        parent = np.array([group.parent for group in groups], dtype=np.int64)
        return TurnArrays(
            dice=np.array([spot.dice for spot in self.spots], dtype=np.int64),
            bust=np.array([outcomes.bust for outcomes in self.outcomes]),
            win=np.array([outcomes.win for outcomes in self.outcomes]),
            group_first=np.cumsum([0, *sizes], dtype=np.int64),
            prob=np.array([group.prob for group in groups]),
            free=np.array([group.free for group in groups], dtype=np.bool_),
            parent=np.where(parent < 0, -1, parent + firsts),
            option_first=np.cumsum([0, *(len(group.rest) for group in groups)], dtype=np.int64),
            gain=gain,
            landing=landing,
            step=(gain * len(self.landings) + landing).astype(np.uint64),
            may_stop=np.array([landing.stop for landing in self.landings], dtype=np.bool_),
            roll_spot=np.array([landing.spot for landing in self.landings], dtype=np.int64),
            reroll_spot=np.array(
                [outcomes.reroll_spot for outcomes in self.outcomes], dtype=np.int64
            ),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """A group as it is written down: its parent within the spot, and the options beyond."""

    parent: int
    rest: tuple[Option, ...]
    free: bool
    prob: float


def _with_parents(groups: dict[tuple[frozenset[Option], bool], float]) -> list[_Group]:
    """The groups of one spot, small ones first, each with the largest earlier group inside it."""
    ordered = sorted(groups.items(), key=lambda item: (len(item[0][0]), sorted(item[0][0])))
    written: list[_Group] = []
    for index, ((options, free), prob) in enumerate(ordered):
        parent, inside = -1, frozenset[Option]()
        for earlier, ((others, _), _) in enumerate(ordered[:index]):
            if len(inside) <= len(others) < len(options) and others <= options:
                parent, inside = earlier, others
        rest = tuple(sorted(options - inside))
        written.append(_Group(parent=parent, rest=rest, free=free, prob=prob))
    return written

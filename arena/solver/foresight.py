"""How long an exact game will take, found out by computing a little of it.

What takes time is the turns of the bots: one for each kind of table at which a bot plays the same
turn. A bot that looks at no score has one or two kinds, one that looks at both may have as many as
there are tables. A sample of tables says how many kinds there are: with f1 kinds met once and f2
met twice, about f1^2 / (2 f2) were not met at all (Chao, Nonparametric Estimation of the Number of
Classes in a Population, 1984).
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.game import Feature
from arena.rules import Ruleset, rule_tables
from arena.solver.distributions import BotTurns, Turns
from arena.solver.graph import turn_graph
from arena.solver.seen import table_features
from arena.solver.sheets import make_sheets
from arena.solver.size import SolveSize, exact_size, time_text

SAMPLE: Final = 100
"""Tables of each bot, and as many last turns, that are computed beforehand. They are kept, so
that nothing is computed twice."""

PATIENCE_S: Final = 6.0
"""Time for the sample of one bot; past it the questions so far have to do."""

MOVED: Final = 4e-9
"""Time to carry one pair of scores over one end of a turn, on one core of 2024."""

ROUNDS: Final = 60
"""Rounds after which hardly any game is left."""

ENDS: Final = 60
"""Ends of a turn with which the carrying is reckoned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Foresight:
    """What an exact game of two bots will take.

    Attributes:
        size: of the ruleset.
        seconds: about so long.
        looks: of each bot, what it was seen to look at, in words.
    """

    size: SolveSize
    seconds: float
    looks: tuple[str, str]

    def __str__(self) -> str:
        looks = "; ".join(dict.fromkeys(self.looks))
        return f"{self.size}, {time_text(self.seconds)}; {looks}"


def foresee(rules: Ruleset, first: Turns, second: Turns) -> Foresight:
    """Find out how long `exact.exact_game` will take.

    Raises:
        BotError: a bot cannot be computed.
        UnsolvableError: the ruleset is too large; says by how much.
    """
    size = exact_size(rules)
    seen = [_look(rules, turns, seat) for seat, turns in enumerate((first, second))]
    carried = size.pairs * ENDS * MOVED * ROUNDS
    return Foresight(
        size=size,
        seconds=carried + sum(each.seconds for each in seen),
        looks=(seen[0].words, seen[1].words),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """What a bot looks at, and how long its turns will take."""

    words: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kinds:
    """Kinds of turns in a sample, and how long they took in seconds."""

    met: int
    total: float
    spent: float


class _Late(Exception):  # noqa: N818 - not an error
    """The sample takes too long."""


class _Watch:
    """Looks at the clock from the first answers on, when all that is needed was compiled."""

    def __init__(self, turns: Turns) -> None:
        self.asked = turns.answers if isinstance(turns, BotTurns) else None
        self.begun = 0.0
        self.questions = 0

    def __call__(self) -> None:
        """Stop the sample when it takes too long."""
        if not self.begun:
            self.begun = time.perf_counter()
            self.questions = self.asked.questions if self.asked else 0
        elif time.perf_counter() - self.begun > PATIENCE_S:
            raise _Late

    @property
    def rate(self) -> float:
        """Questions answered in a second."""
        more = self.asked.questions - self.questions if self.asked else 0
        return more / max(1e-3, time.perf_counter() - self.begun)


def _look(rules: Ruleset, turns: Turns, seat: int) -> _Look:
    """Compute a sample of a bot's turns."""
    watch = _Watch(turns)
    if watch.asked:
        watch.asked.watch = watch
    try:
        kinds = [_kinds(turns, tables, watch) for tables in _samples(rules, seat)]
    except _Late:
        return _long_look(rules, turns, watch)
    finally:
        if watch.asked:
            watch.asked.watch = None
    told = ROUNDS if turns.reads(Feature.ROUND) else 1
    scores = any(map(turns.reads, (Feature.SCORE, Feature.OPPONENT, Feature.TO_BEAT)))
    total = sum(each.total for each in kinds) * told
    left = sum(max(0.0, each.total * told - each.met) * each.spent / each.met for each in kinds)
    if not scores and told == 1:
        return _Look(words=f"{turns.name} looks at no score", seconds=left)
    what = " and ".join(["scores"] * scores + ["rounds"] * (told > 1))
    return _Look(
        words=f"{turns.name} looks at {what}, about {_rough(total)} kinds of turns", seconds=left
    )


def _samples(rules: Ruleset, seat: int) -> list[NDArray[np.int64]]:
    """Features of tables by chance, seeded: ordinary turns, and last ones where there are any."""
    sheets = make_sheets(rules, see_open=True)
    rng = np.random.default_rng(seat)
    own, other = rng.integers(0, len(sheets), (2, SAMPLE))
    scores = sheets.arrays.score[other]
    samples = [table_features(sheets, seat, own, scores, 1, False)]
    if rules.end == "last_round":
        lead = sheets.target + rng.integers(0, 2 * sheets.graph.max_gain, SAMPLE)
        samples.append(table_features(sheets, seat, own, lead, 1, True))
    return samples


def _kinds(turns: Turns, tables: NDArray[np.int64], watch: _Watch) -> _Kinds:
    """How many kinds of turns there are at tables like these."""
    turns.at(tables[:1])  # compiles what is not compiled yet
    begun = time.perf_counter()
    found: list[int] = []
    for table in tables:
        found += turns.at(table[None, :]).tolist()
        watch()
    counts = Counter(Counter(found).values())
    met, once, twice = len(set(found)), counts[1], counts[2]
    unseen = once**2 / (2 * twice) if twice else once * (once - 1) / 2
    return _Kinds(met=met, total=met + unseen, spent=time.perf_counter() - begun)


def _long_look(rules: Ruleset, turns: Turns, watch: _Watch) -> _Look:
    """A bot that is asked so much that not even the sample was computed.

    It mostly looks at the exact points of its turn: at each roll that scores it is then asked
    once for each number of points.
    """
    if watch.asked is None or not isinstance(turns, BotTurns):
        return _Look(words=f"{turns.name} looks at scores", seconds=SAMPLE * PATIENCE_S)
    asked, rate = watch.asked.questions, max(1.0, watch.rate)
    scoring = sum(bool(roll.holds) for roll in rule_tables(rules).rolls)
    points = turns.most_points // turn_graph(rules).unit
    left = max(asked, scoring * points - asked) / rate
    words = f"{turns.name} looks at exact numbers, {_rough(rate)} questions a second"
    return _Look(words=words, seconds=left)


def _rough(number: float) -> str:
    """Two leading digits of a number."""
    digits = max(0, len(str(int(number))) - 2)
    return f"{round(number / 10**digits) * 10**digits:,}"

"""`BatchBot` and `Positions`: bots that decide many positions at once, with arrays."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from arena.bots.bot import Bot
from arena.game.questions import Feature
from arena.game.turn import Turn
from arena.rules import (
    MAX_ROLLS_PER_TURN,
    REROLL,
    REROLL_CODE,
    Decision,
    Roll,
    Ruleset,
    rule_tables,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

# NumPy is imported where it is used: every bot's process starts with this module, and most bots
# need no arrays.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RollTable:
    """Every roll of a ruleset as arrays. R rolls, at most H holds of one roll.

    Attributes:
        faces: int64[R, 6], how many dice show 1, 2, ... 6.
        holds: int64[R], how many legal holds there are; 0 for a bust.
        points: int64[R, H], what each hold is worth, most points first as in `turn.holds`; 0 where
            there is no such hold.
        dice_left: int64[R, H], dice that the next roll would have; 0 where there is no such hold.
        hot: bool[R, H], whether all dice have then scored.
        goes_on: bool[R], whether rolling on is allowed after the roll.
    """

    faces: NDArray[np.int64]
    holds: NDArray[np.int64]
    points: NDArray[np.int64]
    dice_left: NDArray[np.int64]
    hot: NDArray[np.bool_]
    goes_on: NDArray[np.bool_]


def roll_table(rolls: Sequence[Roll]) -> RollTable:
    """The table of all rolls of a ruleset, by id."""
    import numpy as np

    most = max(len(roll.holds) for roll in rolls)

    def padded(rows: Iterable[list[int]]) -> NDArray[np.int64]:
        return np.array([row + [0] * (most - len(row)) for row in rows], dtype=np.int64)

    table = RollTable(
        faces=np.array([[roll.dice.count(face) for face in range(1, 7)] for roll in rolls]),
        holds=np.array([len(roll.holds) for roll in rolls], dtype=np.int64),
        points=padded([hold.points for hold in roll.holds] for roll in rolls),
        dice_left=padded([hold.dice_left for hold in roll.holds] for roll in rolls),
        hot=padded([hold.hot for hold in roll.holds] for roll in rolls).astype(np.bool_),
        goes_on=np.array([roll.goes_on for roll in rolls], dtype=np.bool_),
    )
    for array in (table.faces, table.holds, table.points, table.dice_left, table.hot):
        array.flags.writeable = False
    table.goes_on.flags.writeable = False
    return table


class Positions:
    """N positions at once, what `Turn` is for one: arrays by position, which cannot be written.

    Attributes:
        rules: the ruleset of the games.
        roll: int64[N], which roll is on the table: a row of `table`.
        table: what every roll of the ruleset shows and offers.
        features: int64[N, F], all numbers in one array, columns as in `arena.game.Feature`.

    The other columns have the names and the meaning that they have in `Turn`: `points`, `rolls`,
    `limited_rolls`, `score`, `round`, `seat`, `to_beat`, `busts` int64[N]; `last_round`, `open`
    and `can_reroll` bool[N]; `opponents` int64[N, S - 1] for S players.
    """

    def __init__(
        self,
        rules: Ruleset,
        rolls: Sequence[Roll],
        table: RollTable,
        questions: Any,
        *,
        looked: Callable[[int], object] = lambda i: None,
    ) -> None:
        import numpy as np

        self.rules = rules
        self.table = table
        self.roll: NDArray[np.int64] = np.asarray(questions.rolls).view()
        self.roll.flags.writeable = False
        self.features: NDArray[np.int64] = np.asarray(questions.features).view()
        self.features.flags.writeable = False
        self._rolls = rolls
        self._rng_seeds = questions.rng_seeds
        self._looked = looked  # is told which position is looked at alone

    def __len__(self) -> int:
        return len(self.roll)

    def _column(self, feature: Feature) -> NDArray[np.int64]:
        return self.features[:, feature]

    @property
    def points(self) -> NDArray[np.int64]:
        """Gathered in this turn before this roll, not yet written."""
        return self._column(Feature.POINTS)

    @property
    def rolls(self) -> NDArray[np.int64]:
        """Rolls of this turn, this one included."""
        return self._column(Feature.ROLLS)

    @property
    def limited_rolls(self) -> NDArray[np.int64]:
        """The same as far as `rules.max_rolls` counts them."""
        return self._column(Feature.LIMITED_ROLLS)

    @property
    def score(self) -> NDArray[np.int64]:
        """Points written so far."""
        return self._column(Feature.SCORE)

    @property
    def opponents(self) -> NDArray[np.int64]:
        """Scores of the others, in turn order after this player; int64[N, S - 1]."""
        return self.features[:, Feature.OPPONENT :]

    @property
    def round(self) -> NDArray[np.int64]:
        """Round of the game, from 1."""
        return self._column(Feature.ROUND)

    @property
    def seat(self) -> NDArray[np.int64]:
        """Place in turn order, from 1."""
        return self._column(Feature.SEAT)

    @property
    def last_round(self) -> NDArray[np.bool_]:
        """Whether somebody has reached the target and this is the last turn."""
        flags: NDArray[np.bool_] = self._column(Feature.LAST_ROUND) == 1
        return flags

    @property
    def to_beat(self) -> NDArray[np.int64]:
        """The highest score of the others."""
        return self._column(Feature.TO_BEAT)

    @property
    def busts(self) -> NDArray[np.int64]:
        """Busts in a row before this turn."""
        return self._column(Feature.BUSTS)

    @property
    def open(self) -> NDArray[np.bool_]:
        """Whether the player has banked once."""
        flags: NDArray[np.bool_] = self._column(Feature.OPEN) == 1
        return flags

    @cached_property
    def can_reroll(self) -> NDArray[np.bool_]:
        """Whether `REROLL_CODE` is legal: nothing kept yet, and a roll is left."""
        import numpy as np

        if not self.rules.reroll_all:
            return np.zeros(len(self), dtype=np.bool_)
        limit = self.rules.max_rolls
        left = self.rolls < MAX_ROLLS_PER_TURN
        if limit:
            left &= self.limited_rolls < limit
        legal: NDArray[np.bool_] = self.table.goes_on[self.roll] & (self.points == 0) & left
        return legal

    def turn(self, i: int) -> Turn:
        """Position i as a `Turn`, for whatever is easier to decide one at a time."""
        self._looked(i)
        row = self.features[i].tolist()
        return Turn(
            self.rules,
            self._rolls[int(self.roll[i])],
            points=row[Feature.POINTS],
            rolls=row[Feature.ROLLS],
            limited_rolls=row[Feature.LIMITED_ROLLS],
            score=row[Feature.SCORE],
            opponents=tuple(row[Feature.OPPONENT :]),
            round=row[Feature.ROUND],
            seat=row[Feature.SEAT],
            last_round=row[Feature.LAST_ROUND] == 1,
            to_beat=row[Feature.TO_BEAT],
            busts=row[Feature.BUSTS],
            open=row[Feature.OPEN] == 1,
            rng_seed=int(self._rng_seeds[i]),
        )


class BatchBot(Bot):
    """Base class of bots that decide many positions at once.

    For policies that are arrays anyway, a neural network or a solved table: NumPy answers thousands
    of positions in the time in which Python answers a few. Such a bot is asked about every position
    (nothing is remembered), a few thousand at a time. What it answers to a position must not depend
    on the others of the batch; a sample is asked again through `decide`, one at a time.

        class Cautious(BatchBot):
            def decide_many(self, positions):
                best = positions.table.points[positions.roll, 0]  # holds[0] of every position
                bank = positions.points + best >= 350
                return np.where(bank, 0, 1)  # hold 0: 2 * 0 banks it, 2 * 0 + 1 rolls on

    Write `decide` too where it is simpler or faster than a batch of one.
    """

    def __init_subclass__(cls, *, remembers: bool | None = None, **kwargs: Any) -> None:
        if remembers:
            raise TypeError(
                f"class {cls.__name__}: a BatchBot has one instance for all games and cannot keep "
                "notes of one; derive from Bot to do so"
            )
        super().__init_subclass__(**kwargs)

    @abstractmethod
    def decide_many(self, positions: Positions) -> NDArray[np.int64]:
        """What to do at each of N positions.

        Returns:
            Whole numbers, [N]: 2 * h to keep hold h and bank, 2 * h + 1 to keep it and roll on; h
            is the index of the hold in `turn.holds` and in `positions.table`. 255 to roll all dice
            again where `positions.can_reroll`. Anything else is a fault at that position, as an
            illegal decision of `decide` is.
        """

    def decide(self, turn: Turn) -> Decision:
        """What to do with this roll: `decide_many` for this position alone."""
        from arena.bots.positions import question_of

        rules = turn.rules
        one = Positions(rules, rule_tables(rules).rolls, table_of(rules), question_of(turn))
        return decision_of(turn, int(codes_of(self.decide_many(one), 1)[0]))


@lru_cache(maxsize=16)
def table_of(rules: Ruleset) -> RollTable:
    """The table of a ruleset; made once per process and ruleset."""
    return roll_table(rule_tables(rules).rolls)


def codes_of(answer: object, count: int) -> NDArray[np.int64]:
    """What `decide_many` answered to so many positions, as int64[N].

    Raises:
        TypeError: it is something else than so many whole numbers.
    """
    import numpy as np

    codes = np.asarray(answer)
    if codes.shape != (count,) or codes.dtype.kind not in "iu":
        raise TypeError(
            f"decide_many() answered {type(answer).__name__} of shape {codes.shape} and type "
            f"{codes.dtype}; it has to return {count} whole numbers, one for each position"
        )
    return codes.astype(np.int64)


def decision_of(turn: Turn, code: int) -> Decision:
    """The decision of a code.

    Raises:
        ValueError: it is no code of a decision of this roll.
    """
    if code == REROLL_CODE:
        return REROLL
    if not 0 <= code < 2 * len(turn.holds):
        raise ValueError(no_such_code(code, len(turn.holds)))
    hold = turn.holds[code >> 1]
    return hold.roll() if code & 1 else hold.bank()


def no_such_code(code: int, holds: int) -> str:
    """What is wrong with a code that is none, for a roll with so many holds."""
    return (
        f"decide_many() answered {code}, which is no decision of this roll; with its {holds} "
        f"hold{'s' * (holds != 1)} 0 to {2 * holds - 1} are allowed: 2 * h keeps hold h and banks, "
        f"2 * h + 1 keeps it and rolls on; and {REROLL_CODE} where positions.can_reroll"
    )

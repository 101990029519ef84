"""How much of a game was dice, and how much was play.

With w the probability that seat 1 wins under perfect play from here on, the result of a game is

    result = w at the start + sum over rolls of the change of w
                            + sum over decisions of the change of w

A roll changes w by luck, a decision by what it falls short of the best one; between turns nothing
changes. Luck is 0 on average, whoever plays, so that

    result - luck of seat 1 + luck of seat 2

has the same mean as the result and mostly a smaller variance: a control variate (White, Bowling,
A Fair and Unbiased Estimator of Poker Performance, 2009: "DIVAT").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from arena.errors import UsageError
from arena.game import Event, Termination
from arena.game.events import (
    Busted,
    Decided,
    GameEnds,
    NothingScored,
    Rolled,
    TurnBegins,
    TurnEnds,
)
from arena.rules import Roll
from arena.solver.plain import PlainTurn
from arena.solver.solved import Solved


@dataclass(frozen=True, slots=True, kw_only=True)
class Luck:
    """A game of two, taken apart; seat 1 first.

    Attributes:
        start: win probability of seat 1 under perfect play before the first roll.
        luck: what each seat won by its own dice, in win probability.
        play: what each seat lost by its decisions; 0 or less.
        result: 1 if seat 1 won, 0 if seat 2 did, 1/2 for a shared win.
    """

    start: float
    luck: tuple[float, float]
    play: tuple[float, float]
    result: float

    @property
    def adjusted(self) -> float:
        """The result of seat 1 without the luck of both; the same on average."""
        return self.result - self.luck[0] + self.luck[1]


def game_luck(solved: Solved, events: Iterable[Event]) -> Luck:
    """Take a game apart.

    Args:
        solved: perfect play of its ruleset.
        events: of a whole game of two, as the referee tells them.

    Raises:
        UsageError: the game was forfeited or is not at its end.
    """
    reader = _Reader(solved)
    for event in events:
        reader.read(event)
    return reader.luck()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What one event of a game of two did.

    Attributes:
        value: probability afterwards, under perfect play from there on, that seat 1 wins; a shared
            win counts half.
        luck: what a roll won for the seat that moves; 0 for any other event.
        play: what a decision lost for it, 0 or less; 0 for any other event.
    """

    value: float
    luck: float
    play: float


def game_steps(solved: Solved, events: Iterable[Event]) -> Iterator[Step]:
    """Follow a game, which may stop anywhere.

    Args:
        solved: perfect play of its ruleset.
        events: of a game of two, as the referee tells them.
    """
    reader = _Reader(solved)
    for event in events:
        luck, play = sum(reader.gains), sum(reader.losses)
        if isinstance(event, GameEnds):
            value = float(1 in event.winners) / len(event.winners)
        else:
            reader.read(event)
            value = 1 - reader.now if reader.mover else reader.now
        yield Step(value=value, luck=sum(reader.gains) - luck, play=sum(reader.losses) - play)


class _Sheet:
    """One player's sheet, in points."""

    def __init__(self) -> None:
        self.score = 0
        self.open = False
        self.busts = 0


class _Reader:
    """Follows a game event by event."""

    def __init__(self, solved: Solved) -> None:
        self.solved = solved
        self.unit = solved.graph.unit
        self.sheets = (_Sheet(), _Sheet())
        self.start: float | None = None
        self.gains = [0.0, 0.0]
        self.losses = [0.0, 0.0]
        self.result: float | None = None
        self.mover = 0
        self.now = 0.0  # value for the mover
        self.last = False
        self.turn: PlainTurn | None = None
        self.roll: Roll | None = None
        self.units = self.counted = 0
        self.busted = False

    def read(self, event: Event) -> None:
        """Take one event in."""
        if isinstance(event, TurnBegins):
            self.begin(event)
        elif isinstance(event, Rolled):
            self.rolled(event.roll)
        elif isinstance(event, NothingScored):
            self.units += event.points // self.unit
        elif isinstance(event, Decided):
            self.decided(event)
        elif isinstance(event, Busted):
            self.bust(event)
        elif isinstance(event, TurnEnds):
            self.end(event)
        else:
            self.finish(event)

    def begin(self, event: TurnBegins) -> None:
        self.mover = event.seat - 1
        own, other = self.sheets[self.mover], self.sheets[1 - self.mover]
        sheets = self.solved.sheets
        if self.last:
            need = (other.score - own.score) // self.unit
            self.turn = self.solved.last_turn_of(need, is_open=own.open)
        else:
            mine, theirs = (
                sheets.index(score=each.score // self.unit, is_open=each.open, busts=each.busts)
                for each in (own, other)
            )
            self.turn = self.solved.turn_of(mine, theirs, number=event.round, seat=event.seat)
        self.now = self.turn.begin
        self.units = self.counted = 0
        self.busted = False
        if self.start is None:
            self.start = self.now

    def rolled(self, roll: Roll) -> None:
        assert self.turn is not None
        self.roll = roll
        self.counted += 1
        after = self.turn.rolled(roll, self.number(), self.units)
        self.gains[self.mover] += after - self.now
        self.now = after

    def number(self) -> int:
        """Number of the roll where rolls are limited."""
        return self.counted if self.solved.rules.max_rolls else 0

    def decided(self, event: Decided) -> None:
        assert self.turn is not None
        assert self.roll is not None
        after = self.turn.decided(self.roll, self.number(), self.units, event.decision.code)
        self.losses[self.mover] += after - self.now
        self.now = after
        hold = event.decision.hold
        if hold is not None:
            self.units += hold.points // self.unit
            if hold.hot and self.solved.rules.rolls_reset_on_hot_dice:
                self.counted = 0

    def bust(self, event: Busted) -> None:
        self.busted = True
        self.sheets[self.mover].score -= event.penalty

    def end(self, event: TurnEnds) -> None:
        sheet = self.sheets[self.mover]
        sheet.score = event.score
        self.last |= event.last_round
        if event.written:
            sheet.open, sheet.busts = True, 0
        elif self.busted:
            penalty = self.solved.rules.bust_penalty
            sheet.busts += 1
            if penalty.after and penalty.resets and sheet.busts >= penalty.after:
                sheet.busts = 0

    def finish(self, event: GameEnds) -> None:
        if event.termination is Termination.FORFEIT:
            raise UsageError("a forfeited game cannot be taken apart into dice and play")
        self.result = float(1 in event.winners) / len(event.winners)

    def luck(self) -> Luck:
        if self.start is None or self.result is None:
            raise UsageError("a game that is not at its end cannot be taken apart")
        return Luck(
            start=self.start,
            luck=(self.gains[0], self.gains[1]),
            play=(self.losses[0], self.losses[1]),
            result=self.result,
        )

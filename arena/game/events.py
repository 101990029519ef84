"""What happens in a game, one event at a time, and how a game ends."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from arena.rules import Decision, Roll


class GameStopped(BaseException):
    """Raised by a player or by the dice to stop a game that shall have no result.

    Not an Exception, so that nobody takes it for a player's fault.
    """


class Termination(StrEnum):
    """Why a game ended."""

    TARGET = "target"
    INSTANT_WIN = "instant win"
    ROUNDS = "rounds"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegins:
    """A player picks up the cup."""

    round: int
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled:
    """Dice on the table."""

    roll: Roll


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A player's decision as it was carried out.

    Attributes:
        decision: what the player answered.
        rolls_on: whether dice are rolled again; may differ from the answer where the rules
            leave one way only.
    """

    decision: Decision
    rolls_on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NothingScored:
    """A roll of all dice that scores nothing, in a ruleset where that is worth points."""

    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Busted:
    """A roll that scores nothing ended the turn."""

    penalty: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnds:
    """What the turn wrote.

    Attributes:
        written: points written, 0 for none.
        score: of the player afterwards.
        last_round: whether this turn was the first to reach the target and others may answer.
    """

    written: int
    score: int
    last_round: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnds:
    """The end.

    Attributes:
        winners: seats that won; more than one is a draw between them.
        scores: by seat.
        termination: why.
    """

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    termination: Termination


Event = TurnBegins | Rolled | Decided | NothingScored | Busted | TurnEnds | GameEnds


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTally:
    """What one seat did in one game.

    Attributes:
        turns: turns begun.
        rolls: rolls thrown.
        busts: turns ended by a bust.
        written: points written, penalties not taken off.
        decisions: questions put to the player.
    """

    turns: int
    rolls: int
    busts: int
    written: int
    decisions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Forfeit:
    """A game lost by a fault of a player.

    Attributes:
        seat: who.
        error: what the player raised; None for an answer that is no legal decision.
        answer: the answer, shortened, where there was one.
        position: the turn that was asked, as text.
    """

    seat: int
    error: BaseException | None
    answer: str
    position: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """How a game came out.

    Attributes:
        winners: seats that won; more than one is a draw between them.
        scores: by seat.
        termination: why the game ended.
        rounds: rounds begun.
        tallies: by seat.
        forfeit: who spoilt it and how, if the game was forfeited.
    """

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    termination: Termination
    rounds: int
    tallies: tuple[SeatTally, ...]
    forfeit: Forfeit | None = None

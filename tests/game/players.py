"""Players and dice for tests: everything that happens is written down beforehand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from arena.bots.loader import find_bots, instantiate, resolve
from arena.game import (
    Event,
    GameResult,
    GameStopped,
    Player,
    Transcript,
    Turn,
    play_game,
    read_transcript,
    replay,
)
from arena.rules import Decision
from tests.rules.loading import tables

BOTS = Path(__file__).parents[2] / "bots"


class Says:
    """A player that answers what a function says, and keeps the turns that it has seen."""

    def __init__(self, answer: Callable[[Turn], Decision]) -> None:
        self.answer = answer
        self.seen: list[Turn] = []

    def decide(self, turn: Turn) -> Decision:
        self.seen.append(turn)
        return self.answer(turn)


def banker() -> Says:
    """Takes the most points and banks."""
    return Says(lambda turn: turn.holds[0].bank())


def roller() -> Says:
    """Takes the most points and rolls on for ever."""
    return Says(lambda turn: turn.holds[0].roll())


def hold(points: int = 300, dice: int = 0) -> Player:
    """The reference bot that comes with arena."""
    return instantiate(resolve(f"hold:points={points},dice={dice}", find_bots([BOTS])))


class WrittenDice:
    """Rolls in the order in which they are asked for; the game stops when they are used up."""

    def __init__(self, rolls: Sequence[str]) -> None:
        self._rolls = iter(rolls)

    def outcome(self, *, seat: int, turn: int, roll: int, dice: int) -> int:
        faces = next(self._rolls, None)
        if faces is None:
            raise GameStopped
        assert len(faces) == dice, f"seat {seat}, turn {turn}, roll {roll}: {dice} dice are rolled"
        return sum((int(face) - 1) * 6**i for i, face in enumerate(faces))


def game(
    spec: str, rolls: Sequence[str], players: Sequence[Player] | None = None
) -> tuple[GameResult, list[Event]]:
    """A game on these rolls to its end, by two bankers if nobody is named, and its events."""
    events: list[Event] = []
    result = play_game(
        tables(spec),
        [banker(), banker()] if players is None else players,
        WrittenDice(rolls),
        listener=events.append,
    )
    return result, events


def dice_game(spec: str, faces: str, seats: int = 2) -> GameResult:
    """A game with one die a turn: the faces in the order in which they are rolled."""
    return game(spec, list(faces.replace(" ", "")), [banker() for _ in range(seats)])[0]


def told(spec: str, text: str, seats: int = 2) -> list[Event]:
    """Replay the lines of a game or of its beginning; raises TranscriptError if one is wrong."""
    names = "\n".join(f"seat {seat}: anybody" for seat in range(1, seats + 1))
    transcript = read_transcript(f"10000 transcript\nrules: {spec}\n{names}\n{text}")
    return replay(transcript, tables(spec))


def told_file(path: Path) -> tuple[Transcript, list[Event]]:
    """Replay a file."""
    transcript = read_transcript(path.read_text(encoding="utf-8"))
    return transcript, replay(transcript, tables(transcript.rules))

"""Transcripts: a game as text that is written, read back and replayed.

    10000 transcript
    rules: tienduizend
    seat 1: hold:points=300
    seat 2: hold:points=500

    round 1, seat 1
      roll 1 2 3 4 5 5
      keep 1 2 3 4 5 5 = 550, roll on
      roll 2 2 3 4 6 6
      bust
      writes 0, score 0
    ...
    end: seat 1 wins by target, scores 10150 9300

Dice stand in ascending order. A transcript may stop anywhere; replayed, it must come out line by
line as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import assert_never

from arena.errors import TranscriptError
from arena.game.events import (
    Busted,
    Decided,
    Event,
    GameEnds,
    GameStopped,
    NothingScored,
    Rolled,
    TurnBegins,
    TurnEnds,
)
from arena.game.referee import play_game
from arena.game.turn import Turn
from arena.rules import REROLL, Decision, RuleTables

HEADER = "10000 transcript"


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A game or the beginning of one.

    Attributes:
        rules: ruleset specification.
        players: names by seat.
        address: how the dice were drawn, as text for people; may be empty.
        lines: the events, one line each.
    """

    rules: str
    players: tuple[str, ...]
    address: str = ""
    lines: tuple[str, ...]

    def text(self) -> str:
        """The transcript as it is written to a file."""
        head = [HEADER, f"rules: {self.rules}"]
        if self.address:
            head.append(f"dice: {self.address}")
        head += [f"seat {i}: {name}" for i, name in enumerate(self.players, start=1)]
        return "\n".join([*head, *self._spaced()]) + "\n"

    def _spaced(self) -> Iterable[str]:
        for line in self.lines:
            if not line.startswith(" "):
                yield ""
            yield line


def event_line(event: Event) -> str:
    """One event as a line of a transcript."""
    match event:
        case TurnBegins():
            return f"round {event.round}, seat {event.seat}"
        case Rolled():
            wins = ", wins at once" if event.roll.instant_win else ""
            return f"  roll {_faces(event.roll.dice)}{wins}"
        case Decided():
            return f"  {_decision(event)}"
        case NothingScored():
            return f"  nothing scores: {event.points}, all dice roll on"
        case Busted():
            return f"  bust, penalty {event.penalty}" if event.penalty else "  bust"
        case TurnEnds():
            last = ", last round" if event.last_round else ""
            return f"  writes {event.written}, score {event.score}{last}"
        case GameEnds():
            who = " and ".join(f"seat {seat}" for seat in event.winners)
            verb = "wins" if len(event.winners) == 1 else "draw"
            scores = " ".join(map(str, event.scores))
            return f"end: {who} {verb} by {event.termination}, scores {scores}"
        case _:
            assert_never(event)


class Recorder:
    """A listener of the referee that keeps the lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, event: Event) -> None:
        """Take down one event."""
        self.lines.append(event_line(event))


def read_transcript(text: str) -> Transcript:
    """Read what `Transcript.text` wrote.

    Raises:
        TranscriptError: the text is no transcript; names the line.
    """
    rows = [(number, line.rstrip()) for number, line in enumerate(text.splitlines(), start=1)]
    rows = [(number, line) for number, line in rows if line]
    if not rows or rows[0][1] != HEADER:
        raise TranscriptError(f"line 1: a transcript begins with {HEADER!r}")
    head: dict[str, str] = {}
    lines: list[str] = []
    for number, line in rows[1:]:
        entry = re.fullmatch(r"(rules|dice|seat \d): (.*)", line)
        if entry and not lines:
            head[entry[1]] = entry[2]
        elif _is_event(line):
            lines.append(line)
        else:
            raise TranscriptError(f"line {number}: {line!r} is no line of a transcript")
    players = tuple(head[f"seat {i}"] for i in range(1, 9) if f"seat {i}" in head)
    if "rules" not in head or len(players) < 2:
        raise TranscriptError("line 2: a transcript names its rules and at least two seats")
    return Transcript(
        rules=head["rules"], players=players, address=head.get("dice", ""), lines=tuple(lines)
    )


def replay(transcript: Transcript, tables: RuleTables) -> list[Event]:
    """Play the transcript again under the referee and compare every line.

    Returns:
        The events, to be shown or counted.

    Raises:
        TranscriptError: a roll or a decision is not possible, or a line differs.
    """
    events: list[Event] = []
    script = _Script(transcript, tables)
    with suppress(GameStopped):
        play_game(tables, [script] * len(transcript.players), script, listener=events.append)
    told = [event_line(event) for event in events]
    for number, (was, comes_out) in enumerate(zip(transcript.lines, told, strict=False), start=1):
        if was != comes_out:
            raise TranscriptError(
                f"event {number}: the transcript says {was.strip()!r}, "
                f"the referee {comes_out.strip()!r}"
            )
    if len(told) < len(transcript.lines):
        extra = transcript.lines[len(told)].strip()
        raise TranscriptError(f"event {len(told) + 1}: {extra!r} follows after the end")
    return events[: len(transcript.lines)]


class _Script:
    """The rolls and the decisions of a transcript, in order; dice and every player at once."""

    def __init__(self, transcript: Transcript, tables: RuleTables) -> None:
        self._tables = tables
        self._rolls = iter([line for line in transcript.lines if line.startswith("  roll ")])
        decided = re.compile(r"  (keep|re-roll)")
        self._decisions = iter([line for line in transcript.lines if decided.match(line)])

    def outcome(self, *, seat: int, turn: int, roll: int, dice: int) -> int:
        line = next(self._rolls, None)
        if line is None:
            raise GameStopped
        faces = [int(face) for face in re.findall(r"\d", line)]
        if len(faces) != dice:
            raise TranscriptError(f"{line.strip()!r}: {dice} dice are rolled here")
        return sum((face - 1) * 6**i for i, face in enumerate(faces))

    def decide(self, turn: Turn) -> Decision:
        line = next(self._decisions, None)
        if line is None:
            raise GameStopped
        if "re-roll" in line:
            return REROLL
        kept = re.fullmatch(r"  keep ([\d ]+) = (\d+), (roll on|bank)", line)
        for hold in turn.holds:
            if kept and hold.points == int(kept[2]) and len(hold.dice) == len(kept[1].split()):
                return hold.roll() if kept[3] == "roll on" else hold.bank()
        raise GameStopped


def _decision(event: Decided) -> str:
    hold = event.decision.hold
    if hold is None:
        return "re-roll all"
    way = "roll on" if event.rolls_on else "bank"
    return f"keep {_faces(hold.dice)} = {hold.points}, {way}"


def _faces(dice: Sequence[int]) -> str:
    return " ".join(map(str, dice))


def _is_event(line: str) -> bool:
    return re.match(r"round \d|end: |  (roll|keep|re-roll|nothing|bust|writes)\b", line) is not None

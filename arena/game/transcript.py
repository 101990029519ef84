"""Transcripts: a game as text that is written, read back and replayed.

    10000 transcript
    rules: tienduizend
    rules key: 1c5f9d2b7a3e8046
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

Dice stand in ascending order. What stands behind # is a remark. The key tells rulesets of one
name apart, and may be left out. A transcript may stop anywhere; replayed, it must come out line by
line as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import zip_longest
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
    Termination,
    TurnBegins,
    TurnEnds,
)
from arena.game.referee import MAX_SEATS, MIN_SEATS, play_game
from arena.game.turn import Turn
from arena.rules import Decision, RuleTables

HEADER = "10000 transcript"


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A game or the beginning of one.

    Attributes:
        rules: ruleset specification.
        players: names by seat.
        rules_key: `Ruleset.key`; may be empty.
        address: how the dice were drawn, as text for people; may be empty.
        lines: the events, one line each.
        numbers: where the lines stand in the file that they were read from, from 1; else empty.
    """

    rules: str
    players: tuple[str, ...]
    rules_key: str = ""
    address: str = ""
    lines: tuple[str, ...]
    numbers: tuple[int, ...] = field(default=(), compare=False)

    def text(self, remarks: Sequence[str] = ()) -> str:
        """The transcript as it is written to a file.

        Args:
            remarks: to stand beside the lines, behind #; empty ones do not.
        """
        head = [HEADER, f"rules: {self.rules}"]
        if self.rules_key:
            head.append(f"rules key: {self.rules_key}")
        if self.address:
            head.append(f"dice: {self.address}")
        head += [f"seat {i}: {name}" for i, name in enumerate(self.players, start=1)]
        return "\n".join([*head, *self._spaced(remarks)]) + "\n"

    def _spaced(self, remarks: Sequence[str]) -> Iterable[str]:
        width = max(map(len, self.lines), default=0)
        for line, remark in zip_longest(self.lines, remarks, fillvalue=""):
            if not line.startswith(" "):
                yield ""
            yield f"{line:{width}}  # {remark}" if remark else line


def event_line(event: Event) -> str:
    """One event as a line of a transcript."""
    match event:
        case TurnBegins():
            return f"round {event.round}, seat {event.seat}"
        case Rolled():
            wins = ", wins at once" if event.roll.instant_win else ""
            return f"  roll {_faces(event.roll.dice)}{wins}"
        case Decided():
            return f"  {_decision(event.decision, event.rolls_on)}"
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
    rows = [(number, _without_remark(line)) for number, line in rows]
    rows = [(number, line) for number, line in rows if line]
    if not rows or rows[0][1] != HEADER:
        number = rows[0][0] if rows else 1
        raise TranscriptError(f"line {number}: a transcript begins with {HEADER!r}")
    head: dict[str, str] = {}
    lines: dict[int, str] = {}
    for number, line in rows[1:]:
        entry = None if lines else re.fullmatch(r"(rules|rules key|dice|seat \d): (.*)", line)
        if entry and entry[1] in head:
            raise TranscriptError(f"line {number}: {entry[1]!r} is there twice")
        if entry:
            head[entry[1]] = entry[2]
        elif _is_event(line):
            lines[number] = line
        else:
            raise TranscriptError(f"line {number}: {line!r} is no line of a transcript")
    if "rules" not in head:
        raise TranscriptError("a transcript names its ruleset in a line 'rules: NAME'")
    return Transcript(
        rules=head["rules"],
        players=_players(head),
        rules_key=head.get("rules key", ""),
        address=head.get("dice", ""),
        lines=tuple(lines.values()),
        numbers=tuple(lines),
    )


def _players(head: dict[str, str]) -> tuple[str, ...]:
    seats = [key for key in head if key.startswith("seat ")]
    if not MIN_SEATS <= len(seats) <= MAX_SEATS or sorted(seats) != [
        f"seat {i}" for i in range(1, len(seats) + 1)
    ]:
        raise TranscriptError(
            f"a transcript names {MIN_SEATS} to {MAX_SEATS} players in lines "
            f"'seat 1: NAME', 'seat 2: NAME' and so on; found: {', '.join(seats) or 'none'}"
        )
    return tuple(head[seat] for seat in sorted(seats))


def replay(transcript: Transcript, tables: RuleTables) -> list[Event]:
    """Play the transcript again under the referee and compare every line.

    Returns:
        The events of the transcript, to be shown or counted.

    Raises:
        TranscriptError: a roll or a decision is not possible, or a line differs.
    """
    events: list[Event] = []
    script = _Script(transcript.lines, events)
    with suppress(GameStopped):
        play_game(tables, [script] * len(transcript.players), script, listener=events.append)
    for number, (line, event) in enumerate(zip(transcript.lines, events, strict=False)):
        comes_out = event_line(event)
        if line != comes_out:
            raise _differs(transcript, number, f"the referee says {comes_out.strip()!r}")
    if len(events) < len(transcript.lines):
        why = script.problem or "the game has ended before"
        raise _differs(transcript, len(events), why)
    return events[: len(transcript.lines)]


def _differs(transcript: Transcript, number: int, why: str) -> TranscriptError:
    lines = transcript.lines
    turn = next((line for line in reversed(lines[: number + 1]) if line.startswith("round")), "")
    line = f"line {transcript.numbers[number]}, " if transcript.numbers else ""
    where = f"{line}event {number + 1}{f' ({turn})' if turn else ''}"
    return TranscriptError(f"{where}: the transcript says {lines[number].strip()!r}, but {why}")


class _Script:
    """The rolls and the decisions of a transcript; dice and every player at once.

    The line that comes next is the one after the events that the referee has told. Where it does
    not fit, the game stops and `problem` says why.
    """

    def __init__(self, lines: Sequence[str], events: Sequence[Event]) -> None:
        self.problem = ""
        self._lines = lines
        self._events = events

    def outcome(self, *, seat: int, turn: int, roll: int, dice: int) -> int:
        line = self._next()
        faces = [int(face) for face in re.findall(r"\d+", line)]
        if (
            not line.startswith("  roll ")
            or len(faces) != dice
            or not set(faces) <= set(range(1, 7))
        ):
            raise self._stopped(f"the referee rolls {dice} dice here, with faces 1 to 6")
        return sum((face - 1) * 6**i for i, face in enumerate(faces))

    def decide(self, turn: Turn) -> Decision:
        line = self._next()
        if line.startswith("end: ") and f" by {Termination.FORFEIT}," in line:
            raise _Spoilt
        possible = _possible(turn)
        if line.strip() not in possible:
            raise self._stopped(f"possible are: {'; '.join(possible)}")
        return possible[line.strip()]

    def _next(self) -> str:
        number = len(self._events)
        if number >= len(self._lines):
            raise GameStopped
        return self._lines[number]

    def _stopped(self, problem: str) -> GameStopped:
        self.problem = problem
        return GameStopped()


class _Spoilt(Exception):  # noqa: N818 - stands for the fault of the player, it is no error here
    """What a player did that forfeited its game, as far as a transcript tells."""


def _possible(turn: Turn) -> dict[str, Decision]:
    """Every decision that the referee would carry out as it stands, by its line."""
    ways: list[tuple[Decision, bool]] = []
    for hold in turn.holds:
        if turn.can_roll(hold):
            ways.append((hold.roll(), True))
        if not turn.must_roll(hold):
            ways.append((hold.bank(), False))
    if turn.can_reroll:
        ways.append((turn.reroll(), True))
    return {_decision(decision, rolls_on): decision for decision, rolls_on in ways}


def _decision(decision: Decision, rolls_on: bool) -> str:
    if decision.hold is None:
        return "re-roll all"
    way = "roll on" if rolls_on else "bank"
    return f"keep {_faces(decision.hold.dice)} = {decision.hold.points}, {way}"


def _faces(dice: Sequence[int]) -> str:
    return " ".join(map(str, dice))


def _without_remark(line: str) -> str:
    """A line without what stands behind #; a name may have one."""
    return line if line.startswith("seat ") else line.partition("#")[0].rstrip()


def _is_event(line: str) -> bool:
    return re.match(r"round \d|end: |  (roll|keep|re-roll|nothing|bust|writes)\b", line) is not None

"""Transcripts: what is read, what is refused and how it is said."""

from __future__ import annotations

import pytest

from arena.errors import TranscriptError
from arena.game import (
    GameStopped,
    Recorder,
    Transcript,
    Turn,
    event_line,
    play_game,
    read_transcript,
    replay,
)
from arena.rules import Decision
from tests.game.players import Says, WrittenDice, banker, told
from tests.rules.loading import tables

HEAD = """10000 transcript
rules: tienduizend
dice: written down
seat 1: one
seat 2: two
"""
BEGIN = """
round 1, seat 1
  roll 1 1 1 2 3 4
  keep 1 1 1 = 1000, roll on
  roll 1 2 3
  keep 1 = 100, bank
  writes 1100, score 1100
"""


def test_reading() -> None:
    transcript = read_transcript("# by hand\n\n" + HEAD + "# so far\n" + BEGIN + "\n\n")
    assert transcript == Transcript(
        rules="tienduizend",
        players=("one", "two"),
        address="written down",
        lines=tuple(line for line in BEGIN.splitlines() if line),
    )
    assert transcript.text() == HEAD + BEGIN


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: a transcript begins with '10000 transcript'"),
        ("\n\nhello\n", "line 3: a transcript begins with"),
        ("10000 transcript\nseat 1: a\nseat 2: b\n", "names its ruleset in a line 'rules: NAME'"),
        ("10000 transcript\nrules: x\n", "lines 'seat 1: NAME', .*; found: none"),
        ("10000 transcript\nrules: x\nseat 1: a\n", "2 to 8 players .* found: seat 1$"),
        ("10000 transcript\nrules: x\nseat 1: a\nseat 3: b\n", "found: seat 1, seat 3$"),
        ("10000 transcript\nrules: x\nseat 0: a\nseat 1: b\n", "found: seat 0, seat 1$"),
        ("10000 transcript\nrules: x\nrules: y\n", "line 3: 'rules' is there twice"),
        (HEAD + "round 1, seat 1\n  sing\n", "line 7: '  sing' is no line of a transcript"),
        (HEAD + "round 1, seat 1\nrules: x\n", "line 7: 'rules: x' is no line of a transcript"),
        (HEAD + "round 1, seat 1\nroll 1\n", "line 7: 'roll 1' is no line"),
    ],
)
def test_what_is_no_transcript(text: str, message: str) -> None:
    with pytest.raises(TranscriptError, match=message):
        read_transcript(text)


@pytest.mark.parametrize(
    ("was", "now", "message"),
    [
        (
            "round 1, seat 1",
            "round 1, seat 2",
            "line 6, event 1 .*the referee says 'round 1, seat 1'",
        ),
        ("roll 1 1 1 2 3 4", "roll 1 1 1 2 4 3", "the referee says 'roll 1 1 1 2 3 4'"),
        ("roll 1 1 1 2 3 4", "roll 1 1 1 2 3", "the referee rolls 6 dice here, with faces 1 to 6"),
        ("roll 1 1 1 2 3 4", "roll 1 1 1 2 3 7", "the referee rolls 6 dice here"),
        ("roll 1 1 1 2 3 4", "roll 0 1 1 2 3 4", "the referee rolls 6 dice here"),
        ("roll 1 2 3", "roll 1 23", "line 9, event 4 .*the referee rolls 3 dice here"),
        ("  roll 1 2 3\n", "", "but the referee rolls 3 dice here"),
        (
            "keep 1 1 1 = 1000, roll",
            "keep 1 1 1 = 900, roll",
            "possible are: keep 1 1 1 = 1000, ro",
        ),
        ("keep 1 1 1 = 1000, roll on", "re-roll", "possible are: .*; re-roll all$"),
        (
            "keep 1 = 100, bank",
            "keep 2 = 100, bank",
            r"event 5 \(round 1, seat 1\): the transcript",
        ),
        ("  keep 1 = 100, bank\n", "", "says 'writes 1100, score 1100', but possible are"),
        ("  keep 1 = 100, bank\n", "  bust\n", "says 'bust', but possible are"),
        ("writes 1100", "writes 1000", "the referee says 'writes 1100, score 1100'"),
        ("score 1100", "score 1100, last round", "the referee says 'writes 1100, score 1100'"),
    ],
)
def test_what_does_not_replay(was: str, now: str, message: str) -> None:
    assert was in BEGIN
    with pytest.raises(TranscriptError, match=message):
        told("tienduizend", BEGIN.replace(was, now, 1))


def test_a_transcript_may_stop_anywhere() -> None:
    lines = BEGIN.strip().splitlines(True)
    for stop in range(len(lines) + 1):
        assert len(told("tienduizend", "".join(lines[:stop]))) == stop


END = """
round 1, seat 1
  roll 1
  keep 1 = 100, bank
  writes 100, score 100
end: seat 1 wins by target, scores 100 0
"""
SHORT = "die:target=100,end=first_to_target"


def test_the_end() -> None:
    assert len(told(SHORT, END)) == 5
    with pytest.raises(TranscriptError, match="'round 1, seat 2', but the game has ended before"):
        told(SHORT, END + "round 1, seat 2\n")
    with pytest.raises(TranscriptError, match="the referee says 'end: seat 1 wins by target"):
        told(SHORT, END.replace("seat 1 wins", "seat 2 wins"))


def test_how_events_read() -> None:
    text = """
round 1, seat 1
  roll 6
  bust, penalty 50
  writes 0, score -50
round 1, seat 2
  roll 1
  keep 1 = 100, bank
  writes 100, score 100
end: seat 2 wins by rounds, scores -50 100
"""
    told("die:rounds=1,bust_penalty={after=1,points=50}", text)
    drawn = "round 1, seat 1\n  roll 6\n  bust\n  writes 0, score 0\n"
    drawn += drawn.replace("seat 1", "seat 2") + "end: seat 1 and seat 2 draw by rounds, scores 0 0"
    told("die:rounds=1", drawn)


@pytest.mark.parametrize("seats", [2, 3])
def test_a_forfeited_game_replays(seats: int) -> None:
    def answer(turn: Turn) -> Decision:
        if turn.rolls == 2:
            raise ValueError("lost my way")
        return turn.holds[0].roll()

    recorder = Recorder()
    players = [banker(), Says(answer), banker()][:seats]
    rolls = WrittenDice(["223346", "112234", "1234"])
    play_game(tables("tienduizend"), players, rolls, listener=recorder)
    assert "by forfeit" in recorder.lines[-1]
    told("tienduizend", "\n".join(recorder.lines), seats)
    # Without its last line the game has just not been finished.
    told("tienduizend", "\n".join(recorder.lines[:-1]), seats)


def test_a_stopped_game_leaves_its_beginning() -> None:
    recorder = Recorder()
    with pytest.raises(GameStopped):
        play_game(
            tables("tienduizend"), [banker(), banker()], WrittenDice(["111234"]), listener=recorder
        )
    names = ("one", "two")
    transcript = Transcript(rules="tienduizend", players=names, lines=tuple(recorder.lines))
    lines = [event_line(event) for event in replay(transcript, tables("tienduizend"))]
    assert lines == recorder.lines

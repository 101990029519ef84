"""`arena match`: the shape of its answer, and what it says when something is wrong."""

from __future__ import annotations

import math
import re
import shlex
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.running import ROOT, Arena, processes_of, start

RULES = "zehntausend-2:target=2000"
FAULTY = ROOT / "tests" / "data" / "faulty_bots" / "faulty.py"


@pytest.fixture
def arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Arena:
    monkeypatch.chdir(tmp_path)
    return Arena(monkeypatch, capsys)


def test_the_document(arena: Arena) -> None:
    ran = arena("match", "hold", "greedy", "--rules", RULES, "--games", 40, "--seed", 5, "--json")
    assert ran.code == 0
    document = ran.document
    assert list(document) == [
        "rules",
        "games",
        "blocks",
        "seed",
        "digest",
        "bots",
        "seats",
        "faults",
    ]
    assert (document["rules"], document["games"], document["blocks"]) == (RULES, 40, 20)
    assert document["seed"] == 5
    assert len(document["digest"]) == 64
    assert [bot["bot"] for bot in document["bots"]] == ["hold", "greedy"]
    for bot in document["bots"]:
        assert list(bot) == [
            *("bot", "wins", "draws", "losses", "forfeits", "score", "score_low", "score_high"),
            *("elo", "elo_low", "elo_high", "points_per_turn", "turns_per_game", "bust_rate"),
            *("decisions", "questions"),
        ]
        assert bot["wins"] + bot["draws"] + bot["losses"] == 40
        assert bot["score"] == (bot["wins"] + bot["draws"] / 2) / 40
        assert bot["score_low"] <= bot["score"] <= bot["score_high"]
        assert bot["elo_low"] <= bot["elo"] <= bot["elo_high"]
        assert 0 <= bot["bust_rate"] <= 1
    assert document["seats"] == [
        {"seat": seat, "wins": wins, "draws": draws}
        for seat, (wins, draws) in enumerate(
            ((each["wins"], each["draws"]) for each in document["seats"]), start=1
        )
    ]
    assert sum(seat["wins"] for seat in document["seats"]) == 40


def test_workers_chunks_and_bot_names_do_not_matter(arena: Arena) -> None:
    options = ("--rules", RULES, "--games", 60, "--json")
    digests = {
        arena("match", *bots, *options, *more).document["digest"]
        for bots in (("hold", "moody"), ("hold:points=300", "moody"))
        for more in (("--workers", 1), ("--workers", 2), ("--workers", 2, "--chunk", 1))
    }
    assert len(digests) == 1


def test_games_are_rounded_up_to_whole_blocks(arena: Arena) -> None:
    ran = arena("match", "hold", "greedy", "random", "--rules", RULES, "--games", 10, "--json")
    assert ran.document["games"] == 12
    assert "10 games are rounded up to 12: 4 blocks of 3" in ran.err


def test_fixed_seats_keep_the_order(arena: Arena) -> None:
    options = ("--rules", RULES, "--games", 11, "--fixed-seats", "--json")
    document = arena("match", "hold", "greedy", *options).document
    assert (document["games"], document["blocks"]) == (11, 11)
    assert [bot["wins"] for bot in document["bots"]] == [seat["wins"] for seat in document["seats"]]


def test_a_bot_against_itself_is_exactly_even(arena: Arena) -> None:
    bots = arena("match", "moody", "moody", "--rules", RULES, "--games", 50, "--json").document[
        "bots"
    ]
    for bot in bots:
        assert bot["score"] == 0.5
        assert bot["elo"] == 0.0
        assert bot["elo_low"] < 0 < bot["elo_high"]


@pytest.mark.parametrize("games", [1, 2, 20])
def test_nothing_but_defeats_is_still_finite(arena: Arena, games: int) -> None:
    ran = arena("match", "hold", f"{FAULTY}:Word", "--rules", RULES, "--games", games, "--json")
    for bot in ran.document["bots"]:
        assert all(math.isfinite(value) for value in bot.values() if isinstance(value, float))
    assert ran.document["bots"][1]["score"] == 0.0
    assert ran.document["bots"][1]["forfeits"] == ran.document["games"]


def test_text_for_people(arena: Arena) -> None:
    ran = arena("match", "hold", "greedy", "--rules", RULES, "--games", 20)
    assert ran.out.startswith(f"{RULES}: 20 games in 10 blocks (all rotations), seed 1\n")
    assert "digest " in ran.out


def test_a_fault_is_shown_with_its_traceback(arena: Arena) -> None:
    ran = arena("match", "hold", f"{FAULTY}:Raises", "--rules", RULES, "--games", 10)
    assert ran.code == 0
    assert "exception: ZeroDivisionError" in ran.err
    assert "in compute" in ran.err
    assert "it printed last:\n    so far so good" in ran.err
    assert "it could have answered" in ran.err
    [replay] = [line for line in ran.err.splitlines() if "the game up to there" in line]
    again = arena(*shlex.split(replay.partition(": ")[2])[1:])
    assert "exception: ZeroDivisionError" in again.err
    assert "by forfeit" in again.out
    assert ran.err.count("ZeroDivisionError") == 2


def test_what_bots_print_does_not_reach_standard_output(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    process = start(
        tmp_path, "match", "hold", f"{FAULTY}:Prints", "--rules", RULES, "--games", 4, "--json"
    )
    out, err = process.communicate()
    assert out.startswith("{\n")
    assert "noise" not in out + err


@pytest.mark.parametrize(
    ("arguments", "code", "part"),
    [
        (("hold", "hodl", "--rules", RULES), 2, "did you mean hold?"),
        (("hold", "hold:pionts=3", "--rules", RULES), 2, "did you mean points?"),
        (("hold", "greedy", "--rules", "tienduizent"), 3, "did you mean tienduizend?"),
        (("hold", "greedy", "--rules", "tienduizend:tagret=1"), 3, "did you mean target?"),
        (("hold", "greedy", "--rules", RULES, "--games", "0"), 2, "0 is not 1 or more"),
        (("hold", "greedy", "--rules", RULES, "--workers", "-1"), 2, "-1 is not 0 or more"),
        (("hold", "greedy"), 2, "missing option --rules: a ruleset such as tienduizend"),
        (("hold", "--rules", RULES), 2, "2 to 8 bots, not 1"),
        (("hold",) * 9 + ("--rules", RULES), 2, "2 to 8 bots, not 9"),
        (("hold", "none.py", "--rules", RULES), 2, "none.py"),
        (("hold", "greedy", "--rules", RULES, "--engine", "warp"), 2, "referee"),
    ],
)
def test_a_wrong_word_is_one_clear_message(
    arena: Arena, arguments: tuple[str, ...], code: int, part: str
) -> None:
    ran = arena("match", *arguments)
    assert ran.code == code
    assert part in ran.err
    assert "Traceback" not in ran.err
    assert ran.out == ""


def test_a_missing_ruleset_and_a_wrong_bot_are_told_together(arena: Arena) -> None:
    ran = arena("match", "hold", "hodl")
    assert ran.code == 2
    assert "missing option --rules" in ran.err
    assert "there is no bot 'hodl'; did you mean hold?" in ran.err


def test_seats_have_intervals_where_they_change(arena: Arena) -> None:
    bots = ("hold", "greedy", "random", "hold:points=500")
    options = ("--rules", RULES, "--games", 40, "--workers", 1)
    rotated = arena("match", *bots, *options).out
    [head] = [line for line in rotated.splitlines() if line.startswith("seat ")]
    assert head.endswith("95 % interval")
    seats = re.findall(r"^   ?([1-4]) .* ([0-9.]+) %  +([0-9.]+) % to ([0-9.]+) %$", rotated, re.M)
    assert [seat for seat, *_ in seats] == ["1", "2", "3", "4"]
    assert all(float(low) < float(score) < float(high) for _, score, low, high in seats)
    assert sum(float(score) for _, score, _, _ in seats) == pytest.approx(100, abs=0.2)
    fixed = arena("match", *bots, *options, "--fixed-seats").out
    [head] = [line for line in fixed.splitlines() if line.startswith("seat ")]
    assert "interval" not in head


def test_a_closed_pipe_is_no_failure(tmp_path: Path) -> None:
    with start(tmp_path, "match", "hold", "greedy", "--rules", RULES, "--games", 10) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert "Traceback" not in process.stderr.read()


def test_ctrl_c_shows_what_was_played(tmp_path: Path) -> None:
    process = start(tmp_path, "match", "hold", "greedy", "--rules", "tienduizend",
                    "--games", 10**7, "--engine", "referee", "--trust")  # fmt: skip
    _until_workers(process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "of 10,000,000 games" in err
    assert "Traceback" not in err
    assert out.startswith("tienduizend: ") or not out
    assert processes_of(process.pid) == []


def _until_workers(process: subprocess.Popen[str]) -> None:
    """Wait until workers play."""
    while len(processes_of(process.pid)) < 2 and process.poll() is None:
        time.sleep(0.05)
    time.sleep(1.0)


def test_what_the_blocks_saved_is_told(arena: Arena) -> None:
    options = ("--rules", RULES, "--games", 200, "--workers", 1)
    ran = arena("match", "hold", "hold:points=500", *options)
    saved = re.search(r"blocks save x([0-9.]+): without the same dice it would take", ran.out)
    assert saved is not None
    assert float(saved[1]) > 1.2
    ran = arena("match", "hold:points=300", "hold:points=350", *options)
    assert "play alike on zehntausend-2:target=2000: every block is one half" in ran.out
    assert "save" not in arena("match", "hold", "greedy", *options, "--fixed-seats").out


def test_all_wrong_bots_are_told_together(arena: Arena) -> None:
    ran = arena("match", "hodl", "gredy", "hold:goal=3", "hold", "--rules", "tienduizend")
    assert ran.code == 2
    assert "there is no bot 'hodl'; did you mean hold?" in ran.err
    assert "there is no bot 'gredy'; did you mean greedy?" in ran.err
    assert "there is no parameter goal" in ran.err

"""`arena replay`: transcripts and games of matches."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import ROOT, Arena

GOLDEN = Path(__file__).parents[1] / "game" / "golden"
TAME = "zehntausend-2:target=2000"

FAULTY = '''
from arena import Bot, Decision, Turn


class Faulty(Bot):
    """Prints, and raises in its second turn."""

    def decide(self, turn: Turn) -> Decision:
        print("this must not be seen")
        if turn.round > 1:
            raise ZeroDivisionError("not again")
        return turn.holds[0].bank()
'''


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_golden_transcripts(arena: Arena, path: Path) -> None:
    ran = arena("replay", path)
    assert (ran.code, ran.err) == (0, "")
    text = path.read_text(encoding="utf-8")
    own = [line for line in text.splitlines() if not line.startswith("#")]
    assert ran.out.splitlines()[: len(own)] == own
    verdict = ran.out.splitlines()[-1]
    finished = "\nend: " in text
    assert verdict.startswith("# replays: ")
    assert verdict.endswith("the game is not finished") != finished
    document = arena("replay", path, "--json").document
    assert document["finished"] == finished
    assert bool(document["winners"]) == finished


@pytest.mark.parametrize("place", [["--block", "3"], ["--block", "3", "--rotation", "1"], []])
def test_a_game_of_a_match_replays(arena: Arena, tmp_path: Path, place: list[str]) -> None:
    first = arena("replay", "hold", "hold:points=500", "--rules", TAME, "--seed", 5, *place)
    assert first.code == 0
    (tmp_path / "game.txt").write_text(first.out)
    again = arena("replay", "game.txt")
    assert again.out == first.out
    assert "won by seat" in again.out
    rotation = 1 if "--rotation" in place else 0
    seats = ["hold", "hold:points=500"] if not rotation else ["hold:points=500", "hold"]
    assert f"seat 1: {seats[0]}\nseat 2: {seats[1]}\n" in first.out


def test_games_of_a_match_are_those_of_the_match(arena: Arena) -> None:
    """Wins counted from replays are the wins of `arena match`."""
    bots = ["hold", "random", "greedy"]
    options = ["--rules", TAME, "--seed", 9]
    match = arena("match", *bots, *options, "--games", 6, "--workers", 1, "--json").document
    wins = dict.fromkeys(bots, 0)
    for block in range(2):
        for rotation in range(3):
            place = ["--block", block, "--rotation", rotation]
            document = arena("replay", *bots, *options, *place, "--json").document
            (winner,) = document["winners"]
            wins[document["players"][winner - 1]] += 1
    assert {row["bot"]: row["wins"] for row in match["bots"]} == wins


def test_fixed_seats_are_another_match(arena: Arena) -> None:
    game = arena("replay", "hold", "greedy", "--rules", TAME)
    fixed = arena("replay", "hold", "greedy", "--rules", TAME, "--fixed-seats")
    assert game.out != fixed.out
    assert "dice: seed 1, block 0, rotation 0, fixed seats\n" in fixed.out


@pytest.mark.parametrize("apart", [["--trust"], ["--isolation", "limits"]])
def test_a_forfeited_game(arena: Arena, tmp_path: Path, apart: list[str]) -> None:
    (tmp_path / "faulty.py").write_text(FAULTY)
    ran = arena("replay", "faulty.py", "hold:points=9000", "--rules", "zehntausend-2", *apart)
    assert ran.code == 0
    assert "this must not be seen" not in ran.out
    assert "end: seat 2 wins by forfeit" in ran.out
    assert "faulty.py: exception: ZeroDivisionError: not again" in ran.err
    assert 'raise ZeroDivisionError("not again")' in ran.err
    (tmp_path / "game.txt").write_text(ran.out)
    again = arena("replay", "game.txt")
    assert (again.code, again.out) == (0, ran.out)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["nothing.txt"], 3, "nothing.txt: cannot be read: No such file or directory"),
        (["latin.txt"], 3, "latin.txt: is not UTF-8 text"),
        (["poem.txt"], 3, "poem.txt: line 1: a transcript begins with '10000 transcript'"),
        (["unknown.txt"], 3, "there is no such ruleset"),
        (["wrong.txt"], 3, "wrong.txt: line 7, event 3 (round 1, seat 1): the transcript says"),
        (["hold", "greedy"], 2, "give one transcript, or bots with --rules"),
        (["hold", "--rules", TAME], 2, "a game needs 2 to 8 bots, not 1"),
        (["hold"] * 9 + ["--rules", TAME], 2, "a game needs 2 to 8 bots, not 9"),
        (["hold", "gredy", "--rules", TAME], 2, "greedy"),
        (
            ["hold", "greedy", "--rules", TAME, "--rotation", "2"],
            2,
            "--rotation 2: rotations of 2 bots, they count from 0 to 1",
        ),
        (
            ["hold", "greedy", "--rules", TAME, "--rotation", "1", "--fixed-seats"],
            2,
            "--rotation 1: rotations with --fixed-seats there is one",
        ),
        (["hold", "greedy", "--rules", TAME, "--block", "-1"], 2, "--block"),
    ],
)
def test_mistakes(
    arena: Arena, tmp_path: Path, arguments: list[str], code: int, message: str
) -> None:
    head = "10000 transcript\nrules: zehntausend-1\nseat 1: a\nseat 2: b\n"
    (tmp_path / "poem.txt").write_text("Roses are red\n")
    (tmp_path / "latin.txt").write_bytes("Zwölf".encode("latin-1"))
    (tmp_path / "unknown.txt").write_text(head.replace("zehntausend-1", "nonsense"))
    (tmp_path / "wrong.txt").write_text(
        head + "round 1, seat 1\n  roll 1 2 3 3 4\n  keep 2 = 20, bank\n"
    )
    ran = arena("replay", *arguments)
    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err


def test_rules_that_have_changed_are_told(arena: Arena, tmp_path: Path) -> None:
    rules = tmp_path / "configs" / "rules"
    rules.mkdir(parents=True)
    house = ROOT / "configs" / "rules" / "zehntausend-2.toml"
    (rules / "home.toml").write_text(house.read_text())
    ran = arena("replay", "hold", "greedy", "--rules", "home")
    game = tmp_path / "game.txt"
    game.write_text(ran.out)
    assert "\nrules key: " in ran.out
    assert arena("replay", game).err == ""

    other = tmp_path / "other.txt"
    key = ran.out.partition("rules key: ")[2].partition("\n")[0]
    other.write_text(ran.out.replace(key, "0" * 16))
    again = arena("replay", other)
    assert again.code == 0
    assert f"not those that this game was played by (key {'0' * 16} then, {key} now)" in again.err
    assert "comes out as it is written all the same" in again.err

    (rules / "home.toml").write_text(house.read_text().replace("\n5 = 50", "\n5 = 60"))
    again = arena("replay", game)
    assert again.code == 3
    assert f"the rules named 'home' are not those that this game was played by (key {key} then" in (
        again.err
    )


def test_luck_stands_beside_the_lines(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    words = ("replay", "hold", "greedy", "--rules", TAME, "--seed", 5)
    refused = arena(*words, "--luck")
    assert refused.code == 2
    assert "arena solve" in refused.err
    assert arena("solve", TAME).code == 0
    ran = arena(*words, "--luck")
    plain = arena(*words)
    own = [line.partition("#")[0].rstrip() for line in ran.out.splitlines()]
    assert own[:-1] == plain.out.splitlines()[:-1]
    (tmp_path / "game.txt").write_text(ran.out)
    assert arena("replay", "game.txt", "--luck").out == ran.out
    told = arena(*words, "--luck", "--json").document
    lines, luck, play = told["lines"], told["luck"], told["play"]
    assert told["win_probability"][-1] == (1.0 if told["winners"] == [1] else 0.0)
    assert all(value == 0 for line, value in zip(lines, luck, strict=True) if line[:4] != "roll")
    assert max(play) <= 1e-9
    first = next(line for line in ran.out.splitlines() if line.startswith("  roll"))
    assert f"dice {100 * luck[1]:+.1f}" in first
    assert "gave away" in ran.out.splitlines()[-3]


def test_luck_is_for_games_of_two(arena: Arena) -> None:
    ran = arena("replay", "hold", "greedy", "random", "--rules", TAME, "--luck")
    assert (ran.code, ran.err) == (2, "arena: --luck: for games of two, not of 3\n")

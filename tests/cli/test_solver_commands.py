"""`arena solve`, `exact`, `exploit` and `blunders`, as users and programs call them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Arena
from tests.rules.loading import vectors

SMALL = "greed:target=600"


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_solve(arena: Arena) -> None:
    ran = arena("solve", SMALL, "--json")
    assert ran.code == 0
    assert ran.document["rules"] == SMALL
    assert 0.5 < ran.document["first_player_wins"] < 0.7
    assert ran.document["residual"] < 1e-9
    assert "pairs of scores" in ran.err
    again = arena("solve", SMALL, "--json")
    assert again.document == ran.document


def test_solve_patch_turn(arena: Arena) -> None:
    published = vectors("published")["patch"]["E"]
    ran = arena("solve", "patch", "--turn", "--json")
    assert ran.document["points_per_turn"] == pytest.approx(published, abs=1e-6)
    assert ran.document["first_player_wins"] is None


def test_solve_what_sinks_without_end(arena: Arena) -> None:
    ran = arena("solve", "farkle-fest:target=500,bust_penalty.floor=none", "--json")
    assert ran.code == 0
    assert ran.document["first_player_wins"] is None
    assert "give them a floor" in ran.err


def test_exact(arena: Arena) -> None:
    expected = vectors("exact_games")["zehntausend-2"]["two_player"]
    pair = "hold:points=300,dice=0 vs hold:points=500,dice=0"
    first, second = pair.split(" vs ")
    ran = arena("exact", first, second, "--rules", "zehntausend-2", "--trust", "--json")
    assert ran.document["bots"] == [first, second]
    assert ran.document["wins"] == pytest.approx(
        [expected[pair]["first_higher"], expected[pair]["second_higher"]], abs=1e-9
    )
    assert ran.document["draw"] == 0.0


def test_exact_knows_both_seats(arena: Arena) -> None:
    options = ("--rules", SMALL, "--trust", "--quiet", "--json")
    one = arena("exact", "hold", "greedy", *options).document
    other = arena("exact", "greedy", "hold", *options).document
    assert one["seats_changed"]["wins"] == pytest.approx(other["wins"], abs=1e-12)
    assert one["score"] + other["score"] == pytest.approx(1, abs=1e-9)
    assert one["elo"] == pytest.approx(-other["elo"], abs=1e-6)
    wins = (one["wins"][0] + one["seats_changed"]["wins"][1]) / 2
    assert one["score"] == pytest.approx(wins + one["draw"] / 2, abs=1e-9)
    even = arena("exact", "hold", "hold", *options).document
    assert even["score"] == pytest.approx(0.5, abs=1e-12)


def test_solve_tells_the_opening_where_there_is_one(arena: Arena) -> None:
    assert "before the opening" in arena("solve", SMALL, "--turn").out
    assert "before the opening" not in arena("solve", "zehntausend-2", "--turn").out


def test_exact_text(arena: Arena) -> None:
    ran = arena("exact", "hold", "greedy", "--rules", SMALL, "--trust", "--turns")
    assert ran.code == 0
    assert "144 pairs of scores" in ran.err  # how large, and how long, beforehand
    assert "hold looks at no score" in ran.err
    assert "rounds a game" in ran.out
    assert "hold in seat 1" in ran.out
    assert "hold in seat 2" in ran.out
    assert "score of hold over both seats 0." in ran.out
    assert "instant win" in ran.out


def test_exploit(arena: Arena) -> None:
    ran = arena("exploit", "hold", "--rules", SMALL, "--trust", "--json")
    first, second = ran.document["best_response_wins"]
    assert ran.document["exploitable"] == pytest.approx((first + second) / 2 - 0.5)
    assert ran.document["exploitable"] > 0.0
    assert arena("solve", SMALL).code == 0
    perfect = arena("exploit", "perfect", "--rules", SMALL, "--trust", "--json")
    assert perfect.document["mean"] == pytest.approx(0.5, abs=1e-9)


HUGE = f"{SMALL.partition(':')[0]}:target=2000000"
REFUSED = [
    (("exact", "hold", "hold", "--rules", HUGE), "pairs of scores"),
    (("exploit", "hold", "--rules", HUGE), "pairs of scores"),
    (("blunders", "hold", "--rules", HUGE), "pairs of scores"),
    (("exploit", "hold", "--rules", "zilch"), "give them a floor"),
    (("exact", "hold", "hold", "hold", "--rules", SMALL), "unexpected extra argument"),
    (("exact", "nobody", "hold", "--rules", SMALL), "nobody"),
    (("exploit", "nobody", "--rules", SMALL), "nobody"),
    (("blunders", "nobody", "--rules", SMALL), "nobody"),
    (("exploit", "perfect", "--rules", SMALL), f"arena solve '{SMALL}'"),
    (("blunders", "hold", "--rules", SMALL), f"arena solve '{SMALL}'"),
    (("blunders", "perfect", "--rules", SMALL), f"arena solve '{SMALL}'"),
    (("exact", "hold", "hold", "--rules", "nowhere"), "nowhere"),
]


@pytest.mark.parametrize(("words", "said"), REFUSED, ids=[" ".join(each[0]) for each in REFUSED])
def test_what_cannot_be_computed_is_refused_with_one_message(
    arena: Arena, words: tuple[str, ...], said: str
) -> None:
    ran = arena(*words, "--trust", "--quiet")
    assert ran.code in (2, 3)
    assert ran.out == ""
    assert said in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("bot", ["moody", "notebook"])
@pytest.mark.parametrize("command", ["exact", "exploit", "blunders"])
def test_bots_that_cannot_be_computed(arena: Arena, command: str, bot: str) -> None:
    """`moody` is random, `notebook` remembers."""
    words = (command, bot, "hold") if command == "exact" else (command, bot)
    against = ("--against", "hold") if command == "blunders" else ()
    ran = arena(*words, *against, "--rules", SMALL, "--trust", "--quiet")
    assert ran.code == 2
    assert ran.err.count("cannot be computed") == 1
    assert "arena match" in ran.err


BREAKS = """
from arena import Bot, Decision, Turn


class Breaks(Bot):
    def decide(self, turn: Turn) -> Decision:
        if turn.points >= 100:
            return {}[turn.points]
        return turn.holds[0].roll()
"""


@pytest.mark.parametrize("command", ["exact", "exploit"])
def test_a_fault_is_told_in_full(arena: Arena, tmp_path: Path, command: str) -> None:
    bot = tmp_path / "breaks.py"
    bot.write_text(BREAKS)
    words = (command, str(bot), "hold") if command == "exact" else (command, str(bot))
    ran = arena(*words, "--rules", SMALL, "--trust", "--quiet")
    assert ran.code == 2
    assert f"{bot} cannot be computed: it makes a fault and would forfeit" in ran.err
    for told in (
        "exception: KeyError",
        "return {}[turn.points]",
        "it was asked:",
        "score ",
        "roll ",
    ):
        assert told in ran.err


def test_exploit_tells_rounds(arena: Arena, tmp_path: Path) -> None:
    bot = tmp_path / "clock.py"
    bot.write_text(CLOCK)
    ran = arena("exploit", str(bot), "--rules", SMALL, "--trust")
    assert ran.code == 0
    assert "3 rounds" in ran.err
    assert "in seat 1" in ran.out
    limited = arena("exploit", "hold", "--rules", f"{SMALL},rounds=3", "--trust", "--json")
    assert 0.0 < limited.document["exploitable"] < 0.5


CLOCK = """
from arena import Bot, Decision, Turn

class Clock(Bot):
    def decide(self, turn: Turn) -> Decision:
        hold = turn.holds[0]
        goal = 300 if turn.round < 3 else 150
        return hold.bank() if turn.points + hold.points >= goal else hold.roll()
"""


def test_blunders(arena: Arena, tmp_path: Path) -> None:
    assert arena("blunders", "hold", "--rules", SMALL, "--trust").code == 2  # not solved yet
    assert arena("solve", SMALL).code == 0
    ran = arena("blunders", "hold", "--rules", SMALL, "--trust", "--json", "--most", "7")
    document = ran.document
    assert document["lost"] == pytest.approx(document["best"] - document["value"], abs=1e-8)
    assert len(document["blunders"]) == 7
    assert document["blunders"][0]["cost"] >= document["blunders"][6]["cost"]
    assert document["blunders"][0]["did"].startswith("keeps ")
    page = tmp_path / "pages" / "hold.html"
    with_page = ("--trust", "--against", "greedy", "--html", str(page))
    text = arena("blunders", "hold", "--rules", SMALL, *with_page)
    assert text.code == 0
    assert "At all scores together" in text.out
    assert "against greedy" in page.read_text()
    assert f"wrote {page}" in text.err
    assert arena("blunders", "perfect", "--rules", SMALL, "--trust").code == 2

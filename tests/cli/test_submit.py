"""`arena submit`: from a file to a place in a league, with nobody's bot overwritten."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arena.cli.alike import looks_like
from arena.cli.league import comes_with_arena
from arena.store import Store
from tests.cli.running import ROOT, Arena

BOT = '''"""A bot of somebody."""

from arena import Bot, Decision, Turn


class {name}(Bot):
    """Wants {points} points."""

    def decide(self, turn: Turn) -> Decision:
        hold = turn.holds[0]
        return hold.bank() if turn.points + hold.points >= {points} else hold.roll()
'''
LEAGUE = """
title = "Small league"
bots = "all"
bot_sources = ["players"]
rulesets = ["zehntausend-2:target=1000"]
blocks = 20
workers = 1
"""


@pytest.fixture
def league(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a league of two bots; the working folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "league.toml").write_text(LEAGUE)
    players = tmp_path / "configs" / "players"
    players.mkdir()
    for name, points in (("Low", 200), ("High", 900)):
        (players / f"{name.lower()}.py").write_text(BOT.format(name=name, points=points))
    return tmp_path


def write(folder: Path, name: str, points: int) -> Path:
    path = folder / "mine.py"
    path.write_text(BOT.format(name=name, points=points))
    return path


def submit(arena: Arena, path: Path, *options: str) -> Any:
    ran = arena("submit", path, "--isolation", "limits", "--quiet", "--json", *options)
    assert ran.code == 0, ran.err
    return ran.document


def versions(league: Path) -> list[str]:
    return sorted(path.name for path in (league / "configs" / "players").glob("*.py"))


def test_a_bot_gets_its_place(arena: Arena, league: Path) -> None:
    place = submit(arena, write(league, "Mine", 350))
    assert place["bot"] == "mine"
    [row] = place["places"]
    assert row["bots"] == 3
    assert 1 <= row["rank_low"] <= row["rank_high"] <= 3
    assert row["elo_low"] <= row["elo"] <= row["elo_high"]
    assert {each["bot"] for each in row["beat"]} <= {"low", "high"}
    assert Path(place["report"]).exists()
    assert versions(league) == ["high.py", "low.py", f"mine-{place['source_hash'][:8]}.py"]


def test_its_matches_are_played_first(arena: Arena, league: Path) -> None:
    ran = arena("submit", write(league, "Mine", 350), "--isolation", "limits", "--quiet")
    assert (
        "This league has not been played yet: 1 match of others (40 games), "
        "2 matches of yours (80 games); yours are played first." in ran.err
    )
    with Store.read(league / "reports" / "league" / "results.sqlite") as store:
        played = [each.match.bots for each in store.matches()]
    assert ["mine" in bots for bots in played] == [True, True, False]


def key_of(league: Path, place: Any) -> str:
    with Store.read(league / "reports" / "league" / "results.sqlite") as store:
        bots = store.bots().values()
    [key] = [each.spec.key for each in bots if each.spec.source_hash == place["source_hash"]]
    return key[:6]


def test_a_new_version_is_a_new_entry_and_the_old_results_stay(arena: Arena, league: Path) -> None:
    first = submit(arena, write(league, "Mine", 350))
    second = submit(arena, write(league, "Mine", 400))
    assert first["source_hash"] != second["source_hash"]
    assert second["bot"].startswith("mine [")
    [row] = second["places"]
    assert row["bots"] == 4
    assert [old["bot"] for old in row["earlier"]] == [f"mine [{key_of(league, first)}]"]
    told = [each["bot"] for each in (*row["beat"], *row["lost_to"])] + row["open"]
    assert sorted(told) == ["high", "low"]
    page = (league / "reports" / "league" / "index.html").read_text()
    assert f"mine [{key_of(league, first)}], earlier version" in page
    assert f"mine [{key_of(league, second)}], earlier version" not in page
    assert versions(league) == ["high.py", "low.py", f"mine-{second['source_hash'][:8]}.py"]
    earlier = league / "configs" / "players" / "earlier"
    old = earlier / f"mine-{first['source_hash'][:8]}.py"
    assert [path.name for path in earlier.iterdir()] == [old.name]
    assert ">= 350" in old.read_text()
    [entry] = json.loads((league / "configs" / "players" / "league.json").read_text())
    assert [each["source_hash"] for each in entry["versions"]] == [
        first["source_hash"],
        second["source_hash"],
    ]


def test_the_same_version_again_plays_nothing(arena: Arena, league: Path) -> None:
    path = write(league, "Mine", 350)
    submit(arena, path)
    before = versions(league)
    ran = arena("submit", path, "--isolation", "limits", "--quiet")
    assert ran.code == 0
    assert "All 120 games were there already." in ran.err
    assert "mine in Small league" in ran.out
    assert "zehntausend-2:target=1000: place " in ran.out
    assert "Report: reports/league/index.html" in ran.out
    assert versions(league) == before


def test_a_dry_run_changes_nothing(arena: Arena, league: Path) -> None:
    ran = arena("submit", write(league, "Mine", 350), "--isolation", "limits", "--dry-run")
    assert ran.code == 0
    assert "It would be copied to configs/players/mine-" in ran.out
    assert "up to 2 matches (80 games) against 2 bots. Nothing was changed." in ran.out
    assert versions(league) == ["high.py", "low.py"]
    assert not (league / "reports").exists()


@pytest.mark.parametrize("dry", [(), ("--dry-run",)])
def test_nobody_elses_bot_is_touched(arena: Arena, league: Path, dry: tuple[str, ...]) -> None:
    ran = arena("submit", write(league, "Low", 350), "--isolation", "limits", *dry)
    assert ran.code == 2
    assert "already, in configs/players/low.py, which was never submitted" in ran.err
    assert "arena submit configs/players/low.py --author " in ran.err
    assert "name = 'low-2'" in ran.err
    submit(arena, write(league, "Mine", 350), "--author", "anna")
    before = versions(league)
    ran = arena("submit", write(league, "Mine", 400), "--author", "eve", *dry)
    assert ran.code == 2
    assert "the bot 'mine' of this league is anna's" in ran.err
    assert versions(league) == before


@pytest.mark.parametrize("name", ["Iow", "LOW", "l0w", "1Ow", "lоw", "ｌｏｗ"])
def test_a_name_that_looks_like_anothers_is_refused(arena: Arena, league: Path, name: str) -> None:
    path = write(league, "Mine", 350)
    path.write_text(path.read_text().replace("    def", f"    name = {name!r}\n\n    def", 1))
    ran = arena("submit", path, "--isolation", "limits", "--dry-run")
    assert ran.code == 2
    assert f"the name {name!r} can be taken for 'low', which is there already" in ran.err


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("closing-time", "Closing_Time", True),
        ("НОLD", "hold", True),
        ("ΗΟLD", "hold", True),
        ("ho\u200bld", "hold", True),
        ("mini-1", "mini-l", True),
        ("bär", "bar", False),
        ("hold-2", "hold-3", False),
        ("closingtime", "closing-time", False),
    ],
)
def test_names_that_look_alike(one: str, other: str, *, alike: bool) -> None:
    assert (looks_like(one, [other]) == other) == alike


def test_ones_own_bots_may_look_alike(arena: Arena, league: Path) -> None:
    path = write(league, "Mine", 350)
    submit(arena, path, "--author", "anna")
    path.write_text(path.read_text().replace("    def", '    name = "mlne"\n\n    def', 1))
    dry = ("submit", path, "--isolation", "limits", "--dry-run", "--author")
    assert arena(*dry, "anna").code == 0
    ran = arena(*dry, "bert")
    assert ran.code == 2
    assert "the name 'mlne' can be taken for 'mine', which is anna's" in ran.err


def test_an_unfit_bot_is_not_submitted(arena: Arena, league: Path) -> None:
    path = write(league, "Mine", 350)
    path.write_text(path.read_text().replace("hold.bank()", "hold.bank"))
    ran = arena("submit", path, "--isolation", "limits")
    assert ran.code == 4
    assert "FAIL  first decisions" in ran.out
    assert "was not submitted" in ran.err
    assert versions(league) == ["high.py", "low.py"]


def entries(league: Path) -> Any:
    return json.loads((league / "configs" / "players" / "league.json").read_text())


def test_a_bot_in_the_folder_is_entered_where_it_lies(arena: Arena, league: Path) -> None:
    path = league / "configs" / "players" / "low.py"
    ran = arena("submit", path, "--isolation", "limits", "--quiet", "--author", "anna")
    assert ran.code == 0, ran.err
    assert "It lies in the league's folder already" in ran.err
    assert "it is entered under the name anna" in ran.err
    assert versions(league) == ["high.py", "low.py"]
    [entry] = entries(league)
    assert (entry["name"], entry["author"]) == ("low", "anna")
    assert [each["file"] for each in entry["versions"]] == ["low.py"]


def test_a_new_version_of_an_entered_file_comes_from_anywhere(arena: Arena, league: Path) -> None:
    path = league / "configs" / "players" / "low.py"
    first = submit(arena, path)
    second = submit(arena, write(league, "Low", 250))
    assert versions(league) == ["high.py", f"low-{second['source_hash'][:8]}.py"]
    kept = f"low-{first['source_hash'][:8]}.py"
    assert (league / "configs" / "players" / "earlier" / kept).exists()
    [entry] = entries(league)
    assert [each["file"] for each in entry["versions"]] == [kept, versions(league)[1]]


def test_a_new_version_may_be_written_over_the_old_one(arena: Arena, league: Path) -> None:
    path = league / "configs" / "players" / "low.py"
    submit(arena, path)
    path.write_text(BOT.format(name="Low", points=250))
    submit(arena, path)
    assert versions(league) == ["high.py", "low.py"]
    [entry] = entries(league)
    assert [each["file"] for each in entry["versions"]] == ["low.py", "low.py"]


def test_bots_that_nobody_submitted_are_named(arena: Arena, league: Path) -> None:
    path = write(league, "Mine", 350)
    ran = arena("submit", path, "--isolation", "limits", "--dry-run")
    assert "2 bots play that were never submitted" in ran.err
    assert "high (high.py), low (low.py)" in ran.err
    submit(arena, league / "configs" / "players" / "low.py")
    ran = arena("submit", path, "--isolation", "limits", "--dry-run")
    assert "1 bot plays that was never submitted, because it lies in" in ran.err
    config = league / "configs" / "league.toml"
    config.write_text(config.read_text().replace('"all"', '["low", "high"]'))
    ran = arena("submit", path, "--isolation", "limits", "--dry-run")
    assert "never submitted" not in ran.err


@pytest.mark.parametrize(("code", "shipped"), [(0, True), (1, False), (128, True)])
def test_bots_of_the_user_in_a_checkout_are_told_from_those_of_arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, shipped: bool
) -> None:
    git = tmp_path / "git"
    git.write_text(f"#!/bin/sh\nexit {code}\n")
    git.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert comes_with_arena(ROOT / "bots" / "hold.py") == shipped
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    assert comes_with_arena(ROOT / "bots" / "hold.py")
    copy = tmp_path / "hold.py"
    copy.write_bytes((ROOT / "bots" / "hold.py").read_bytes())
    assert comes_with_arena(copy)
    copy.write_text("# changed")
    assert not comes_with_arena(copy)


def test_a_bot_of_several_files_is_refused(arena: Arena, league: Path) -> None:
    (league / "helper.py").write_text("POINTS = 350\n")
    path = write(league, "Mine", 350)
    path.write_text("from helper import POINTS\n" + path.read_text())
    ran = arena("submit", path, "--isolation", "limits")
    assert ran.code == 2
    assert "imports helper.py from beside it" in ran.err


def test_a_spoilt_list_is_told(arena: Arena, league: Path) -> None:
    (league / "configs" / "players" / "league.json").write_text("{")
    ran = arena("submit", write(league, "Mine", 350), "--isolation", "limits")
    assert ran.code == 2
    assert "is no list of a league" in ran.err


def test_submitted_bots_meet_in_a_league_that_lists_none_of_them(
    arena: Arena, league: Path
) -> None:
    config = league / "configs" / "league.toml"
    config.write_text(LEAGUE.replace('"all"', '["low", "high"]'))
    words = ("--league", str(config), "--author")
    first = submit(arena, write(league, "Mine", 300), *words, "ann")
    assert first["places"][0]["bots"] == 3
    planned = arena("submit", write(league, "Other", 500), *words, "ben", "--dry-run")
    assert "against 3 bots" in planned.out
    second = submit(arena, write(league, "Other", 500), *words, "ben")
    assert second["places"][0]["bots"] == 4
    names = {
        each["bot"] for verb in ("beat", "lost_to") for each in second["places"][0][verb]
    } | set(second["places"][0]["open"])
    assert names == {"low", "high", "mine"}

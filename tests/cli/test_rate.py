"""`arena rate`: published ratings come out, and every mistake of a table is named."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from arena.report.tables import MATCHES_COLUMNS, STANDINGS_COLUMNS
from tests.cli.running import ROOT, Arena

VECTORS = json.loads((ROOT / "tests" / "stats" / "data" / "ratings.json").read_text())
HEAD = "first,second,wins,draws,losses\n"
NORMAL_95 = 1.959963984540054


@pytest.fixture
def arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Arena:
    monkeypatch.chdir(tmp_path)
    return Arena(monkeypatch, capsys)


def test_the_published_crosstable(arena: Arena) -> None:
    rows = [
        f"{pair.replace('-', ',')},{','.join(map(str, cells))}\n"
        for pair, cells in VECTORS["crosstable"].items()
    ]
    Path("table.csv").write_text(HEAD + "".join(rows))
    document = arena("rate", "table.csv", "--json").document
    wanted = VECTORS["bradley_terry"]
    assert document["seat_advantage"] == pytest.approx(wanted["home"], abs=0.01)
    assert [row["bot"] for row in document["ratings"]] == list("ABCDE")
    for row in document["ratings"]:
        assert list(row) == ["bot", "elo", "elo_low", "elo_high", "games"]
        assert row["elo"] == pytest.approx(wanted["r"][row["bot"]], abs=0.01)
        error = (row["elo_high"] - row["elo_low"]) / 2 / NORMAL_95
        assert error == pytest.approx(wanted["se"][row["bot"]], abs=0.1)
        assert row["games"] == 400
    text = arena("rate", "table.csv").out
    assert "moving first: +28.8 Elo" in text


def test_columns_may_stand_in_any_order(arena: Arena) -> None:
    Path("one.csv").write_text(HEAD + "a,b,6,1,3\nb,a,2,0,8\n")
    Path("two.csv").write_text(
        "\ufeffLosses, wins,draws,second,first\n3,6,1, b ,a\n\n8,2,0,a,b\n", encoding="utf-8"
    )
    assert arena("rate", "one.csv", "--json").out == arena("rate", "two.csv", "--json").out


@pytest.mark.parametrize("columns", [MATCHES_COLUMNS, STANDINGS_COLUMNS])
def test_a_table_of_a_report_is_recognised(arena: Arena, columns: tuple[str, ...]) -> None:
    Path("table.csv").write_text(",".join(columns) + "\n" + ",".join("x" * len(columns)) + "\n")
    ran = arena("rate", "table.csv")
    assert ran.code == 3
    assert ran.err.count("\n") == 2
    assert "this is a table of a report" in ran.err
    assert "first,second,wins,draws,losses" in ran.err


def test_what_cannot_be_estimated_is_said(arena: Arena) -> None:
    Path("table.csv").write_text(HEAD + "a,b,10,0,0\nc,d,1,0,0\n")
    ran = arena("rate", "table.csv", "--json")
    assert ran.document["seat_advantage"] is None
    assert "2 groups that never met" in ran.err
    assert "no bound" in ran.err
    assert "or more" in arena("rate", "table.csv").out


def test_all_mistakes_are_named_with_their_lines(arena: Arena) -> None:
    Path("table.csv").write_text(
        HEAD + 'a,a,1,2,3\nb,c,-1,2.5,x\n,d,1,1,1\na,b,1\na,b,1,1,1,1\n"a,b,1,1,1\n'
    )
    ran = arena("rate", "table.csv")
    assert ran.code == 3
    assert ran.out == ""
    lines = [line.strip() for line in ran.err.splitlines()]
    assert lines[0] == "arena: 8 table mistakes:"
    places = [line.split(":")[0] for line in lines[1:]]
    assert places == [f"table.csv, line {n}" for n in (2, 3, 3, 3, 4, 5, 6, 7)]


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ("", "the first line names the columns"),
        (HEAD, "there are no results"),
        (HEAD + "a,b,0,0,0\n", "no games"),
        ("first,second,wins,draw,losses\na,b,1,1,1\n", "did you mean draws?"),
        ("first,second,wins,draws\na,b,1,1\n", "the column losses is missing"),
        ("first,second,wins,draws,losses,wins\na,b,1,1,1,1\n", "the column wins is there twice"),
        (HEAD + f"a,b,{10**16},0,0\n", "a whole number"),
        (HEAD + f"a,b,{10**15},0,0\n", "a whole number from 0 to 999999999999999"),
        (HEAD + "a,b,٣,0,0\n", "a whole number"),
        (HEAD.replace(",", ";") + "a;b;1;1;1\n", "with commas between"),
        ("a,b,1,1,1\n", "line 1: 'a,b,1,1,1': the first line names the columns"),
        (HEAD + "a\x00,b,1,1,1\n", "characters that can be printed"),
        (HEAD + "a\x1b[31m,b,1,1,1\n", "characters that can be printed"),
        (HEAD + f"{'a' * 201},b,1,1,1\n", "of 1 to 200 characters"),
    ],
)
def test_one_mistake(arena: Arena, content: str, part: str) -> None:
    Path("table.csv").write_text(content, encoding="utf-8")
    ran = arena("rate", "table.csv")
    assert ran.code == 3
    assert part in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", None])
def test_a_file_that_cannot_be_read(arena: Arena, content: bytes | None) -> None:
    if content is not None:
        Path("table.csv").write_bytes(content)
    ran = arena("rate", "table.csv")
    assert ran.code == 3
    assert "table.csv: " in ran.err


def test_a_file_of_the_wrong_kind_does_not_flood(arena: Arena) -> None:
    Path("table.csv").write_text(HEAD + "a,b,c,d,e\n" * 5000)
    ran = arena("rate", "table.csv")
    assert len(ran.err.splitlines()) == 22
    assert "and 14980 more" in ran.err


def test_a_large_file(arena: Arena) -> None:
    rows = [f"bot{i % 9},bot{i % 9 + 1 + i % 3},{i % 5},1,2\n" for i in range(60_000)]
    Path("table.csv").write_text(HEAD + "".join(rows))
    document = arena("rate", "table.csv", "--json").document
    assert len(document["ratings"]) == 11


def test_standard_input(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    table = HEAD + "a,b,6,1,3\nb,a,2,0,8\n"
    Path("table.csv").write_text(table)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(table.encode())))
    assert arena("rate", "-", "--json").out == arena("rate", "table.csv", "--json").out
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert "standard input, line 1: the first line" in arena("rate", "-").err


def test_ties_are_shown_as_ties(arena: Arena) -> None:
    Path("table.csv").write_text(HEAD + "a,b,0,10,0\nb,a,0,10,0\nc,a,0,0,90\nc,b,1,0,90\n")
    rows = [line.split()[:2] for line in arena("rate", "table.csv").out.splitlines()[2:5]]
    assert sorted(rows) == [["1-2", "a"], ["1-2", "b"], ["3", "c"]]


def test_an_anchor_holds_a_bot_and_moves_the_others(arena: Arena) -> None:
    Path("table.csv").write_text(HEAD + "a,b=1,6,1,3\nb=1,c,5,2,3\nc,a,2,0,8\n")
    free = arena("rate", "table.csv", "--json").document
    held = arena("rate", "table.csv", "--anchor", "b=1=100", "--json").document
    elo = {row["bot"]: row["elo"] for row in held["ratings"]}
    assert elo["b=1"] == pytest.approx(100.0)
    shift = {row["bot"]: elo[row["bot"]] - row["elo"] for row in free["ratings"]}
    assert max(shift.values()) - min(shift.values()) < 1e-6
    assert "anchored" in arena("rate", "table.csv", "--anchor", "b=1=100").out


@pytest.mark.parametrize(
    ("anchors", "part"),
    [
        (["a"], "give BOT=ELO"),
        (["a=much"], "give BOT=ELO"),
        (["a=nan"], "give BOT=ELO"),
        (["a=inf"], "give BOT=ELO"),
        (["=5"], "give BOT=ELO"),
        (["alpa=5"], "there is no 'alpa' in table.csv; did you mean alpha?"),
        (["a=5", "a=6"], "a is anchored at 5 already"),
    ],
)
def test_anchors_that_mean_nothing(arena: Arena, anchors: list[str], part: str) -> None:
    Path("table.csv").write_text(HEAD + "a,alpha,6,1,3\n")
    ran = arena("rate", "table.csv", *[word for text in anchors for word in ("--anchor", text)])
    assert ran.code == 2
    assert part in ran.err


@pytest.mark.parametrize("draws", ["half", "davidson", "rao-kupper"])
def test_models_of_draws(arena: Arena, draws: str) -> None:
    Path("table.csv").write_text(HEAD + "a,b,30,40,30\nb,a,20,40,40\nb,c,30,30,40\nc,b,50,20,30\n")
    document = arena("rate", "table.csv", "--draws", draws, "--json").document
    assert list(document) == ["ratings", "seat_advantage"]
    assert sum(row["elo"] for row in document["ratings"]) == pytest.approx(0.0, abs=1e-6)
    assert [row["bot"] for row in document["ratings"]] == ["c", "a", "b"]


def test_groups_that_never_met_are_marked(arena: Arena) -> None:
    Path("table.csv").write_text(HEAD + "a,b,6,0,4\nb,a,5,0,5\nc,d,7,0,3\nd,c,4,0,6\n")
    ran = arena("rate", "table.csv")
    assert ran.code == 0
    assert "2 groups that never met" in ran.err
    lines = ran.out.splitlines()
    assert lines[0].endswith("group")
    groups = {line.split()[1]: line.split()[-1] for line in lines[2:6]}
    assert groups["a"] == groups["b"] != groups["c"] == groups["d"]


def test_each_group_is_rated_as_if_it_were_alone(arena: Arena) -> None:
    Path("table.csv").write_text(HEAD + "a,b,10,0,3\nc,d,4,0,1\ne,f,0,0,0\n")
    Path("alone.csv").write_text(HEAD + "c,d,4,0,1\n")
    ran = arena("rate", "table.csv", "--json", "--anchor", "a=50")
    assert "without games, so without a rating: e, f" in ran.err
    rows = {row["bot"]: row for row in ran.document["ratings"]}
    assert [row["group"] for row in rows.values()] == [1, 1, 2, 2]
    assert rows["a"]["elo"] == pytest.approx(50.0)
    for row in arena("rate", "alone.csv", "--json").document["ratings"]:
        assert rows[row["bot"]] == {**row, "group": 2}

"""The page: closed in itself, safe, accessible, and with the numbers of the other files."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import re
from itertools import pairwise

import pytest

from arena.report import ReportData
from arena.report.render import render
from arena.report.tables import matches_csv, report_json, standings_csv
from tests.report.conftest import HOSTILE
from tests.report.pages import Element, numbers_of, read_page

FILES = {"standings.csv", "matches.csv", "report.json"}


def rows_of(tree: Element, table: str) -> list[list[str]]:
    return [numbers_of(r) for r in tree.all("tr") if r.attributes.get("data-table") == table]


def csv_rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def cells(row: dict[str, str], *columns: str) -> list[str]:
    return [row[column] for column in columns]


def test_no_request_leaves_the_page(page: str, tree: Element) -> None:
    assert not re.search(r"(?i)https?:|//[a-z]|url\(|@import|srcset", page)
    for element in tree.all():
        for name in ("src", "href", "xlink:href", "action", "data", "poster"):
            value = element.attributes.get(name, "data:,")
            assert value.startswith("#") or value in {"data:,", *FILES}, (element.tag, value)


def test_policy_allows_only_the_own_script(tree: Element) -> None:
    [policy] = [
        e.attributes["content"]
        for e in tree.all("meta")
        if e.attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    [script] = tree.all("script")
    digest = base64.b64encode(hashlib.sha256(script.text.encode()).digest()).decode()
    assert "default-src 'none'" in policy
    assert f"script-src 'sha256-{digest}'" in policy


def test_texts_of_strangers_do_nothing(page: str, tree: Element) -> None:
    assert "<img" not in page
    assert "\u202e" not in page
    assert "\x00" not in page
    assert "\\u202egnp.exe\\u0000" in page
    assert not [n for e in tree.all() for n in e.attributes if n.startswith("on")]
    assert [e.tag for e in tree.all("b")] == []  # the docstring of the bots has one
    page.encode("utf-8")  # lone surrogates would not go


def test_hostile_name_is_shown_as_it_is(tree: Element) -> None:
    shown = HOSTILE.replace("\u202e", "\\u202e").replace("\x00", "\\u0000")
    assert shown in [e.text for e in tree.all("h3")]


def test_page_is_accessible(tree: Element) -> None:
    assert next(tree.all("html")).attributes["lang"] == "en"
    assert [e.tag for e in tree.all() if e.tag in ("h1", "main")] == ["h1", "main"]
    ids = [e.attributes["id"] for e in tree.all() if "id" in e.attributes]
    assert len(set(ids)) == len(ids)
    links = {e.attributes["href"][1:] for e in tree.all("a") if e.attributes["href"][0] == "#"}
    assert links <= set(ids)
    for table in tree.all("table"):
        assert next(table.all("caption")).text.strip()
        assert all(head.attributes.get("scope") in ("col", "row") for head in table.all("th"))
    for svg in tree.all("svg"):
        if svg.attributes.get("class") not in ("whisker", "arrow"):
            assert svg.attributes["role"] == "img"
            assert svg.attributes["aria-label"].strip()


def test_headings_do_not_skip_a_level(tree: Element) -> None:
    levels = [int(e.tag[1]) for e in tree.all() if re.fullmatch(r"h[1-6]", e.tag)]
    assert levels[0] == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))


@pytest.mark.parametrize("name", ["hostile", "four"])
def test_standings_equal_the_csv(name: str, request: pytest.FixtureRequest) -> None:
    report: ReportData = request.getfixturevalue(name)
    shown = rows_of(read_page(render(report)), "standings")
    rows = csv_rows(standings_csv(report))
    assert len(shown) == len(rows) > 0
    for numbers, row in zip(shown, rows, strict=True):
        elo = cells(row, "rank_low", "rank_high", "elo", "elo_low", "elo_high", "score")
        if row["ruleset"] == "all":
            beyond = ("any_ruleset_elo", "any_ruleset_low", "any_ruleset_high", "spread")
            assert numbers == [*elo, *cells(row, "games", "forfeits", *beyond)]
        else:
            counts = ("games", "wins", "draws", "losses", "forfeits")
            assert numbers == [*elo, *cells(row, "score_low", "score_high", *counts)]


@pytest.mark.parametrize("name", ["hostile", "four"])
def test_style_of_play_equals_the_csv(name: str, request: pytest.FixtureRequest) -> None:
    report: ReportData = request.getfixturevalue(name)
    shown = rows_of(read_page(render(report)), "play")
    rows = [row for row in csv_rows(standings_csv(report)) if row["ruleset"] != "all"]
    columns = ("points_per_turn", "bust_rate", "turns_per_game", "rolls_per_turn", "decisions")
    assert shown == [cells(row, *columns, "questions_per_million") for row in rows]


@pytest.mark.parametrize("name", ["hostile", "four"])
def test_matches_equal_the_csv(name: str, request: pytest.FixtureRequest) -> None:
    report: ReportData = request.getfixturevalue(name)
    shown = rows_of(read_page(render(report)), "matches")
    rows = csv_rows(matches_csv(report))
    if name == "hostile":
        rows = [row for row in rows if row["place"] == "0"]
    columns = ("seed", "blocks", "wins", "draws", "losses", "score", "elo", "elo_low", "elo_high")
    assert shown == [cells(row, *columns, "saving") for row in rows]


@pytest.mark.parametrize("name", ["hostile", "four"])
def test_json_holds_every_number_of_the_page(name: str, request: pytest.FixtureRequest) -> None:
    report: ReportData = request.getfixturevalue(name)
    document = json.loads(report_json(report))
    known: set[str] = {""}

    def walk(value: object) -> None:
        if isinstance(value, dict):
            for each in value.values():
                walk(each)
        elif isinstance(value, list):
            for each in value:
                walk(each)
        elif isinstance(value, int | float):
            known.add(repr(value))

    walk(document)
    tree = read_page(render(report))
    shown = {
        e.attributes[n] for e in tree.all() for n in ("data-v", "data-to") if n in e.attributes
    }
    assert shown <= known
    assert document["bots"][0]["name"] == report.bots[0].name


def test_csv_does_not_hold_formulas(hostile: ReportData) -> None:
    names = {row["bot"] for row in csv_rows(standings_csv(hostile))}
    assert "'=loser()" in names
    assert not [name for name in names if name[0] in "=+-@"]


def test_never_infinite_never_nan(page: str, hostile: ReportData) -> None:
    for text in (page, standings_csv(hostile), matches_csv(hostile), report_json(hostile)):
        assert not re.search(r"\b(nan|inf|NaN|Infinity)\b", text)


def test_a_page_says_when_pairs_are_too_many(
    monkeypatch: pytest.MonkeyPatch, hostile: ReportData
) -> None:
    monkeypatch.setattr("arena.report.render.MOST_BOTS_IN_PAIRS", 3)
    tree = read_page(render(hostile))
    assert not rows_of(tree, "matches")
    assert not rows_of(tree, "duels")
    assert "With 4 bots the table of all pairs would be too large for a page." in tree.text

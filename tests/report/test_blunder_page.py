"""The page of blunders: what stands in it, and that texts of strangers stay texts."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import ReportError
from arena.report import ReportData, write_data
from arena.report.blunder_links import BlunderLink, link_of, links_beside, page_name
from arena.report.blunder_page import (
    BlunderPage,
    BlunderShown,
    ChoiceShown,
    kept_of,
    render_blunders,
    write_blunders,
)
from tests.report.pages import read_page


def choice(dice: tuple[int, ...], keeps: tuple[int, ...], *, banks: bool) -> ChoiceShown:
    return ChoiceShown(kept=kept_of(dice, keeps), banks=banks, words=f"keeps {keeps}")


DICE = (1, 1, 5, 6)
BLUNDER = BlunderShown(
    cost=0.0125,
    frequency=0.05,
    points=1250,
    dice=DICE,
    did=choice(DICE, (1, 5), banks=True),
    best=choice(DICE, (), banks=False),
    place=(("score", "9,000"), ("in the", "last round")),
)
PAGE = BlunderPage(
    bot="<b>mine</b>:points=3",
    rules="zehntausend-2",
    against="perfect play",
    value=0.25,
    best=0.5,
    lost=0.25,
    decisions=1,
    habits=(BLUNDER,),
    single=(BLUNDER,),
    command="arena blunders mine",
)


def test_what_stands_in_it() -> None:
    html = render_blunders(PAGE)
    assert "1.2500" in html  # cost in points of 100
    assert "25.00" in html  # lost each time
    assert html.count('class="die kept"') == 2 * 2  # in both tables, a 1 and the 5
    assert html.count('class="die') == 2 * 2 * len(DICE)
    assert "rolls all again" in html
    assert "last round" in html
    assert "<script" not in html


def test_texts_of_strangers_stay_texts() -> None:
    html = render_blunders(PAGE)
    assert "<b>mine" not in html
    assert "&lt;b&gt;" in html


def test_a_bot_without_blunders() -> None:
    html = render_blunders(replace(PAGE, habits=(), single=(), lost=0.0, decisions=0))
    assert "every decision is as good as the best one" in html


def test_of_equal_dice_the_first_are_kept() -> None:
    assert kept_of((1, 1, 5, 5), (1, 5)) == (True, False, True, False)


def test_where_it_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="cannot be written"):
        write_blunders(PAGE, tmp_path)
    write_blunders(PAGE, tmp_path / "new" / "page.html")
    assert (tmp_path / "new" / "page.html").read_text().startswith("<!doctype html>")


def test_a_report_links_the_pages_beside_it(tmp_path: Path, hostile: ReportData) -> None:
    section = hostile.sections[0]
    bot = hostile.bots[section.standings[0].bot]
    name = page_name(section.rules.key, bot.key)
    write_data(hostile, tmp_path)
    assert "Blunders" not in (tmp_path / "index.html").read_text()
    write_blunders(replace(PAGE, report="../index.html"), tmp_path / name)
    (tmp_path / "blunders" / "other.html").write_text("no page of ours")
    write_data(hostile, tmp_path)
    html = (tmp_path / "index.html").read_text()
    read_page(html)
    assert html.count(f'href="{name}"') == 2  # in the ratings, and at the bot
    assert html.count('<th scope="col" class="n">Blunders</th>') == 1
    assert re.search(rf'data-v="0.25"><a href="{name}"[^>]*>25.00</a>', html)
    assert links_beside(tmp_path) == {name: BlunderLink(href=name, lost=0.25)}


def test_only_games_of_two_have_blunders() -> None:
    name = page_name("rules", "bot")
    links = {name: BlunderLink(href=name, lost=0.1)}
    assert link_of(links, "rules", 2, "bot") == links[name]
    assert link_of(links, "rules", 3, "bot") is None
    assert link_of(links, "rules", 2, "other") is None

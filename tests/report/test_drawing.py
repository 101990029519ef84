"""Numbers, words and charts as a reader sees them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from arena.report import charts, formats
from arena.report.model import Bound, Histogram, Span, Standing
from arena.report.words import listed, verdict
from arena.rounding import points_of_100


def standing(bot: int, elo: float, *, half: float = 5, bound: Bound = "finite") -> Standing:
    return Standing(
        bot=bot,
        rank_low=1,
        rank_high=1,
        elo=Span(value=elo, low=elo - half, high=elo + half),
        bound=bound,
        score=Span(value=0.5, low=0.4, high=0.6),
        games=2,
        wins=1,
        draws=0,
        losses=1,
        forfeits=0,
    )


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(34.4, 0, "+34"), (-12.0, 0, "−12"), (-0.3, 0, "0"), (0.04, 1, "0.0"), (None, 0, "–")],
)
def test_signed(value: float | None, digits: int, text: str) -> None:
    assert formats.signed(value, digits) == text


def test_numbers() -> None:
    assert formats.count(1_234_567) == "1\u202f234\u202f567"
    assert formats.count(None) == formats.decimal(None) == formats.percent(None) == "–"
    assert formats.percent(0.5324) == "53.2\u202f%"
    assert formats.chance(0.99999) == ">\u202f99.9\u202f%"
    assert formats.chance(0.0) == "<\u202f0.1\u202f%"
    assert formats.rank(2, 4) == "2–4"
    assert formats.rank(3, 3) == "3"


@given(st.integers(0, 10**6), st.integers(0, 3))
def test_shares_of_two_add_up(millionths: int, digits: int) -> None:
    share = millionths / 10**6
    shown = [points_of_100(each, digits) for each in (share, 1 - share)]
    assert round(sum(map(float, shown)), 6) == 100.0
    assert abs(float(shown[0]) - 100 * share) <= 0.5 / 10**digits + 1e-6


def test_shares_at_a_tie() -> None:
    assert [points_of_100(share) for share in (0.5085, 0.4915, 0.0, 1.0)] == [
        "50.8", "49.2", "0.0", "100.0"
    ]  # fmt: skip
    assert formats.percent(0.4915) == "49.2\u202f%"


def test_hidden_characters_become_visible() -> None:
    assert formats.visible("a\u202eb\x1b\x00\ud800\n\tc") == "a\\u202eb\\u001b\\u0000\\ud800\n\tc"
    assert formats.visible("Zürich, 骰子, plain") == "Zürich, 骰子, plain"
    assert formats.visible(Markup("<b>")) == Markup("<b>")
    assert formats.visible(3) == 3


@given(st.text())
def test_breaking_changes_no_letter(text: str) -> None:
    broken = formats.breakable(text)
    assert broken.replace("<wbr>", "") == Markup.escape(formats.visible(text))


def test_paragraphs_fill_lines_but_lists_keep_them() -> None:
    text = "One\nline.\n\n* a\n* b\n\n\n  code\n"
    assert formats.paragraphs(text) == ["One line.", "* a\n* b", "  code"]
    assert formats.paragraphs("") == []


def test_back_quotes_are_code_and_nothing_else_is() -> None:
    assert formats.prose("a `b<c>` `d") == Markup("a <code>b&lt;c&gt;</code> `d")


def test_listed() -> None:
    assert [listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]


NAMES = list("abcdef")


@pytest.mark.parametrize(
    ("bots", "level", "sentence"),
    [
        (2, [], "a leads, surely stronger than b."),
        (3, [], "a leads, surely stronger than both others."),
        (5, [], "a leads, surely stronger than all 4 others."),
        (2, [1], "a is ahead, but cannot be told apart from b."),
        (4, [1, 2], "a is ahead, but cannot be told apart from b and c."),
        (4, [1, 2, 3], "a is ahead, but not surely stronger than any other bot."),
        (6, [1, 2, 3, 4], "a is ahead, but cannot be told apart from 4 other bots."),
        (0, [], "No two different bots have met yet, so nobody leads."),
    ],
)
def test_verdict(bots: int, level: list[int], sentence: str) -> None:
    rows = [standing(bot, 100.0 - bot) for bot in range(bots)]
    assert verdict(rows, level, NAMES) == sentence


@given(st.floats(-3000, 3000), st.floats(0.001, 5000))
def test_axis_holds_its_ends_and_has_round_ticks(low: float, width: float) -> None:
    scale = charts.axis(low, low + width)
    assert 0 <= scale.at(low) < scale.at(low + width) <= 100
    assert 2 <= len(scale.ticks) <= charts.TICKS + 2
    assert all(scale.low <= tick <= scale.high for tick in scale.ticks)


def test_unbounded_bots_end_at_the_edge_and_do_not_stretch_the_scale() -> None:
    rows = [standing(0, 50), standing(1, -20), standing(2, -1200, bound="below")]
    scale = charts.elo_axis(rows)
    assert scale.low > -100
    bar = charts.elo_bar(rows[2], scale)
    assert (bar.start, bar.arrow) == (0, "left")
    assert charts.elo_bar(rows[0], scale).arrow == ""
    assert charts.elo_axis(rows[2:]).low < -1200


@pytest.mark.parametrize(("far", "cut"), [(-150, False), (-900, True)])
def test_a_bot_that_is_far_off_does_not_flatten_the_others(far: int, *, cut: bool) -> None:
    rows = [standing(0, 50), standing(1, 20), standing(2, -40), standing(3, far)]
    scale = charts.elo_axis(rows)
    assert (scale.low > far) == cut
    assert scale.low < -40
    bar = charts.elo_bar(rows[3], scale)
    assert bar.arrow == ("left" if cut else "")
    assert charts.elo_bar(rows[2], scale).arrow == ""


def test_a_bar_runs_from_zero_to_the_value() -> None:
    rows = [standing(0, 50), standing(1, -50)]
    scale = charts.elo_axis(rows)
    up, down = (charts.elo_bar(row, scale) for row in rows)
    assert up.start == scale.at(0)
    assert up.start + up.width == pytest.approx(up.value, abs=0.02)
    assert down.start == down.value
    assert up.low < up.value < up.high


def test_histograms_of_a_frame_have_one_scale() -> None:
    few = Histogram(counts=(10, 0, 0, 0), first=50, width=50, below=10)
    many = Histogram(counts=(0, 30, 60, 10), first=50, width=50)
    frame = charts.frame([few, many])
    assert frame.bins == 4
    assert frame.top == 0.6
    assert charts.outline(many, frame) == "M0 100V100H1V50H2V0H3V83.3H4V100Z"
    assert charts.outline(few, frame).startswith("M0 100V16.7H1")
    high = Histogram(counts=(100, 0, 0, 0), first=50, width=50)
    cut = charts.frame([few, few, high])
    assert cut.top == 0.75
    assert charts.outline(high, cut).startswith("M0 100V0H1")
    assert charts.none_share(few) == 0.5


def test_histograms_without_counts_are_flat() -> None:
    empty = Histogram(counts=(0, 0), first=0, width=50, mark=50)
    frame = charts.frame([empty])
    assert charts.outline(empty, frame) == "M0 100V100H1V100Z"
    assert charts.none_share(empty) is None
    assert charts.mark_at(empty, frame) == 100

"""From what was played to what is said about it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena.errors import ReportError
from arena.records import Fault, FaultKind, MatchStats
from arena.report import ReportData, Stored, report_data
from arena.report.bots import docstring_of
from arena.report.measures import Played, share_between
from arena.report.model import Overall, Section
from arena.report.tables import standings_csv
from arena.store import StoredMatch
from tests.report.simulated import SOURCE, stored

TWO = {"a": 300, "b": 800}
SMALL = "zehntausend-1:target=2000"


def small(bots: dict[str, int], **options: object) -> Stored:
    return stored([SMALL], bots, **{"blocks": 6, **options})  # type: ignore[arg-type]


def won(stats: MatchStats, first: int) -> MatchStats:
    """The same games, all won by the bot at that place."""
    results = np.zeros_like(stats.results)
    results[:, :, 0] = stats.blocks
    results[:, first] = [0, 0, stats.blocks]
    table = np.zeros((3, 3), dtype=np.int64)
    table[2 * (1 - first), 2 * (1 - first)] = stats.blocks
    vector = np.array([4, 0, 2, 2] if first == 0 else [0, 4, 2, 2])
    return replace(
        stats,
        results=results,
        pair_table=table,
        block_sums=vector * stats.blocks,
        block_products=np.outer(vector, vector) * stats.blocks,
    )


def with_stats(each: StoredMatch, stats: MatchStats) -> StoredMatch:
    return replace(each, stats=stats)


def test_nothing_played_is_a_clear_error() -> None:
    empty = replace(small(TWO), matches=())
    with pytest.raises(ReportError, match=r"results\.sqlite: there are no finished games"):
        report_data(empty)
    begun = small(TWO)
    zero = MatchStats.zero(seats=2, rotations=2)
    with pytest.raises(ReportError, match="arena run"):
        report_data(replace(begun, matches=[with_stats(m, zero) for m in begun.matches]))


def test_numbers_of_two_bots_are_those_of_their_counts() -> None:
    found = small(TWO, blocks=20)
    [match] = found.matches
    report = report_data(found)
    [section] = report.sections
    stats = match.stats
    for row in section.standings:
        losses, draws, wins = stats.results[:, row.bot].sum(axis=0)
        assert (row.losses, row.draws, row.wins) == (losses, draws, wins)
        assert row.games == 40
        assert row.score.value == pytest.approx((wins + draws / 2) / 40, abs=1e-6)
        assert row.play is not None
        assert row.play.points_per_turn == round(stats.written[row.bot] / stats.turns[row.bot], 4)
        assert row.play.turn_points.below + sum(row.play.turn_points.counts) == stats.turns[row.bot]
        assert sum(row.play.final_scores.counts) == 40
    first, second = section.matches
    assert first.score.value + second.score.value == pytest.approx(1)
    assert first.elo.value == pytest.approx(-second.elo.value, abs=0.011)
    assert first.elo.low == pytest.approx(-second.elo.high, abs=0.011)
    assert first.digest == stats.digest
    assert sum(seat.wins + seat.draws / 2 for seat in section.seats) == 40


def test_a_bot_that_lost_everything_is_marked() -> None:
    found = small(TWO, blocks=20)
    matches = [with_stats(each, won(each.stats, 0)) for each in found.matches]
    [section] = report_data(replace(found, matches=matches)).sections
    assert [row.bound for row in section.standings] == ["above", "below"]
    assert section.verdict == "a leads, surely stronger than b."
    assert any("b lost everything" in text for text in section.warnings)


def test_forfeits_are_counted_also_where_no_record_was_kept() -> None:
    found = small({**TWO, "loser": -1})
    report = report_data(found)
    assert report.faults == ()
    assert (
        report.forfeits == "23 games were forfeited: 23 by loser."
    )  # in one game it only rolled busts
    assert report_data(small(TWO)).forfeits == ""


def test_equal_bots_come_out_even() -> None:
    # The minimum is 350, so both stop at the same points.
    [section] = report_data(stored(["zehntausend-2"], {"x": 300, "y": 350}, blocks=3)).sections
    assert section.verdict == "x and y came out exactly even."
    assert {row.elo.value for row in section.standings} == {0.0}


def test_share_of_two_players_is_the_score() -> None:
    [match] = small(TWO, blocks=20).matches
    played = Played(match=match.match, stats=match.stats, bots=(0, 1))
    found = share_between(0, 1, [played])
    assert found is not None
    games, score = found
    assert games == 40
    assert score.value == pytest.approx(match.stats.block_sums[0] / match.stats.unit / 40, abs=1e-6)
    back = share_between(1, 0, [played])
    assert back is not None
    assert back[1].low == pytest.approx(1 - score.high, abs=2e-6)


def test_four_at_a_table(four: ReportData) -> None:
    [section] = four.sections
    assert section.players == 4
    assert section.seat_elo is None
    assert len(section.seats) == 4
    assert sum(row.elo.value for row in section.standings) == pytest.approx(0, abs=0.05)
    assert sum(row.wins + row.draws / 2 for row in section.standings) == pytest.approx(
        section.games, abs=section.games / 10
    )
    assert all(0 < duel.score.low < duel.score.high < 1 for duel in section.duels)
    assert all("Plackett" in text for text in [section.method])


def test_over_all_needs_two_rulesets_and_one_size_of_table(hostile: ReportData) -> None:
    assert report_data(small(TWO)).overall is None
    assert hostile.overall is not None
    assert len(hostile.overall.standings) == len(hostile.bots)
    two, three = small(TWO), small({**TWO, "c": 500}, players=3)
    both = replace(two, matches=[*two.matches, *three.matches], bots={**two.bots, **three.bots})
    report = report_data(both)
    assert report.overall is None
    assert [s.name for s in report.sections] == [f"{SMALL}, 2 players", f"{SMALL}, 3 players"]


def test_rulesets_without_bots_in_common_have_no_order() -> None:
    here = small(TWO)
    there = stored(["zehntausend-2:target=2000"], {"c": 400, "d": 700}, blocks=6)
    both = replace(here, matches=[*here.matches, *there.matches], bots={**here.bots, **there.bots})
    overall = report_data(both).overall
    assert overall is not None
    assert overall.standings == ()
    assert "no bots in common" in overall.verdict


def test_results_of_older_engines_are_left_out() -> None:
    found = small({**TWO, "c": 500})
    old, *new = found.matches
    newer = [replace(m, match=replace(m.match, engine=m.match.engine + 1)) for m in new]
    report = report_data(replace(found, matches=[old, *newer]))
    assert report.games == sum(m.stats.games for m in new)
    assert ("engine version", "2 (1 match of older engine versions left out)") in report.settings


def test_bots_of_one_name_are_told_apart_and_names_of_one_bot_are_joined() -> None:
    found = small({"a": 300, "b": 800, "c": 500})
    first, second, third = found.matches
    renamed = replace(second, match=replace(second.match, bots=("a", "b")))  # "c" is now a "b", too
    also = replace(third, match=replace(third.match, bots=("other", "b")))  # and "b" an "other"
    report = report_data(replace(found, matches=[first, renamed, also]))
    keys = [first.match.bot_keys[1], second.match.bot_keys[1]]
    assert [bot.name for bot in report.bots] == ["a", *(f"b [{key[:6]}]" for key in keys)]
    assert report.bots[1].also == ("other",)


def test_fixed_seats_say_that_seats_are_not_told_apart() -> None:
    [section] = report_data(small(TWO, fixed_seats=True)).sections
    assert section.seats == ()
    assert "fixed seats" in section.seat_note
    assert any("fixed seats" in text for text in section.warnings)


def test_a_bot_against_itself_is_no_standing() -> None:
    found = small(TWO)
    [match] = found.matches
    key = match.match.bot_keys[0]
    mirror = replace(match, match=replace(match.match, bots=("a", "a"), bot_keys=(key, key)))
    [section] = report_data(replace(found, matches=[mirror])).sections
    assert section.standings == ()
    assert len(section.matches) == 2
    assert "nobody leads" in section.verdict
    assert any("two seats" in text for text in section.warnings)


def test_title_is_that_of_the_tournament() -> None:
    found = small(TWO)
    assert report_data(found).title == "Small test"
    assert report_data(found, title="Mine").title == "Mine"
    [run] = found.runs
    named = replace(run, info=replace(run.info, settings=(("title", "League"),)))
    assert report_data(replace(found, runs=(named,))).title == "League"
    assert report_data(replace(found, runs=())).title == "Tournament"


def test_docstrings_are_read_without_running_the_source() -> None:
    assert docstring_of(SOURCE, "Stops").startswith("Stops at a number of points.\n\nIt keeps")
    assert docstring_of(SOURCE, "Other") == ""
    assert docstring_of("class Stops(", "Stops") == ""
    assert docstring_of("x = " + "(" * 5000, "Stops") == ""
    assert docstring_of("\x00", "Stops") == ""


def test_withdrawn_bots_change_no_rating() -> None:
    three = {"a": 300, "b": 800, "c": 450}
    both = [SMALL, "zehntausend-2:target=2000"]
    alone = report_data(stored(both, three, blocks=20))
    beside = stored(both, {**three, "bad": 5000}, blocks=20)
    matches = [
        replace(each, faults=(Fault(bot="bad", kind=FaultKind.WITHDRAWN, message="it hung"),))
        if "bad" in each.match.bots
        else each
        for each in beside.matches
    ]
    report = report_data(replace(beside, matches=matches))
    name = report.bots[report.order[-1]].name
    assert name == "bad"
    assert report.overall is not None
    assert alone.overall is not None
    parts: list[Section | Overall] = [*report.sections, report.overall]
    honest_parts: list[Section | Overall] = [*alone.sections, alone.overall]
    for part, honest in zip(parts, honest_parts, strict=True):
        assert part.standings == honest.standings
        assert part.verdict == honest.verdict
        [out] = part.unrated
        assert report.bots[out.bot].withdrawn == "it hung"
        assert out.games == sum(m.stats.games for m in matches if "bad" in m.match.bots) / (
            1 if part is report.overall else 2
        )
    assert "bad was withdrawn and cannot be rated" in report.sections[0].warnings[0]
    assert "all,2,bad" in standings_csv(report)


def test_with_one_bot_left_nobody_is_rated() -> None:
    found = small(TWO)
    marks = (Fault(bot="b", kind=FaultKind.WITHDRAWN, message="it hung"),)
    [match] = found.matches
    [section] = report_data(replace(found, matches=[replace(match, faults=marks)])).sections
    assert not section.standings
    assert len(section.unrated) == 1
    assert section.verdict.startswith("No two bots were left")

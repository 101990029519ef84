"""Formats: who meets whom, byes, odd numbers, level results, and the same course again."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from tests.tournament.pretending import Pretender, field_of, hold, strengths

HEAD = "rulesets = ['tienduizend']\nblocks = 40\n"


def text(bots: list[str], form: str, more: str = "") -> str:
    return f"bots = {bots}\n{HEAD}format = '{form}'\n{more}\n"


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8, 11, 16])
def test_swiss(tmp_path: Path, count: int) -> None:
    bots = field_of(count)
    shuffled = bots[::2] + bots[1::2]
    held = hold(tmp_path, text(shuffled, "swiss"), Pretender(strengths(bots)))
    met = [pair for part in held.pairs() for pair in part]
    assert len(met) == len(set(met))
    assert all(len(part) == count // 2 for part in held.pairs())
    for part in held.pairs():
        assert len(frozenset().union(*part)) == 2 * (count // 2)
    resting = [line.split(": ")[1].removesuffix(" rests") for line in held.lines if "rests" in line]
    assert len(resting) == len(set(resting)) == (len(held.pairs()) if count % 2 else 0)
    assert f"place 1: {bots[0]}, {len(held.pairs())} points" in "\n".join(held.lines).replace(
        " point,", " points,"
    )


def test_a_swiss_of_all_rounds_is_a_round_robin(tmp_path: Path) -> None:
    bots = field_of(6)
    held = hold(tmp_path, text(bots, "swiss", "rounds = 5"), Pretender(strengths(bots)))
    met = {pair for part in held.pairs() for pair in part}
    assert met == {frozenset(pair) for pair in combinations(bots, 2)}


@pytest.mark.parametrize("count", [2, 3, 5, 8, 9, 13])
def test_knockout(tmp_path: Path, count: int) -> None:
    bots = field_of(count)
    held = hold(tmp_path, text(bots, "knockout"), Pretender(strengths(bots)))
    met = [pair for part in held.pairs() for pair in part]
    assert len(met) == count - 1
    out = [max(pair, key=bots.index) for pair in met]
    assert sorted(out) == sorted(bots[1:])
    assert held.lines[-1] == f"winner: {bots[0]}"
    assert met[-1] == {bots[0], bots[1]}  # the best two seeds meet last
    size = 1 << (count - 1).bit_length()
    rested = set(bots) - frozenset().union(*held.pairs()[0])
    assert rested == set(bots[: size - count])


def test_of_two_that_are_level_the_better_seed_goes_on(tmp_path: Path) -> None:
    bots = field_of(4)
    held = hold(tmp_path, text(bots, "knockout"), Pretender(dict.fromkeys(bots, 0.0)))
    assert held.lines[-1] == f"winner: {bots[0]}"
    assert sum("are level" in line for line in held.lines) == 3


@pytest.mark.parametrize("count", [2, 5, 6])
def test_a_ladder_of_enough_rounds_sorts(tmp_path: Path, count: int) -> None:
    bots = field_of(count)
    held = hold(
        tmp_path, text(bots[::-1], "ladder", f"rounds = {count}"), Pretender(strengths(bots))
    )
    rungs = [line.split(": ")[1] for line in held.lines if line.startswith("rung")]
    assert rungs == bots


def test_who_meets_again_plays_on(tmp_path: Path) -> None:
    bots = field_of(3)
    ledger = Pretender(strengths(bots))
    held = hold(tmp_path, text(bots, "ladder", "rounds = 4"), ledger)
    assert [part[0] for part in held.pairs()] == 2 * [{*bots[:2]}, {*bots[1:]}]
    assert [each.planned[0].blocks for each in held.rounds] == [40, 40, 80, 80]


@pytest.mark.parametrize(("count", "groups", "advance"), [(4, 2, 1), (7, 2, 2), (9, 3, 1)])
def test_groups(tmp_path: Path, count: int, groups: int, advance: int) -> None:
    bots = field_of(count)
    more = f"groups = {groups}\nadvance = {advance}"
    held = hold(tmp_path, text(bots, "groups", more), Pretender(strengths(bots)))
    first, final = held.pairs()
    assert len(first) + len(final) == len(set(first) | set(final))
    finalists = [line for line in held.lines if line.startswith("final, place")]
    assert len(finalists) == groups * advance
    assert finalists[0].startswith(f"final, place 1: {bots[0]}, ")
    assert set(bots[:groups]) <= frozenset().union(*final)


@pytest.mark.parametrize("form", ["swiss", "knockout", "ladder", "groups"])
def test_the_same_results_give_the_same_course(tmp_path: Path, form: str) -> None:
    bots = field_of(7)
    ledger = Pretender(strengths(bots, 7.0))
    once = hold(tmp_path, text(bots, form), ledger)
    assert hold(tmp_path, text(bots, form), ledger) == once
    assert hold(tmp_path, text(bots, form), Pretender(strengths(bots, 7.0))) == once


@pytest.mark.parametrize("form", ["swiss", "knockout", "ladder", "groups"])
def test_matches_that_could_not_be_played_end_nothing(tmp_path: Path, form: str) -> None:
    bots = field_of(5)
    lost = frozenset(frozenset(pair) for pair in combinations(bots, 2) if bots[2] in pair)
    held = hold(tmp_path, text(bots, form), Pretender(strengths(bots), missing=lost))
    assert held.lines


def test_rulesets_are_played_side_by_side(tmp_path: Path) -> None:
    bots = field_of(4)
    two = text(bots, "knockout").replace("'tienduizend'", "'tienduizend', 'zehntausend-1'")
    held = hold(tmp_path, two, Pretender(strengths(bots)))
    assert [len(each.planned) for each in held.rounds] == [4, 2]
    assert [each.told for each in held.rounds] == ["semi-finals", "final"]
    assert [course.title for course in held.courses] == [
        "Knockout, tienduizend",
        "Knockout, zehntausend-1",
    ]


def test_results_that_chance_explains_are_told(tmp_path: Path) -> None:
    bots = field_of(2)
    narrow = hold(tmp_path, text(bots, "knockout"), Pretender(strengths(bots, 5.0)))
    assert narrow.lines[0].endswith(", within chance")
    clear = hold(tmp_path, text(bots, "knockout"), Pretender(strengths(bots, 200.0)))
    assert clear.lines[0] == f"final: {bots[0]} beats {bots[1]} with 76.2 %"

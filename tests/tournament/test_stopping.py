"""`[stopping]`: tournaments that end when they know enough."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena.tournament import (
    MemoryLedger,
    Round,
    Rounds,
    Tournament,
    default_engine,
    read_config,
    run_rounds,
)
from tests.tournament.pretending import Pretender, field_of, hold, strengths


def text(bots: list[str], rule: str, more: str = "") -> str:
    return f"bots = {bots}\nrulesets = ['tienduizend']\n{more}\n[stopping]\n{rule}\n"


def test_a_half_width_is_reached(tmp_path: Path) -> None:
    bots = field_of(4)
    ledger = Pretender(strengths(bots, 60.0))
    held = hold(tmp_path, text(bots, "half_width = 2"), ledger)
    assert len(held.rounds) > 3
    assert "of at most 120,000 blocks" in held.lines[0]
    reached = float(held.lines[1].split("±")[1].split()[0])
    assert 1.0 < reached <= 2.0


def test_all_blocks_may_not_suffice(tmp_path: Path) -> None:
    bots = field_of(3)
    held = hold(tmp_path, text(bots, "half_width = 1", "blocks = 100"), Pretender(strengths(bots)))
    assert held.lines[0] == "stopped after 300 of at most 300 blocks"
    assert held.lines[1].startswith("not known to ±1 Elo: ")


@pytest.mark.parametrize("rule", ["half_width = 2", "ranks = 0.95\ntie = 30"])
def test_withdrawn_bots_ask_for_no_games(tmp_path: Path, rule: str) -> None:
    bots = field_of(6)
    elo = strengths(bots[:4], 60.0) | dict.fromkeys(bots[4:], -2000.0)
    beside = hold(tmp_path, text(bots, rule), Pretender(elo, out=frozenset(bots[4:])))
    alone = hold(tmp_path, text(bots[:4], rule), Pretender(elo))
    assert beside.lines[0] == (
        f"left out after the first look, since they were withdrawn: {bots[4]}, {bots[5]}"
    )
    assert beside.lines[1:] == alone.lines
    for part, same in zip(beside.rounds[1:], alone.rounds[1:], strict=True):
        assert [each.blocks for each in part.planned] == [each.blocks for each in same.planned]


def test_ranks_are_told_apart_where_it_helps(tmp_path: Path) -> None:
    bots = field_of(4)
    elo = dict(zip(bots, (0.0, -20.0, -200.0, -400.0), strict=True))
    ledger = Pretender(elo)
    held = hold(tmp_path, text(bots, "ranks = 0.95\ntie = 2"), ledger)
    assert held.lines[1].startswith("all ranks are told apart, 95 % sure for all together")
    blocks = {
        frozenset(each.match.bots): each.blocks for part in held.rounds for each in part.planned
    }
    close = frozenset(bots[:2])
    assert max(blocks, key=lambda pair: blocks[pair]) == close
    assert blocks[frozenset((bots[0], bots[3]))] < blocks[close] / 4
    assert held.lines[2].startswith(f"{bots[0]}: +")
    assert "however often one looks" in held.lines[2]


def test_bots_that_are_alike_are_tied(tmp_path: Path) -> None:
    bots = field_of(3)
    elo = dict(zip(bots, (0.0, 0.0, -200.0), strict=True))
    held = hold(tmp_path, text(bots, "ranks = 0.9\ntie = 15"), Pretender(elo))
    told = "\n".join(held.lines)
    assert "told apart: 2 pairs, 90 % sure" in told
    assert "tied within 15 Elo: " in told
    assert "not told apart" not in told


def test_every_pair_is_tested(tmp_path: Path) -> None:
    bots = field_of(4)
    elo = dict(zip(bots, (0.0, 50.0, -50.0, 0.0), strict=True))
    rule = "sprt = {elo0 = 0, elo1 = 20}"
    held = hold(tmp_path, text(bots, rule, "format = 'gauntlet'"), Pretender(elo))
    told = dict(line.split(": ", 1) for line in held.lines)
    assert told[f"{bots[0]} against {bots[1]}"].startswith("less than +20 Elo")
    assert told[f"{bots[0]} against {bots[2]}"].startswith("more than 0 Elo")
    assert told[f"{bots[0]} against {bots[3]}"].startswith("less than +20 Elo")
    assert [len(each.planned) for each in held.rounds] == sorted(
        (len(each.planned) for each in held.rounds), reverse=True
    )


def test_tests_end_at_the_largest_number_of_blocks(tmp_path: Path) -> None:
    bots = field_of(2)
    rule = "sprt = {elo0 = -1, elo1 = 1}"
    held = hold(tmp_path, text(bots, rule, "blocks = 500"), Pretender(strengths(bots, 0.0)))
    assert held.rounds[-1].planned[0].blocks == 500
    assert "undecided" in held.lines[0]


def test_lost_matches_end_nothing(tmp_path: Path) -> None:
    bots = field_of(3)
    missing = frozenset({frozenset(bots[:2])})
    for rule in ("half_width = 30", "sprt = {elo1 = 50}"):
        held = hold(tmp_path, text(bots, rule), Pretender(strengths(bots), missing=missing))
        assert held.lines
    nobody = frozenset({frozenset(bots[:2]), frozenset(bots[1:]), frozenset(bots[::2])})
    held = hold(tmp_path, text(bots, "ranks = 0.95"), Pretender({}, missing=nobody))
    assert len(held.rounds) == 1


@pytest.mark.parametrize(
    ("more", "rule"),
    [("players = 3", "half_width = 30"), ("", "ranks = 0.95\ntie = 100"), ("", "sprt = {elo1=80}")],
)
def test_workers_and_chunks_do_not_matter(tmp_path: Path, more: str, rule: str) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(
        'bots = ["hold", "greedy", "hold:points=600"]\n'
        f'rulesets = ["zehntausend-2:target=2000"]\n{more}\n[stopping]\n{rule}\n'
    )
    config = replace(read_config(file), blocks=400)
    found = []
    for workers, chunk_blocks in ((1, 0), (2, 7)):
        ledger = MemoryLedger()
        tournament = Tournament(config, ledger)
        rounds: list[Round] = []

        def noted(tournament: Tournament = tournament, rounds: list[Round] = rounds) -> Rounds:
            for each in tournament.rounds():
                rounds.append(each)
                yield each

        steps = run_rounds(
            noted(),
            ledger,
            engine=default_engine(),
            workers=workers,
            chunk_blocks=chunk_blocks,
        )
        assert list(steps)[-1].told == rounds[-1].told
        planned = {each.match.id: each.blocks for part in rounds for each in part.planned}
        digests = {}
        for match_id, blocks in planned.items():
            stats = ledger.stats(match_id)
            assert stats is not None
            assert stats.blocks == blocks
            digests[match_id] = stats.digest
        found.append((digests, tournament.courses, [each.told for each in rounds]))
    assert found[0] == found[1]
    assert len(found[0][2]) > 1

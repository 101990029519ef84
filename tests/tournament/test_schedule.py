"""Who meets whom, and that ids do not depend on how a file is written."""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb
from pathlib import Path

import pytest

from arena.tournament import TournamentConfig, read_config, schedule

BOTS = ["hold", "greedy", "random", "hold:points=500", "moody"]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "cup.toml"


def _config(file: Path, bots: list[str], more: str = "") -> TournamentConfig:
    file.write_text(
        f'bots = {bots}\nrulesets = ["tienduizend", "zehntausend-1"]\n{more}\n'.replace("'", '"')
    )
    return read_config(file)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_round_robin_has_every_set_once(file: Path, players: int) -> None:
    planned = schedule(_config(file, BOTS, f"players = {players}"))
    assert len(planned) == 2 * comb(5, players)
    for ruleset in ("tienduizend", "zehntausend-1"):
        met = {frozenset(each.match.bots) for each in planned if each.match.rules == ruleset}
        assert met == {frozenset(each) for each in combinations(BOTS, players)}


def test_the_gauntlet_has_one_hero_in_each_match(file: Path) -> None:
    heroes = ["greedy", "moody"]
    planned = schedule(
        _config(file, BOTS, 'format = "gauntlet"\nheroes = ["greedy", "moody"]\nplayers = 3')
    )
    assert len(planned) == 2 * 2 * comb(3, 2)
    for each in planned:
        assert len(set(each.match.bots) & set(heroes)) == 1


def test_the_first_bot_is_the_hero_by_default(file: Path) -> None:
    planned = schedule(_config(file, BOTS, 'format = "gauntlet"'))
    assert len(planned) == 2 * 4
    assert all("hold" in each.match.bots for each in planned)


def test_ids_do_not_depend_on_the_order_of_bots(file: Path) -> None:
    some = BOTS[:4]
    first = [(each.match.id, each.match.bots) for each in schedule(_config(file, some))]
    for order in list(permutations(some))[1:6]:
        again = [(each.match.id, each.match.bots) for each in schedule(_config(file, list(order)))]
        assert again == first


def test_another_bot_leaves_the_other_matches_as_they_are(file: Path) -> None:
    few = {each.match.id for each in schedule(_config(file, BOTS[:3]))}
    many = {each.match.id for each in schedule(_config(file, BOTS))}
    assert few < many
    assert len(many) == 20


def test_every_match_has_dice_of_its_own(file: Path) -> None:
    planned = schedule(_config(file, BOTS))
    assert len({each.match.dice_key for each in planned}) == len(planned)

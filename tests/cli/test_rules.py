"""`arena rules`."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from arena.rules import Ruleset
from arena.rules.meanings import MEANINGS
from tests.cli.running import Arena
from tests.rules.loading import DOCUMENTS, SHIPPED


def test_the_list(arena: Arena) -> None:
    ran = arena("rules")
    assert (ran.code, ran.err) == (0, "")
    for name in DOCUMENTS:
        assert f"{name} " in ran.out
    assert "Tienduizend (Dutch, six dice)" in ran.out
    documents = arena("rules", "--json").document["rulesets"]
    assert {document["rules"] for document in documents} == {
        path.stem for path in SHIPPED.glob("*.toml")
    }


def test_a_broken_file_hides_no_other(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "configs" / "rules").mkdir(parents=True)
    (tmp_path / "configs" / "rules" / "broken.toml").write_text("dice = 9\n")
    ran = arena("rules")
    assert ran.code == 0
    assert "zehntausend-2" in ran.out
    assert "broken: 1 ruleset mistake:" in ran.err
    assert "dice = 9: a whole number from 1 to 6" in ran.err


def test_own_files_come_first(arena: Arena, tmp_path: Path) -> None:
    folder = tmp_path / "configs" / "rules"
    folder.mkdir(parents=True)
    (folder / "zehntausend-2.toml").write_text('title = "Mine"\n[combinations]\n1 = 100\n')
    assert "Mine" in arena("rules").out
    assert arena("rules", "zehntausend-2", "--path").out == "configs/rules/zehntausend-2.toml\n"
    assert arena("rules", "zehntausend-1", "--path").out == f"{SHIPPED / 'zehntausend-1.toml'}\n"


def test_one_ruleset_with_all_its_keys(arena: Arena) -> None:
    ran = arena("rules", "zehntausend-1:target=20000,bust_penalty={after=3,points=500}")
    assert ran.code == 0
    for key in MEANINGS:
        assert f"\n{key} " in ran.out
    assert "target                   20000 " in ran.out
    assert "{after = 3, points = 500, resets = true, floor = none}" in ran.out
    assert "rolls_reset_on_hot_dice  false " in ran.out
    assert "Readings: a scoreless second or third roll" in ran.out
    assert "3333  = 3000" in ran.out


def test_one_ruleset_as_a_document(arena: Arena) -> None:
    document = arena("rules", "tienduizend", "--json").document
    assert document["rules"] == "tienduizend"
    assert document["combinations"]["aabbcc"] == 1000
    assert document["instant_win"] == ["111111"]
    assert document["bust_penalty"] == {"after": 0, "points": 0, "resets": True, "floor": "none"}
    assert set(MEANINGS) <= set(document)


def test_a_path(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("target = 500\n[combinations]\n1 = 100\n")
    assert arena("rules", "mine.toml", "--json").document["rules"] == "mine"
    assert arena("rules", "mine.toml:target=600", "--path").out == "mine.toml\n"


def test_every_key_has_a_meaning() -> None:
    assert {"name", "title", "source", *MEANINGS} == {field.name for field in fields(Ruleset)}


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["tienduizent"], 3, "did you mean tienduizend?"),
        (["tienduizend:dice=7"], 3, "dice = 7: a whole number from 1 to 6"),
        (["nowhere.toml"], 3, "nowhere.toml: cannot be read: No such file or directory"),
        (["--path"], 2, "--path needs the name of a ruleset"),
    ],
)
def test_mistakes(arena: Arena, arguments: list[str], code: int, message: str) -> None:
    ran = arena("rules", *arguments)
    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err

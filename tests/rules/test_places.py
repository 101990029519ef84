"""Where rulesets are looked for."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from arena.rules.places import cache_folder, rules_folders, shipped_folder
from tests.rules.loading import SHIPPED


def nobody_home() -> Path:
    raise RuntimeError("Could not determine home directory.")


def test_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    assert rules_folders() == [SHIPPED]
    (tmp_path / "configs" / "rules").mkdir(parents=True)
    (tmp_path / "own" / "arena" / "rules").mkdir(parents=True)
    assert rules_folders() == [
        Path("configs/rules"),
        tmp_path / "own" / "arena" / "rules",
        SHIPPED,
    ]


def test_in_the_checkout_itself_its_folder_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SHIPPED.parents[1])
    assert rules_folders()[0] == Path("configs/rules")
    assert sum(folder.resolve() == SHIPPED for folder in rules_folders()) == 1


def test_where_nobody_is_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for variable in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(Path, "home", nobody_home)
    assert rules_folders() == [SHIPPED]
    assert cache_folder() == Path(tempfile.gettempdir()) / "arena"


def test_what_was_not_shipped() -> None:
    assert shipped_folder("configs") == SHIPPED.parent
    assert shipped_folder("nonsense") is None

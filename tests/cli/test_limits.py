"""Limits of bots' processes as a user sets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import ROOT, Arena


@pytest.mark.usefixtures("hungry")
def test_a_limit_decides_over_a_match_and_is_part_of_its_identity(arena: Arena) -> None:
    command = ["match", "bots/hungry.py", "hold", "--rules", "greed:target=600", "--games", 4]
    few, many = (
        arena(*command, "--isolation", "limits", "--limit", f"memory_mib={mib}", "--json")
        for mib in (256, 1500)
    )
    assert few.document["bots"][0]["forfeits"] == 4
    assert "memory" in few.err
    assert many.document["bots"][0]["forfeits"] == 0


@pytest.mark.usefixtures("hungry")
def test_a_tournament_with_other_limits_is_another_one(arena: Arena, tmp_path: Path) -> None:
    config = tmp_path / "cup.toml"
    text = (
        'bots = ["hungry", "hold"]\nbot_sources = ["bots", "hold.py"]\n'
        'rulesets = ["greed:target=600"]\nblocks = 2\n[limits]\nmemory_mib = '
    )
    config.write_text(f"{text}256\n")
    ran = arena("run", config, "--isolation", "limits")
    assert ran.code == 0, ran.err
    page = (tmp_path / "reports" / "cup" / "index.html").read_text()
    assert "memory_mib = 256" in page
    config.write_text(f"{text}1500\n")
    ran = arena("run", config, "--isolation", "limits")
    assert "4 games in" in ran.err  # not "there already": what it forfeited counts no more
    report = json.loads((tmp_path / "reports" / "cup" / "report.json").read_text())
    assert "forfeited" not in report["forfeits"]
    ran = arena("run", config, "--isolation", "limits", "--limit", "memory_mib=256")
    assert "All 4 games were there already." in ran.err


def test_limits_and_trust_contradict_each_other(arena: Arena) -> None:
    ran = arena("bots", "--trust", "--limit", "stall_s=1")
    assert ran.code == 2
    assert "--limit does not go with --trust" in ran.err


@pytest.fixture
def hungry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots").mkdir()
    (tmp_path / "hold.py").write_bytes((ROOT / "bots" / "hold.py").read_bytes())
    (tmp_path / "bots" / "hungry.py").write_text(
        "from arena import Bot\n\n\nclass Hungry(Bot):\n    def decide(self, turn):\n"
        "        much = bytes(400 << 20)\n        return turn.holds[0].bank()\n"
    )

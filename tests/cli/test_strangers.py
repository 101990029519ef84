"""No command imports the file of a bot into its own process, unless it is told to trust it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.running import Arena

RULES = "greed:target=600"
SIGN = "ARENA_STRANGER"
STRANGER = f"""
import os

from arena import Bot

os.environ["{SIGN}"] = "was here"


class Stranger(Bot):
    def decide(self, turn):
        os.environ["{SIGN}"] = "was here"
        hold = turn.holds[0]
        return hold.bank() if turn.points + hold.points >= 300 else hold.roll()
"""
CONFIG = f"""
bots = ["stranger", "hold"]
bot_sources = ["bots", "hold.py"]
rulesets = ["{RULES}"]
blocks = 2
"""
COMMANDS: dict[str, list[object]] = {
    "run": ["run", "league.toml", "--workers", 1],
    "match": ["match", "stranger", "hold", "--rules", RULES, "--games", 4],
    "submit": ["submit", "bots/stranger.py", "--league", "league.toml", "--dry-run"],
    "check": ["check", "bots/stranger.py"],
    "bots": ["bots"],
    "new-bot": ["new-bot", "another"],
    "replay": ["replay", "stranger", "hold", "--rules", RULES],
    "sprt": ["sprt", "stranger", "hold", "--rules", RULES, "--most-games", 20, "--workers", 1],
    "plan": ["plan", "stranger", "hold", "--rules", RULES, "--elo", 200],
    "exact": ["exact", "stranger", "hold", "--rules", RULES],
    "exploit": ["exploit", "stranger", "--rules", RULES, "--workers", 1],
    "blunders": ["blunders", "stranger", "--rules", RULES, "--against", "hold", "--workers", 1],
}
"""Every command that looks at bots; `stranger` lies in ./bots, where all of them look."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv(SIGN, "")
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "stranger.py").write_text(STRANGER)
    shipped = Path(__file__).parents[2] / "bots" / "hold.py"
    (tmp_path / "hold.py").write_bytes(shipped.read_bytes())
    (tmp_path / "league.toml").write_text(CONFIG)
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", COMMANDS)
def test_no_bot_is_imported_here(arena: Arena, name: str) -> None:
    level: list[object] = [] if name == "new-bot" else ["--isolation", "limits"]
    ran = arena(*COMMANDS[name], *level)
    assert ran.code == 0, ran.err
    assert os.environ[SIGN] == ""


@pytest.mark.usefixtures("folder")
def test_the_bot_would_leave_its_sign(arena: Arena) -> None:
    assert arena("bots", "--trust").code == 0
    assert os.environ[SIGN] == "was here"

"""The place of a bot in a league as text."""

from __future__ import annotations

from typing import Any

import pytest

from arena.cli.place import place_text

OLD = {"bot": "mine [0a1b2c]", "rank_low": 5, "rank_high": 5, "elo": -7.0}


def document(**changes: Any) -> dict[str, Any]:
    row: dict[str, Any] = {
        "rules": "tienduizend",
        "bots": 20,
        "rank_low": 3,
        "rank_high": 4,
        "elo": 12.3,
        "elo_low": 8.0,
        "elo_high": 16.6,
        "beat": [{"bot": f"some-bot-{n}", "score": 0.65} for n in range(12)],
        "lost_to": [],
        "open": ["few-dice"],
        "earlier": [],
    }
    return {"bot": "mine", "places": [row | changes], "report": "reports/league/index.html"}


def test_lists_are_as_wide_as_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = place_text("League", document()).splitlines()
    assert lines[2] == "  tienduizend: place 3 to 4 of 20, Elo +12.3 (+8.0 to +16.6)"
    assert lines[3].startswith("    beat: some-bot-0 65 %, some-bot-1 65 %")
    assert all(len(line) <= 60 for line in lines[3:])
    assert all(line.endswith(("%,", "%")) for line in lines[3:-3])
    assert lines[-3] == "    too close to call: few-dice"


@pytest.mark.parametrize(
    ("met", "told"), [(None, ""), (0.5312, "; new against old: 53.1 %")], ids=["apart", "met"]
)
def test_the_earlier_version_is_told(met: float | None, told: str) -> None:
    text = place_text("League", document(earlier=[OLD | {"new_against_it": met}]))
    assert f"    your earlier version mine [0a1b2c]: place 5, Elo -7.0{told}\n" in text

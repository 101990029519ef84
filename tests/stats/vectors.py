"""The reference numbers of tests/stats/data/ratings.json as typed records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from arena.stats import Results, results_from_crosstable

BOTS = "ABCDE"


def load() -> dict[str, Any]:
    path = Path(__file__).parent / "data" / "ratings.json"
    loaded: dict[str, Any] = json.loads(path.read_text())
    return loaded


def crosstable() -> Results:
    table = load()["crosstable"]
    pairs = [key.split("-") for key in table]
    wins, draws, losses = zip(*table.values(), strict=True)
    return results_from_crosstable(
        bots=len(BOTS),
        first=[BOTS.index(first) for first, _ in pairs],
        second=[BOTS.index(second) for _, second in pairs],
        wins=wins,
        draws=draws,
        losses=losses,
    )

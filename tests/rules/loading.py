"""Rulesets for tests: the shipped ones and those of `tests/data/rules`."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from arena.rules import RuleTables, load_ruleset, rule_tables

DATA = Path(__file__).parents[1] / "data"
SHIPPED = Path(__file__).parents[2] / "configs" / "rules"
FOLDERS = [SHIPPED, DATA / "rules"]
DOCUMENTS = ("tienduizend", "zehntausend-1", "zehntausend-2")


@cache
def tables(spec: str) -> RuleTables:
    """The tables of a ruleset specification."""
    return rule_tables(load_ruleset(spec, FOLDERS))


def vectors(name: str) -> dict[str, Any]:
    """A file of `tests/data`, without its remarks."""
    content = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return {key: value for key, value in content.items() if not key.startswith("_")}

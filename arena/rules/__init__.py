"""Rulesets: the file format, legal holds, and the tables that every engine plays from."""

from arena.rules.holds import REROLL, REROLL_CODE, Action, Decision, Hold, Roll
from arena.rules.loading import load_ruleset, ruleset_files, split_spec, value_of
from arena.rules.ruleset import (
    MAX_ROLLS_PER_TURN,
    MAX_ROUNDS,
    BustPenalty,
    Combination,
    Ruleset,
)
from arena.rules.tables import RuleTables, Scorer, rule_tables

__all__ = [
    "MAX_ROLLS_PER_TURN",
    "MAX_ROUNDS",
    "REROLL",
    "REROLL_CODE",
    "Action",
    "BustPenalty",
    "Combination",
    "Decision",
    "Hold",
    "Roll",
    "RuleTables",
    "Ruleset",
    "Scorer",
    "load_ruleset",
    "rule_tables",
    "ruleset_files",
    "split_spec",
    "value_of",
]

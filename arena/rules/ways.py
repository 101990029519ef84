"""How likely each roll is, for bots that calculate."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from arena.rules.holds import Roll
from arena.rules.ruleset import Ruleset
from arena.rules.tables import rule_tables


@lru_cache(maxsize=512)
def ways(rules: Ruleset, dice: int) -> tuple[tuple[Roll, int], ...]:
    """All rolls of so many dice, each with the number of ways in which the dice can show it.

    The ways of all rolls are `6**dice` together, all equally likely.

    Args:
        rules: `turn.rules`.
        dice: 1 to `rules.dice`.

    Raises:
        ValueError: the number of dice.
    """
    if not 1 <= dice <= rules.dice:
        raise ValueError(f"{rules.name} is played with 1 to {rules.dice} dice, not {dice}")
    return tuple(Counter(rule_tables(rules).outcomes[dice]).items())

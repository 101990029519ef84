"""How large a ruleset is to solve, said before anybody waits for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.errors import UsageError
from arena.rules import Ruleset
from arena.solver.graph import turn_graph
from arena.solver.sheets import bust_rows, lowest_score

MOST_MIB: Final = 2048
"""Memory that a solve may take."""

SECONDS: Final = 3e-9
"""Time for one option in one row of one pair of sheets, all iterations, on one core of 2024."""

PENALTY_SWEEPS: Final = 8
"""How many times longer penalties take."""


class UnsolvableError(UsageError):
    """A ruleset for which perfect play of two cannot be computed here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveSize:
    """What a solve for two players takes.

    Attributes:
        pairs: pairs of score sheets whose values are computed, in all rounds.
        memory_mib: about so much memory.
        seconds: about so long on one core.
    """

    pairs: int
    memory_mib: float
    seconds: float

    def __str__(self) -> str:
        minutes = self.seconds / 60
        time = f"{self.seconds:.0f} s" if minutes < 2 else f"{minutes:.0f} minutes"
        size = f"{self.pairs:,} pairs of scores, {self.memory_mib:.0f} MiB"
        return f"{size}, about {time} of one core"


def solve_size(rules: Ruleset) -> SolveSize:
    """How large the ruleset is for two players.

    Raises:
        UnsolvableError: too large, or scores sink without end; says by how much.
    """
    lowest = lowest_score(rules)
    if lowest is None:
        raise UnsolvableError(
            f"{rules.name} cannot be solved for two players: penalties can take scores below any "
            f"number; give them a floor, for example {with_override(rules, 'bust_penalty.floor')}"
            f"={-2 * rules.bust_penalty.points}"
        )
    graph = turn_graph(rules)
    scores = graph.units(rules.target) - lowest // graph.unit
    sheets = scores * bust_rows(rules)
    if rules.bust_penalty.after and graph.minimum(is_open=False) > graph.minimum(is_open=True):
        sheets += (1 - lowest // graph.unit) * bust_rows(rules)
    pairs = sheets**2 * (2 * rules.rounds or 1)
    work = pairs * scores * len(graph.arrays.gain) * SECONDS / (6 if rules.rounds else 1)
    size = SolveSize(
        pairs=pairs,
        memory_mib=pairs * 8 / 2**20 + 200,
        seconds=work * (PENALTY_SWEEPS if rules.bust_penalty.after and not rules.rounds else 1),
    )
    if size.memory_mib > MOST_MIB:
        raise UnsolvableError(
            f"{rules.name} cannot be solved for two players: {size}; at most {MOST_MIB} MiB are "
            f"allowed. Scores are counted in steps of {graph.unit}; a smaller target, for example "
            f"{with_override(rules, 'target')}={rules.target // 4}, would do"
        )
    return size


def with_override(rules: Ruleset, key: str) -> str:
    """The ruleset's name with one more override begun: `name:key`, or `name:old=1,key`."""
    return f"{rules.name}{',' if ':' in rules.name else ':'}{key}"

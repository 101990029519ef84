"""How large a ruleset is to compute, said before anybody waits for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.errors import UsageError
from arena.rules import Ruleset
from arena.solver.graph import turn_graph
from arena.solver.sheets import DEEP, bust_rows, lowest_score

MOST_MIB: Final = 2048
"""Memory that a computation may take."""

BASE_MIB: Final = 200
"""Memory before any pair of scores is counted."""

SECONDS: Final = 3e-9
"""Time for one option in one row of one pair of sheets, all iterations, on one core of 2024."""

ROUND_SHARE: Final = 6
"""One round without a fixed point takes this many times less."""

PENALTY_SWEEPS: Final = 8
"""How many times longer penalties take."""

EXACT_NUMBERS: Final = 8
"""Numbers that an exact game keeps for each pair of sheets."""

RESPONSE_NUMBERS: Final = 6
"""Numbers that a best response keeps for each pair of sheets."""


class UnsolvableError(UsageError):
    """A ruleset that cannot be computed for two players here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveSize:
    """What a computation for two players takes.

    Attributes:
        pairs: pairs of score sheets whose values are computed, in all rounds.
        memory_mib: about so much memory.
        seconds: about so long on one core; 0 where it depends on the bots.
    """

    pairs: int
    memory_mib: float
    seconds: float

    def __str__(self) -> str:
        size = f"{self.pairs:,} pairs of scores, {self.memory_mib:,.0f} MiB"
        return f"{size}, {time_text(self.seconds)} of one core" if self.seconds else size


def time_text(seconds: float) -> str:
    """About how long something takes, in words."""
    if seconds < 1.5:
        return "about a second"
    if seconds < 100:
        return f"about {seconds:.0f} s"
    if seconds < 5400:
        return f"about {seconds / 60:.0f} minutes"
    return f"about {seconds / 3600:.0f} hours"


def solve_size(rules: Ruleset) -> SolveSize:
    """How large perfect play of two is.

    Raises:
        UnsolvableError: too large, or scores sink without end; says by how much.
    """
    _check_floor(rules, "solved")
    opens = rules.minimum(is_open=False) > rules.minimum(is_open=True)
    pairs = _sheets(rules, rows=1, see_open=opens) ** 2 * (2 * rules.rounds or 1)
    work = pairs * _seconds_for_pair(rules) / (ROUND_SHARE if rules.rounds else 1)
    many = rules.bust_penalty.after and not rules.rounds
    size = SolveSize(
        pairs=pairs,
        memory_mib=_mib(pairs),
        seconds=work * (PENALTY_SWEEPS if many else 1),
    )
    return _fitting(rules, size, "solved")


def exact_size(rules: Ruleset, *, rows: int = 1) -> SolveSize:
    """How large an exact game of two bots is.

    Args:
        rules: the ruleset.
        rows: lengths of a row of busts that are told apart, as far as the bots need more than
            the rules.

    Raises:
        UnsolvableError: too large; says by how much.
    """
    pairs = _sheets(rules, rows=rows, see_open=True) ** 2
    size = SolveSize(pairs=pairs, memory_mib=_mib(pairs * EXACT_NUMBERS), seconds=0.0)
    return _fitting(rules, size, "computed")


def response_size(rules: Ruleset, *, rows: int = 1, rounds: int = 1) -> SolveSize:
    """How large the best response to a bot is, in one seat; its own time left aside.

    Args:
        rules: the ruleset.
        rows: as in `exact_size`.
        rounds: values of so many rounds are told apart and kept.

    Raises:
        UnsolvableError: too large, or scores sink without end; says by how much.
    """
    _check_floor(rules, "computed")
    pairs = _sheets(rules, rows=rows, see_open=True) ** 2
    seconds = pairs * _seconds_for_pair(rules)
    seconds *= PENALTY_SWEEPS if rules.bust_penalty.after and not rules.rounds else 1
    size = SolveSize(
        pairs=pairs,
        memory_mib=_mib(pairs * (RESPONSE_NUMBERS + rounds)),
        seconds=seconds * (rules.rounds / ROUND_SHARE if rules.rounds else 1),
    )
    return _fitting(rules, size, "computed")


def round_seconds(rules: Ruleset) -> float:
    """About how long one round of a best response takes on one core."""
    pairs = _sheets(rules, rows=1, see_open=True) ** 2
    return pairs * _seconds_for_pair(rules) / ROUND_SHARE


def with_override(rules: Ruleset, key: str) -> str:
    """The ruleset's name with one more override begun: `name:key`, or `name:old=1,key`."""
    return f"{rules.name}{',' if ':' in rules.name else ':'}{key}"


def _sheets(rules: Ruleset, *, rows: int, see_open: bool) -> int:
    """Number of sheets, as `sheets.make_sheets` makes them; not made, as they may be too many."""
    graph = turn_graph(rules)
    unit, rows = graph.unit, max(rows, bust_rows(rules))
    lowest = lowest_score(rules)
    # Without a floor an exact game follows scores down so far.
    low = -DEEP * rules.bust_penalty.points if lowest is None else lowest
    sheets = (graph.units(rules.target) - low // unit) * rows
    if see_open and rules.bust_penalty.after:
        sheets += (1 - low // unit) * rows
    return sheets


def _seconds_for_pair(rules: Ruleset) -> float:
    graph = turn_graph(rules)
    low = lowest_score(rules) or 0
    scores = graph.units(rules.target) - low // graph.unit
    return scores * len(graph.arrays.gain) * SECONDS


def _mib(numbers: int) -> float:
    return numbers * 8 / 2**20 + BASE_MIB


def _check_floor(rules: Ruleset, done: str) -> None:
    if lowest_score(rules) is None:
        raise UnsolvableError(
            f"{rules.name} cannot be {done} for two players: penalties can take scores below any "
            f"number; give them a floor, for example {with_override(rules, 'bust_penalty.floor')}"
            f"={-2 * rules.bust_penalty.points}"
        )


def _fitting(rules: Ruleset, size: SolveSize, done: str) -> SolveSize:
    """The size.

    Raises:
        UnsolvableError: it takes more memory than is allowed.
    """
    if size.memory_mib > MOST_MIB:
        share = ((MOST_MIB - BASE_MIB) / (size.memory_mib - BASE_MIB)) ** 0.5
        digits = 10 ** (len(str(int(rules.target * share))) - 1)
        enough = max(1, int(rules.target * share) // digits) * digits
        raise UnsolvableError(
            f"{rules.name} cannot be {done} for two players: {size}; at most {MOST_MIB:,} MiB are "
            f"allowed. Scores are counted in steps of {turn_graph(rules).unit}; a smaller target, "
            f"for example {with_override(rules, 'target')}={enough}, would do"
        )
    return size

"""What `arena` exports of this room, without importing it before it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.rules import Ruleset
    from arena.solver.solved import Solved, SolvedTurn


def solved(rules: Ruleset) -> Solved:
    """Perfect play of a ruleset for two; `solved(turn.rules).decide(turn)` is what it does.

    Raises:
        UnsolvedError: it has not been computed yet; names the command that does.
    """
    from arena.solver import solved as room

    return room.solved(rules)


def solved_turn(rules: Ruleset) -> SolvedTurn:
    """The most points a turn; `solved_turn(turn.rules).decide(turn)` is what brings them."""
    from arena.solver import solved as room

    return room.solved_turn(rules)

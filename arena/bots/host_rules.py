"""A ruleset and its rolls as text, for a bot's process, which has no time to work them out.

One line is the ruleset, then one for each roll; a roll is made when it is first asked about.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, overload

from arena.rules.holds import Hold, Roll
from arena.rules.ruleset import BustPenalty, Combination, Ruleset

if TYPE_CHECKING:
    from arena.rules.tables import RuleTables


def tables_text(tables: RuleTables) -> bytes:
    """A ruleset and its rolls as lines of JSON."""
    return _text(tables.ruleset, tables.rolls)


@lru_cache(maxsize=64)
def _text(ruleset: Ruleset, rolls: tuple[Roll, ...]) -> bytes:
    lines: list[object] = [asdict(ruleset)]
    for roll in rolls:
        holds = [[list(h.dice), h.points, h.dice_left, int(h.hot)] for h in roll.holds]
        lines.append([list(roll.dice), holds, int(roll.instant_win), int(roll.goes_on)])
    return "\n".join(json.dumps(line, separators=(",", ":")) for line in lines).encode()


class HostTables:
    """What a bot's process knows of `RuleTables`: the ruleset, and the rolls by id."""

    def __init__(self, text: bytes | memoryview) -> None:
        first, *rest = bytes(text).decode().split("\n")
        self.ruleset = _ruleset(json.loads(first))
        self.rolls: Sequence[Roll] = _Rolls(rest)


class _Rolls(Sequence[Roll]):
    """The rolls by id, each made when it is first used."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._made: dict[int, Roll] = {}

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, index: int) -> Roll: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Roll]: ...
    def __getitem__(self, index: int | slice) -> Roll | Sequence[Roll]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        roll = self._made.get(index)
        if roll is None:
            roll = self._made[index] = _roll(index, self._lines[index])
        return roll


def _roll(number: int, line: str) -> Roll:
    dice, holds, wins, goes_on = json.loads(line)
    return Roll(
        id=number,
        dice=tuple(dice),
        holds=tuple(
            Hold(dice=tuple(kept), points=points, dice_left=left, hot=bool(hot), index=index)
            for index, (kept, points, left, hot) in enumerate(holds)
        ),
        instant_win=bool(wins),
        goes_on=bool(goes_on),
    )


def _ruleset(values: dict[str, object]) -> Ruleset:
    """The ruleset that `asdict` took apart."""
    plain = {k: tuple(v) if isinstance(v, list) else v for k, v in values.items()}
    penalty: dict[str, object] = plain.pop("bust_penalty")  # type: ignore[assignment]  # see asdict
    combinations: list[dict[str, object]] = plain.pop("combinations")  # type: ignore[assignment]  # see asdict
    return Ruleset(
        bust_penalty=BustPenalty(**penalty),  # type: ignore[arg-type]  # see asdict
        combinations=tuple(Combination(**each) for each in combinations),  # type: ignore[arg-type]  # see asdict
        **plain,  # type: ignore[arg-type]  # see asdict
    )

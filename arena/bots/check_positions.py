"""Positions that a bot is checked at: from games that were really played, and awkward ones.

Every position here can come up in a game; the bots of the games are drawn by a seeded generator.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from arena.game import AddressedDice, GameStopped, Turn, play_game
from arena.rules import MAX_ROLLS_PER_TURN, REROLL, Decision, Roll, RuleTables

MAX_DECISIONS: Final = 4_000
"""A game of random players that takes longer is cut off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """A position with a reason to ask about it.

    Attributes:
        why: what is special about it; empty for one of a game.
        turn: the position.
    """

    why: str
    turn: Turn


def played_positions(
    tables: RuleTables, seats: int, count: int, generator: random.Random
) -> list[Situation]:
    """So many positions of games between random players, spread over the game.

    Args:
        tables: of the ruleset.
        seats: players in a game.
        count: how many.
        generator: draws the players, the dice and the positions.
    """
    met: list[Turn] = []
    while len(met) < count:
        players = [_RandomPlayer(generator, met) for _ in range(seats)]
        dice = AddressedDice(generator.getrandbits(64), 0)
        with suppress(GameStopped):
            play_game(tables, players, dice, rng_seed=dice.rng_seed)
    return [Situation(why="", turn=turn) for turn in generator.sample(met, count)]


class _RandomPlayer:
    """Wants so many points a turn, now and then others, and takes any hold."""

    def __init__(self, generator: random.Random, met: list[Turn]) -> None:
        self._generator = generator
        self._met = met
        self._end = len(met) + MAX_DECISIONS
        self._wanted = generator.choice([50, 200, 350, 600, 1500])

    def decide(self, turn: Turn) -> Decision:
        draw = self._generator.random
        if len(self._met) >= self._end:
            raise GameStopped
        self._met.append(turn)
        if turn.can_reroll and draw() < 0.1:
            return REROLL
        hold = turn.holds[0] if draw() < 0.7 else self._generator.choice(turn.holds)
        enough = turn.points + hold.points >= max(self._wanted, turn.minimum)
        return hold.bank() if enough or draw() < 0.02 else hold.roll()


def awkward_positions(tables: RuleTables) -> Iterator[Situation]:
    """Positions at the edges of the rules, as far as this ruleset has them."""
    rules = tables.ruleset
    full = [roll for roll in tables.rolls if roll.holds and len(roll.dice) == rules.dice]
    hot = next((roll for roll in full if any(hold.hot for hold in roll.holds)), None)
    plain = next((roll for roll in full if not any(hold.hot for hold in roll.holds)), full[0])
    single = next(roll for roll in tables.rolls if roll.holds and len(roll.dice) == 1)
    behind = rules.target + 50
    situations: list[tuple[str, Roll | None, dict[str, Any]]] = [
        ("the first roll of the game", plain, {}),
        ("a single die is left", single, {"points": 300, "rolls": 4}),
        ("hot dice on the first roll, the opening not made", hot, {}),
        ("hot dice on the first roll, open", hot, {"score": 1000, "open": True}),
        ("one step below the target", plain, {"score": rules.target - 50, "open": True}),
        (
            "the opponent is one step below the target",
            plain,
            {"opponents": (rules.target - 50,), "to_beat": rules.target - 50, "round": 20},
        ),
        (
            "eight players, the last seat",
            plain,
            {"opponents": (0, 50, 100, 150, 200, 250, 9000), "to_beat": 9000, "seat": 8},
        ),
        ("a turn with very many points", plain, {"points": 60_000, "rolls": 40}),
        ("the very last roll that a turn can have", plain, {"rolls": MAX_ROLLS_PER_TURN}),
        (
            "the last round, not open",
            hot,
            {"opponents": (rules.target,), "to_beat": rules.target, "last_round": True},
        ),
        (
            "the last round, behind by 50",
            plain,
            {
                "opponents": (behind,),
                "to_beat": behind,
                "score": rules.target,
                "open": True,
                "last_round": True,
                "round": 12,
            },
        ),
        ("the last roll that the ruleset allows", plain, {"rolls": rules.max_rolls or 1}),
        ("a free re-roll was taken before", plain, {"rolls": 2}),
        (
            "two busts before this turn, a penalty is near",
            plain,
            {"busts": 2, "score": 500, "open": True, "round": 9},
        ),
        (
            "a score below zero",
            plain,
            {"score": -1500, "opponents": (-500,), "to_beat": -500, "round": 9},
        ),
        ("no rolling on after this roll", _first(full, lambda roll: not roll.goes_on), {}),
        ("the last round of the game", plain, {"round": rules.rounds or 1}),
    ]
    possible = {
        "the last round, not open": rules.end == "last_round",
        "the last round, behind by 50": rules.end == "last_round",
        "the last roll that the ruleset allows": rules.max_rolls > 0,
        "the very last roll that a turn can have": rules.max_rolls == 0,
        "a turn with very many points": rules.max_rolls == 0,
        "a single die is left": not 0 < rules.max_rolls < 4,
        "a free re-roll was taken before": rules.reroll_all,
        "two busts before this turn, a penalty is near": rules.bust_penalty.after > 2,
        "a score below zero": rules.bust_penalty.after > 0 and rules.bust_penalty.floor is None,
        "the last round of the game": rules.rounds > 0,
    }
    for why, roll, fields in situations:
        if roll is not None and possible.get(why, True):
            yield Situation(why=why, turn=_turn(tables, roll, fields))


def _first(rolls: Sequence[Roll], fits: Callable[[Roll], bool]) -> Roll | None:
    return next((roll for roll in rolls if fits(roll)), None)


def _turn(tables: RuleTables, roll: Roll, fields: dict[str, Any]) -> Turn:
    values: dict[str, Any] = {
        "points": 0,
        "rolls": 1,
        "score": 0,
        "opponents": (0,),
        "round": 1,
        "seat": 1,
        "last_round": False,
        "to_beat": 0,
        "busts": 0,
        "open": False,
        **fields,
    }
    values.setdefault("limited_rolls", values["rolls"])
    return Turn(tables.ruleset, roll, **values, rng_seed=roll.id)

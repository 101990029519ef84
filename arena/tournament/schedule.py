"""Who meets whom: each format is a function from the field to lineups.

A lineup is a set of bots; its order is that of the bots' keys, so that the id of a match does not
depend on the order in which bots stand in a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from arena.bots.spec import BotSpec
from arena.records import Match
from arena.tournament.config import FormatName, TournamentConfig
from arena.tournament.tasks import PlannedMatch

Lineup = tuple[BotSpec, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Who takes part.

    Attributes:
        bots: all of them, in canonical order.
        heroes: those who run the gauntlet, in canonical order.
        players: bots in a game.
    """

    bots: Lineup
    heroes: Lineup
    players: int


def round_robin(field: Field) -> Iterator[Lineup]:
    """Every set of `players` bots meets once."""
    yield from combinations(field.bots, field.players)


def gauntlet(field: Field) -> Iterator[Lineup]:
    """Every set meets once that has exactly one hero; the others are not heroes."""
    heroes = {hero.key for hero in field.heroes}
    others = [bot for bot in field.bots if bot.key not in heroes]
    for hero in field.heroes:
        for rest in combinations(others, field.players - 1):
            yield _canonical((hero, *rest))


FORMATS: dict[FormatName, Callable[[Field], Iterator[Lineup]]] = {
    "round-robin": round_robin,
    "gauntlet": gauntlet,
}


def schedule(config: TournamentConfig) -> list[PlannedMatch]:
    """All matches of a tournament, ruleset by ruleset, in an order that depends on bots alone."""
    field = Field(
        bots=_canonical(config.bots), heroes=_canonical(config.heroes), players=config.players
    )
    lineups = list(FORMATS[config.format](field))
    return [
        PlannedMatch(
            match=Match(
                rules=ruleset.name,
                rules_key=ruleset.key,
                bots=tuple(spec.name for spec in lineup),
                bot_keys=tuple(spec.key for spec in lineup),
                seed=config.seed,
            ),
            ruleset=ruleset,
            specs=lineup,
            blocks=config.blocks,
        )
        for ruleset in config.rulesets
        for lineup in lineups
    ]


def _canonical(bots: Lineup) -> Lineup:
    return tuple(sorted(bots, key=lambda spec: spec.key))

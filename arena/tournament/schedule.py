"""From a configuration to the matches of a tournament, round by round."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from arena.store import Course
from arena.tournament.adaptive import adaptive
from arena.tournament.config import TournamentConfig
from arena.tournament.formats import ALL_AT_ONCE, STEP_BY_STEP
from arena.tournament.ledger import MemoryLedger
from arena.tournament.pair_tests import tested
from arena.tournament.rounds import PrefixLedger, Round
from arena.tournament.table import Field, Lineup, Table
from arena.tournament.tasks import PlannedMatch


def schedule(config: TournamentConfig) -> list[PlannedMatch]:
    """The matches of the first round, which in a round-robin or gauntlet are all."""
    return list(next(Tournament(config, MemoryLedger()).rounds()).planned)


class Tournament:
    """A tournament that may look at results as it goes on.

    Args:
        config: what is to be played.
        ledger: where the results are.
    """

    def __init__(self, config: TournamentConfig, ledger: PrefixLedger) -> None:
        self._config = config
        self._tables = [
            Table(
                ruleset,
                seed=config.seed,
                blocks=config.blocks,
                ledger=ledger,
                limits=config.limits_text,
            )
            for ruleset in config.rulesets
        ]

    def rounds(self) -> Iterator[Round]:
        """The rounds; those of all rulesets are played together, ruleset by ruleset."""
        courses = [self._course(table) for table in self._tables]
        for together in zip_longest(*courses):
            parts = [part for part in together if part is not None]
            yield Round(
                planned=tuple(each for part in parts for each in part.planned),
                told=next((part.told for part in parts if part.told), ""),
            )

    @property
    def courses(self) -> tuple[Course, ...]:
        """How it went, where the matches alone do not tell."""
        return tuple(
            Course(title=f"{self._title}, {table.ruleset.name}", lines=tuple(table.lines))
            for table in self._tables
            if table.lines
        )

    @property
    def _title(self) -> str:
        return self._config.format.capitalize()

    def _course(self, table: Table) -> Iterator[Round]:
        config, field = self._config, _field(self._config)
        if config.format in STEP_BY_STEP:
            return STEP_BY_STEP[config.format](field, table)
        lineups = list(ALL_AT_ONCE[config.format](field))
        if config.stopping is None:
            return iter([Round(planned=tuple(table.meet(*lineup) for lineup in lineups))])
        if config.stopping.sprt is not None:
            return tested(
                [_tested_first(each, field) for each in lineups], table, config.stopping.sprt
            )
        return adaptive(lineups, table, config.stopping)


def _field(config: TournamentConfig) -> Field:
    return Field(
        bots=config.bots,
        heroes=config.heroes,
        players=config.players,
        rounds=config.rounds,
        groups=config.groups,
        advance=config.advance,
    )


def _tested_first(lineup: Lineup, field: Field) -> Lineup:
    """A pair with the bot first that a test is about: the hero, or the first one in the file."""
    heroes = {hero.key for hero in field.heroes}
    order = [bot.key for bot in field.bots]
    return tuple(sorted(lineup, key=lambda bot: (bot.key not in heroes, order.index(bot.key))))

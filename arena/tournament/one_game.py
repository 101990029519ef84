"""One game of a match, played again by the referee and told event by event."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass

from arena.bots.isolation import Isolation, Level
from arena.bots.isolation_hosts import Hosts
from arena.bots.spec import BotSpec
from arena.game import AddressedDice, Event, Transcript, event_line, play_game
from arena.records import Fault, Match, seat_of
from arena.rules import Ruleset, rule_tables
from arena.tournament.seated import SeatedBot
from arena.tournament.seated_apart import SeatedApart


@dataclass(frozen=True, slots=True, kw_only=True)
class OneGame:
    """A game with its address.

    Attributes:
        match: the match that it belongs to.
        block: number of its block, from 0.
        rotation: within the block, from 0.
        lineup: bots in seat order.
        events: all that happened.
        fault: what forfeited it, if it was.
    """

    match: Match
    block: int
    rotation: int
    lineup: tuple[BotSpec, ...]
    events: tuple[Event, ...]
    fault: Fault | None

    @property
    def transcript(self) -> Transcript:
        """The game as text."""
        fixed = ", fixed seats" if self.match.fixed_seats else ""
        return Transcript(
            rules=self.match.rules,
            rules_key=self.match.rules_key,
            players=tuple(spec.name for spec in self.lineup),
            address=f"seed {self.match.seed}, block {self.block}, rotation {self.rotation}{fixed}",
            lines=tuple(map(event_line, self.events)),
        )


def play_one_game(
    match: Match,
    ruleset: Ruleset,
    specs: Sequence[BotSpec],
    *,
    block: int,
    rotation: int,
    isolation: Isolation,
) -> OneGame:
    """Play the game of a match at this address, exactly as it is played there.

    Args:
        match: of the bots.
        ruleset: its rules.
        specs: its bots by place.
        block: number of the block, from 0.
        rotation: within the block, from 0 to `match.rotations` - 1.
        isolation: under which the bots run.

    Raises:
        BotError: the file of a bot has changed or is gone.
        RunError: no process can be started.
    """
    (game,) = play_games(match, ruleset, specs, [(block, rotation)], isolation=isolation)
    return game


def play_games(
    match: Match,
    ruleset: Ruleset,
    specs: Sequence[BotSpec],
    addresses: Iterable[tuple[int, int]],
    *,
    isolation: Isolation,
) -> Iterator[OneGame]:
    """Play games of a match again, one after the other.

    Args:
        match, ruleset, specs, isolation: see `play_one_game`.
        addresses: block and rotation of each game.

    Raises:
        BotError: the file of a bot has changed or is gone.
        RunError: no process can be started.
    """
    tables = rule_tables(ruleset)
    hosts = Hosts(isolation)
    try:
        with redirect_stdout(sys.stdout), redirect_stderr(sys.stderr):  # bots take both over
            places: list[SeatedBot | SeatedApart] = [
                SeatedBot(spec)
                if isolation.level is Level.NONE
                else SeatedApart(spec, hosts, tables, match.seats)
                for spec in specs
            ]
        for block, rotation in addresses:
            seats = [seat_of(place, rotation, match.seats) for place in range(match.seats)]
            order = [seats.index(seat) for seat in range(match.seats)]
            players = [places[place] for place in order]
            dice = AddressedDice(match.dice_key, block)
            events: list[Event] = []
            with redirect_stdout(sys.stdout), redirect_stderr(sys.stderr):
                for player in players:
                    player.new_game()
                result = play_game(
                    tables, players, dice, rng_seed=dice.rng_seed, listener=events.append
                )
            fault = None
            if result.forfeit is not None:
                player = players[result.forfeit.seat - 1]
                fault = player.fault(result.forfeit, block=block, rotation=rotation)
            yield OneGame(
                match=match,
                block=block,
                rotation=rotation,
                lineup=tuple(specs[place] for place in order),
                events=tuple(events),
                fault=fault,
            )
    finally:
        hosts.close()

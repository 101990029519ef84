"""All bots of one simulating process, each in its own."""

from __future__ import annotations

import random
from itertools import count
from typing import Final

from arena.bots.asking import LocalAsker, asker_of
from arena.bots.isolation import Isolation, Level
from arena.bots.isolation_asker import HostedAsker
from arena.bots.isolation_host import Host
from arena.bots.spec import BotSpec
from arena.game import MAX_SEATS
from arena.rules import RuleTables

KEPT_PROCESSES: Final = 48
"""Processes of bots that are kept at the same time, some 25 MiB each."""

IN_USE: Final = 2 * MAX_SEATS
"""Processes, those used last, that are not ended to make room: their bots may be playing."""


class HostsByIsolation:
    """The bots of one simulating process, under whichever isolation they run."""

    def __init__(self) -> None:
        self._hosts: dict[Isolation, Hosts] = {}

    def under(self, isolation: Isolation) -> Hosts:
        """The bots that run under this isolation."""
        return self._hosts.setdefault(isolation, Hosts(isolation))


class Hosts:
    """Starts bots under one isolation, and ends them.

    A bot has one process, however many rulesets it is asked on, and is started again when it is
    asked after its process had to make room.

    Args:
        isolation: under which the bots run.
    """

    def __init__(self, isolation: Isolation) -> None:
        self._isolation = isolation
        self._hosts: dict[tuple[str, str], Host] = {}
        self._numbers = count(1)
        self._lot = random.Random(0)

    def asker(
        self,
        spec: BotSpec,
        tables: RuleTables,
        seats: int,
        *,
        traced: bool = True,
        batched: bool = False,
    ) -> LocalAsker | HostedAsker:
        """A bot, to be asked.

        Args:
            spec: which one.
            tables: of the ruleset; seats: players in the game.
            traced: whether answers shall be noted, so that they may be remembered.
            batched: whether a `BatchBot` is asked whole batches, which are never noted.

        Raises:
            BotError: its file has changed or is gone; without isolation also if it cannot be made.
            RunError: no process can be started.
        """
        if self._isolation.level is Level.NONE:
            return asker_of(spec, tables, seats, batched=batched)
        host = self.host(spec)
        host.begin()  # it gets ready while the engine does
        return HostedAsker(
            host, tables, seats, number=next(self._numbers), traced=traced, batched=batched
        )

    def host(self, spec: BotSpec) -> Host:
        """The process of a bot, started or not."""
        key = (spec.key, spec.path)
        if key not in self._hosts:
            self._hosts[key] = Host(spec, self._isolation, self._make_room)
        return self._hosts[key]

    def close(self) -> None:
        """End all processes; they are started again when they are asked again."""
        for host in self._hosts.values():
            host.stop()

    def _make_room(self) -> None:
        """Before a process is started: end another one, if they are many.

        Whichever, but for those in use: a round robin comes to its bots in turn, and if always the
        one went that was used longest ago, none would be there when its turn comes.
        """
        running = [host for host in self._hosts.values() if host.running]
        if len(running) >= KEPT_PROCESSES:
            running.sort(key=lambda host: host.last_used)
            self._lot.choice(running[:-IN_USE]).stop()

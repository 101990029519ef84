"""A bot at the referee's table that runs in a process of its own."""

from __future__ import annotations

from arena.bots.asking_faults import AskFault
from arena.bots.isolation_hosts import Hosts
from arena.bots.positions import question_of
from arena.bots.spec import BotSpec
from arena.errors import BotError
from arena.game import FAULT, Forfeit, Turn
from arena.records import Fault, FaultKind
from arena.rules import REROLL, REROLL_CODE, Decision, RuleTables


class SeatedApart:
    """A player for the referee that asks a bot's process about every turn.

    Args:
        spec: the bot.
        hosts: where its process runs.
        tables: of the ruleset; seats: players in the game.
    """

    def __init__(self, spec: BotSpec, hosts: Hosts, tables: RuleTables, seats: int) -> None:
        self.spec = spec
        self._asker = hosts.asker(spec, tables, seats, traced=False)
        self._begins = True
        self._told: AskFault | None = None

    def new_game(self) -> None:
        """Get ready for a game: a bot that remembers gets a fresh instance."""
        self._begins = True

    def decide(self, turn: Turn) -> Decision:
        """The bot's decision.

        Raises:
            BotError: there is none.
        """
        code = int(self._asker.answer(question_of(turn, fresh=self._begins)).codes[0])
        self._begins = False
        if code == FAULT:
            self._told = self._asker.fault_at(0)
            raise BotError(self._told.message if self._told else "no decision")
        if code == REROLL_CODE:
            return REROLL
        hold = turn.holds[code >> 1]
        return hold.roll() if code & 1 else hold.bank()

    @property
    def lost(self) -> bool:
        """Whether its process was lost when it gave no decision last."""
        return self._told is not None and self._told.lost

    def fault(self, forfeit: Forfeit, *, block: int, rotation: int) -> Fault:
        """What is told about a game that this bot forfeited."""
        told = self._told
        return Fault(
            bot=self.spec.name,
            kind=FaultKind(told.kind) if told else FaultKind.EXCEPTION,
            message=told.message if told else "no decision, as in earlier games",
            traceback=told.traceback if told else "",
            output=told.output if told else "",
            position=forfeit.position,
            block=block,
            rotation=rotation,
        )

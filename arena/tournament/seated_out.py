"""A bot at the referee's table that was withdrawn: it forfeits whenever it is asked."""

from __future__ import annotations

from typing import NoReturn

from arena.bots.spec import BotSpec
from arena.errors import BotError
from arena.game import Forfeit, Turn
from arena.records import Fault, FaultKind
from arena.tournament.engines import withdrawn_message


class Withdrawal:
    """Sits in the place of a bot that was withdrawn from a match.

    Args:
        spec: the bot.
        why: it was withdrawn, as half a sentence.
    """

    lost = False

    def __init__(self, spec: BotSpec, why: str) -> None:
        self.spec = spec
        self._message = withdrawn_message(why)

    def new_game(self) -> None:
        """Nothing has to be got ready."""

    def decide(self, turn: Turn) -> NoReturn:
        """No decision.

        Raises:
            BotError: always.
        """
        raise BotError(self._message)

    def fault(self, forfeit: Forfeit, *, block: int, rotation: int) -> Fault:
        """What is told about a game that it forfeited."""
        return Fault(
            bot=self.spec.name,
            kind=FaultKind.WITHDRAWN,
            message=self._message,
            position=forfeit.position,
            block=block,
            rotation=rotation,
        )

"""A bot at the referee's table: started once, watched, and told apart from the referee."""

from __future__ import annotations

import io
import sys
from pathlib import Path

from arena.bots.asking_faults import raised, wrong_answer
from arena.bots.bot import Bot
from arena.bots.discovery_import import shown
from arena.bots.discovery_source import source_of
from arena.bots.loader import instantiate
from arena.bots.spec import BotSpec
from arena.errors import BotError
from arena.game import Forfeit, GameStopped, Turn
from arena.records import Fault, FaultKind
from arena.rules import Decision

KEPT_OUTPUT = 2_000
"""Characters of a bot's output that a fault shows, the last ones."""


class SeatedBot:
    """A player for the referee that lets nothing of the bot out but decisions and exceptions.

    What the bot prints is caught, so that it disturbs neither the results on standard output nor
    the progress on standard error.
    """

    lost = False
    """It has no process of its own to lose."""

    def __init__(self, spec: BotSpec) -> None:
        self.spec = spec
        self._output = io.StringIO()
        self._bot: Bot | None = None
        self._class: type[Bot] | None = None
        self._failure: BotError | None = None
        self._answer: object = None
        self._start()

    def new_game(self) -> None:
        """Get ready for a game: a bot that remembers gets a fresh instance."""
        if self._output.tell():
            self._output.seek(0)
            self._output.truncate()
        if self.spec.remembers and self._class is not None:
            self._start_again(self._class)

    def decide(self, turn: Turn) -> Decision:
        """The bot's answer, as it is."""
        sys.stdout = sys.stderr = self._output
        if self._bot is None:
            raise self._failure or BotError("the bot was not started")
        try:
            answer = self._answer = self._bot.decide(turn)
            return answer
        except (KeyboardInterrupt, GameStopped) as error:
            # Both would end more than this game; from a bot they are a fault like any other.
            raise BotError(f"raised {shown(error)}") from error

    def fault(self, forfeit: Forfeit, *, block: int, rotation: int) -> Fault:
        """What is told about a game that this bot forfeited."""
        kind, message, trace = self._what(forfeit)
        return Fault(
            bot=self.spec.name,
            kind=kind,
            message=message,
            traceback=trace,
            output=self._output.getvalue()[-KEPT_OUTPUT:],
            position=forfeit.position,
            block=block,
            rotation=rotation,
        )

    def _what(self, forfeit: Forfeit) -> tuple[FaultKind, str, str]:
        error = forfeit.error
        if error is None:
            told = wrong_answer(self._answer)
            return FaultKind(told.kind), told.message, ""
        if error is self._failure:
            return FaultKind.LOAD, str(error), ""
        cause = error.__cause__ if isinstance(error, BotError) and error.__cause__ else error
        told = raised(cause, Path(self.spec.path))
        kind = FaultKind.MEMORY if isinstance(cause, MemoryError) else FaultKind(told.kind)
        return kind, told.message, told.traceback

    def _start(self) -> None:
        try:
            self._bot = instantiate(self.spec)
            self._class = type(self._bot)
        except BotError as error:
            check_unchanged(self.spec)
            self._failure = error

    def _start_again(self, bot_class: type[Bot]) -> None:
        """A fresh instance, without a look at the file."""
        sys.stdout = sys.stderr = self._output
        try:
            self._bot = bot_class(**dict(self.spec.parameters))
        except BaseException as error:  # whatever a bot raises is its own fault
            self._bot = None
            self._failure = BotError(f"{self.spec.name} cannot be made: {shown(error)}")


def check_unchanged(spec: BotSpec) -> None:
    """Make sure that the file is still the one that was found.

    A bot that fails forfeits; but a file changed by its user must not be taken for that.

    Raises:
        BotError: the file has changed or is gone.
    """
    try:
        same = source_of(Path(spec.path)).hash == spec.source_hash
    except OSError:
        same = False
    if not same:
        raise BotError(
            f"{spec.path}: the file of {spec.name} has changed or gone while the run was going on; "
            "what was finished is kept; start again to play the bot as it is now"
        )

"""`Bot`: what a bot author derives from."""

from __future__ import annotations

import inspect
import re
from abc import ABC, abstractmethod
from typing import ClassVar

from arena.game import Turn
from arena.rules import Decision

ParameterValue = int | float | str | bool


def bot_name(class_name: str) -> str:
    """The name of a bot that gives itself none: `closing-time` for the class `ClosingTime`."""
    dashed = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", class_name)
    return dashed.replace("_", "-").lower()


class Bot(ABC):
    """Base class of all bots; a bot is any subclass that can `decide`.

    Its name is the class name in lower case with dashes (`ClosingTime` is `closing-time`), or the
    class attribute `name`. Its parameters are the keywords of `__init__`, each with a default.

    A bot with `by_name_only = True` plays where it is named, and does not belong to `bots = "all"`.
    One that does not play with every number of players says with which it does (`seats = (2,)`),
    and one that needs `arena solve` to have computed a ruleset says so (`solved_only = True`): it
    is checked on nothing else, and what it does not play is refused before the first game.

    Write `class X(Bot, remembers=True)` for a bot that keeps notes during a game: it then has one
    instance for each game and seat and is asked every time. Any other bot must answer from `turn`
    alone; its answers are remembered, so that equal questions are asked once.
    """

    name: ClassVar[str] = ""
    remembers: ClassVar[bool] = False
    by_name_only: ClassVar[bool] = False
    seats: ClassVar[tuple[int, ...]] = ()
    solved_only: ClassVar[bool] = False

    def __init_subclass__(cls, *, remembers: bool | None = None, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if remembers is not None:
            cls.remembers = remembers
        if "name" not in cls.__dict__:
            cls.name = bot_name(cls.__name__)

    @abstractmethod
    def decide(self, turn: Turn) -> Decision:
        """What to do with this roll.

        Returns:
            `hold.bank()` or `hold.roll()` of one of `turn.holds`, or `turn.reroll()`.
        """

    @classmethod
    def parameters(cls) -> dict[str, ParameterValue | None]:
        """Parameters and their defaults, in the order of `__init__`; None where there is none."""
        if cls.__init__ is object.__init__:
            return {}
        given = list(inspect.signature(cls.__init__).parameters.values())[1:]
        named = [p for p in given if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
        return {p.name: None if p.default is p.empty else p.default for p in named}

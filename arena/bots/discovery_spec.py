"""How a bot is written where it is named, and the values of its parameters.

hold                              a bot by its name
hold:points=500,dice=2            with parameters
path/to/file.py                   the one bot of a file
path/to/file.py:points=500        with parameters
path/to/file.py:Hold              one of several bots of a file, by class or by name
path/to/file.py:Hold:points=500   with parameters
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from difflib import get_close_matches

from arena.bots.bot import ParameterValue
from arena.errors import BotError
from arena.rules import split_spec


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenBot:
    """The parts of a bot as it was written.

    Attributes:
        text: all of it.
        file: path of its file, empty for a bot that is named.
        name: of the bot or its class; empty for the one bot of a file.
        values: parameters and their values as text, in the order written.
    """

    text: str
    file: str
    name: str
    values: tuple[tuple[str, str], ...]


def parse_bot(text: str) -> WrittenBot:
    """Take a written bot apart.

    Raises:
        BotError: a parameter is not written `name=value`, or is written twice.
    """
    text = text.strip()
    path = re.match(r"(.+?\.py)(?::|$)", text)
    file = path[1] if path else ""
    rest = text[len(file) :].removeprefix(":")
    name, colon, after = rest.partition(":")
    if file and "=" in name:
        name, after = "", rest
    elif colon and not after.strip():
        raise BotError(f"bot {text!r}: parameters are missing after the colon")
    values: dict[str, str] = {}
    for part in split_spec(f":{after}")[1] if after else []:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key:
            raise BotError(f"bot {text!r}: {part!r} is no parameter: write name=value")
        if key in values:
            raise BotError(f"bot {text!r}: parameter {key} is given twice")
        values[key] = value
    return WrittenBot(text=text, file=file, name=name.strip(), values=tuple(values.items()))


def with_values(
    written: WrittenBot, parameters: tuple[tuple[str, ParameterValue], ...], *, where: str
) -> tuple[tuple[str, ParameterValue], ...]:
    """All parameters of the bot: defaults, and the values written in their place.

    Args:
        written: the bot as it was written.
        parameters: with their defaults.
        where: file of the bot, for messages.

    Raises:
        BotError: a parameter does not exist or a value is not of its type; tells all of them.
    """
    values = dict(parameters)
    wrong = []
    for key, text in written.values:
        if key not in values:
            wrong.append(_unknown(key, parameters))
            continue
        try:
            values[key] = _typed(text, values[key])
        except ValueError as error:
            wrong.append(f"{key}={text}: {error}")
    if wrong:
        raise BotError(f"bot {written.text!r} ({where}): {'; '.join(wrong)}")
    return tuple(values.items())


def _unknown(key: str, parameters: tuple[tuple[str, ParameterValue], ...]) -> str:
    if not parameters:
        return f"there is no parameter {key}; this bot has none"
    near = get_close_matches(key, [name for name, _ in parameters], n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    known = ", ".join(f"{name}={parameter_text(default)}" for name, default in parameters)
    return f"there is no parameter {key}; {hint}parameters and their defaults: {known}"


def parameter_text(value: ParameterValue) -> str:
    """A value as it is written in a bot specification."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _typed(text: str, default: ParameterValue) -> ParameterValue:
    """The value in the type of the default.

    Raises:
        ValueError: with what is allowed.
    """
    if isinstance(default, bool):
        if text.lower() not in ("true", "false"):
            raise ValueError("true or false is allowed")
        return text.lower() == "true"
    if isinstance(default, int):
        if not re.fullmatch(r"[+-]?[0-9][0-9_]{0,18}", text):
            raise ValueError("a whole number is allowed")
        return int(text.replace("_", ""))
    if isinstance(default, float):
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise ValueError("a number is allowed")
        return number
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text

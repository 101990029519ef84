"""What a bot file contains, as plain data; the only place that imports bot code to find out.

`describe_file` imports the file into this process; `arena.bots.describing` lets another one do it.
"""

from __future__ import annotations

import inspect
import re
from abc import ABC
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType

from arena.bots.bot import Bot, ParameterValue
from arena.bots.discovery_import import (
    KEPT_OUTPUT,
    ImportFailed,
    captured_output,
    import_source,
    shown,
)
from arena.bots.discovery_source import source_of
from arena.bots.isolation_text import clean_line
from arena.game import MAX_SEATS, MIN_SEATS

MAX_PATH = 4_000
MAX_NAME = 100
NAME = re.compile(rf"\w[\w.+-]{{0,{MAX_NAME - 1}}}")


@dataclass(frozen=True, slots=True, kw_only=True)
class BotDescription:
    """One bot of a file.

    Attributes:
        class_name: how the module names the class.
        name: of the bot.
        parameters: with their defaults, in the order of `__init__`.
        remembers: whether it keeps notes during a game.
        by_name_only: whether it plays only where it is named.
        seats, solved_only: see `BotSpec`.
        doc: docstring of the class, cleaned; may be empty.
    """

    class_name: str
    name: str
    parameters: tuple[tuple[str, ParameterValue], ...]
    remembers: bool
    by_name_only: bool
    seats: tuple[int, ...]
    solved_only: bool
    doc: str

    @property
    def summary(self) -> str:
        """First line of the docstring."""
        return self.doc.partition("\n")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDescription:
    """What a bot file contains, and what is wrong with it.

    Attributes:
        path: the file.
        source_hash: of it and the modules beside it that it imports; empty if it cannot be read.
        bots: those that can play, in the order of the file.
        problems: one line each, without the file's name.
        traceback: of a failed import, cut to the author's own lines; may be empty.
        output: the last that the file printed while it was imported.
        imported: whether the import went well.
    """

    path: str
    source_hash: str = ""
    bots: tuple[BotDescription, ...] = ()
    problems: tuple[str, ...] = ()
    traceback: str = ""
    output: str = ""
    imported: bool = False


def describe_file(path: Path) -> FileDescription:
    """Import a bot file and say what it contains; never raises for what the file does."""
    try:
        source = source_of(path)
    except OSError as error:
        problem = f"cannot be read: {error.strerror or error}"
        return FileDescription(path=clean_line(str(path), MAX_PATH), problems=(problem,))
    found = _Findings()
    with captured_output() as output:
        try:
            module = import_source(path, source)
            found.imported = True
            found.look_into(module)
        except ImportFailed as failed:
            found.problems.append(failed.message)
            found.traceback = failed.traceback
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # objects of a stranger may raise at any touch
            found.problems.append(f"cannot be looked into: {shown(error)}")
    return FileDescription(
        path=str(path),
        source_hash=source.hash,
        bots=tuple(found.bots),
        problems=tuple(found.problems),
        traceback=found.traceback,
        output=output.getvalue()[-KEPT_OUTPUT:],
        imported=found.imported,
    )


class _Findings:
    """Collects the bots of one module and what is wrong with it."""

    def __init__(self) -> None:
        self.bots: list[BotDescription] = []
        self.problems: list[str] = []
        self.traceback = ""
        self.imported = False

    def look_into(self, module: ModuleType) -> None:
        own = _own_classes(module)
        bots = {name: cls for name, cls in own.items() if issubclass(cls, Bot)}
        complete = [cls for cls in bots.values() if not inspect.isabstract(cls)]
        for class_name, cls in bots.items():
            if not inspect.isabstract(cls):
                self.add(class_name, cls)
            elif not _is_base(cls, complete):
                self.problems.append(_no_decide(class_name, cls))
        if not self.bots and not self.problems:
            self.problems.append(_no_bot(own))

    def add(self, class_name: str, cls: type[Bot]) -> None:
        if not isinstance(cls.name, str) or not NAME.fullmatch(cls.name) or cls.name[-3:] == ".py":
            self.problems.append(
                f"class {class_name}: {str(cls.name)[:MAX_NAME]!r} is no name for a bot: letters, "
                f"digits and dashes are allowed, {MAX_NAME} at most"
            )
            return
        same = [bot.class_name for bot in self.bots if bot.name == cls.name]
        if same:
            self.problems.append(
                f"classes {same[0]} and {class_name} both have the name {cls.name!r}; only the "
                f"first is found; rename one, or give it another name (name = ...)"
            )
            return
        wrong = _signature_mistake(cls) or _parameter_mistake(cls) or _seats_mistake(cls)
        if wrong:
            self.problems.append(f"class {class_name}: {wrong}")
            return
        self.bots.append(
            BotDescription(
                class_name=class_name,
                name=str(cls.name),
                parameters=tuple(
                    (name, default)
                    for name, default in cls.parameters().items()
                    if default is not None
                ),
                remembers=bool(cls.remembers),
                by_name_only=bool(cls.by_name_only),
                seats=tuple(cls.seats),
                solved_only=bool(cls.solved_only),
                doc=inspect.cleandoc(cls.__doc__ or "")[:KEPT_OUTPUT],
            )
        )


def _own_classes(module: ModuleType) -> dict[str, type]:
    """Classes that the file defines, each once, names with an underscore in front left out."""
    found: dict[str, type] = {}
    for name, value in vars(module).items():
        if not inspect.isclass(value) or value.__module__ != module.__name__:
            continue
        if not name.startswith("_") and value not in found.values():
            found[name] = value
    return found


def _is_base(cls: type[Bot], complete: list[type[Bot]]) -> bool:
    """Whether a class without `decide` is meant to be one that others derive from."""
    return ABC in cls.__bases__ or any(issubclass(other, cls) for other in complete)


def _no_decide(class_name: str, cls: type[Bot]) -> str:
    missing = sorted(cls.__abstractmethods__)
    if missing != ["decide"]:
        return f"class {class_name} lacks {', '.join(missing)}"
    near = get_close_matches("decide", vars(cls), n=1, cutoff=0.5)
    hint = f"; it has {near[0]}, did you mean decide?" if near else ""
    return (
        f"class {class_name} has no method decide{hint}; a bot has `def decide(self, turn)` that "
        "returns a decision"
    )


def _no_bot(own: dict[str, type]) -> str:
    for class_name, cls in own.items():
        if not issubclass(cls, Bot) and "decide" in vars(cls):
            return (
                f"class {class_name} does not derive from Bot; write `from arena import Bot` and "
                f"`class {class_name}(Bot):`"
            )
    return "has no bot: no class in it derives from arena.Bot and has decide"


def _signature_mistake(cls: type[Bot]) -> str:
    if not callable(cls.decide):
        return "decide is not a method"
    try:
        inspect.signature(cls.decide).bind(None, None)
    except TypeError:
        return f"decide{inspect.signature(cls.decide)} cannot be asked; write decide(self, turn)"
    except ValueError:  # a signature that Python cannot know, such as that of a C function
        pass
    return ""


def _seats_mistake(cls: type[Bot]) -> str:
    known = range(MIN_SEATS, MAX_SEATS + 1)
    if isinstance(cls.seats, tuple) and all(type(n) is int and n in known for n in cls.seats):
        return ""
    return (
        f"seats = {cls.seats!r} are no numbers of players; write those with which the bot plays, "
        f"{MIN_SEATS} to {MAX_SEATS}, as in seats = (2,)"
    )


def _parameter_mistake(cls: type[Bot]) -> str:
    for name, default in cls.parameters().items():
        if type(default) not in (int, float, bool, str):
            found = "has no default" if default is None else f"has the default {default!r}"
            return (
                f"parameter {name} {found}; a default is a whole number, a number, True or False, "
                "or a text"
            )
    return ""

"""Finding bots, telling which one is meant, and starting it.

index = find_bots([])                            # ./bots and those of arena itself
spec = resolve("hold:points=500", index)
bot = instantiate(spec)
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from arena.bots.bot import Bot
from arena.bots.discovery import BotDescription, FileDescription, describe_file
from arena.bots.discovery_import import ImportFailed, import_source, own_traceback, shown
from arena.bots.discovery_source import BotSource, source_of
from arena.bots.discovery_spec import WrittenBot, parameter_text, parse_bot, with_values
from arena.bots.places import bot_folders, is_shipped
from arena.bots.spec import BotSpec
from arena.errors import BotError

if TYPE_CHECKING:
    from arena.bots.isolation import Isolation

ENTRY_POINTS = "arena.bots"
"""Entry-point group through which installed packages offer bots: modules, or their classes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotProblem:
    """Something that keeps a bot from being found.

    Attributes:
        path: the file or folder.
        message: one line for its author.
        traceback: cut to the author's own lines; may be empty.
        output: the last that the file printed; may be empty.
    """

    path: str
    message: str
    traceback: str = ""
    output: str = ""

    def __str__(self) -> str:
        """File and message."""
        return f"{self.path}: {self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class BotIndex:
    """All bots that were found, and what kept others from being found.

    Attributes:
        bots: with their default parameters, by name.
        problems: in the order in which they were met.
        isolation: under which files were and will be looked into; None for this process.
    """

    bots: dict[str, BotSpec]
    problems: tuple[BotProblem, ...] = ()
    isolation: Isolation | None = None


def find_bots(
    sources: Sequence[Path] = (),
    *,
    entry_points: bool = True,
    isolation: Isolation | None = None,
) -> BotIndex:
    """All bots of these files and folders and of installed packages.

    Where two files define the same name, the first one counts, and the second is a problem; but a
    bot that comes with arena may be replaced without a word.

    Args:
        sources: bot files, and folders whose `*.py` are looked into (names with an underscore in
            front left out); none means `./bots` and the bots that come with arena.
        entry_points: whether installed packages are asked, too.
        isolation: under which files are imported; None for this process.

    Raises:
        RunError: no process can be started.
    """
    search = _Search(isolation)
    for source in sources or bot_folders():
        search.look_at(source, reported=bool(sources))
    if entry_points:
        search.look_at_packages()
    if not search.bots and not search.problems:
        where = ", ".join(map(str, sources or bot_folders())) or "./bots"
        search.problem(where, "no bots found here; `arena new-bot NAME` writes one")
    return BotIndex(bots=search.bots, problems=tuple(search.problems), isolation=isolation)


class _Search:
    """Collects bots and problems."""

    def __init__(self, isolation: Isolation | None) -> None:
        self.isolation = isolation
        self.described: dict[Path, FileDescription] = {}
        self.bots: dict[str, BotSpec] = {}
        self.problems: list[BotProblem] = []
        self.seen: set[Path] = set()

    def problem(self, path: str, message: str) -> None:
        self.problems.append(BotProblem(path=path, message=message))

    def look_at(self, source: Path, *, reported: bool) -> None:
        """Look at a file or a folder; `reported` says that the user named it."""
        if source.is_dir():
            files = [path for path in sorted(source.glob("*.py")) if path.name[0] != "_"]
            if not files and reported:
                self.problem(str(source), "no bot file (*.py) lies in this folder")
            helpers = _helpers(files)
            self.describe(files)
            for path in files:
                self.look_into(path, silent=_place(path) in helpers)
        elif source.suffix == ".py" and source.exists():
            self.look_into(source)
        else:
            what = "is no Python file (*.py)" if source.exists() else "there is no such file"
            self.problem(str(source), f"{what}; a bot file or a folder of bot files is needed")

    def describe(self, files: Sequence[Path]) -> None:
        """Find out at once what all these files contain, where each needs its own process."""
        if self.isolation is not None and self.isolation.level != "none":
            from arena.bots.describing import describe_all  # not needed by a bot's process

            self.described.update(describe_all(files, self.isolation))

    def look_into(self, path: Path, *, silent: bool = False, only: str = "") -> None:
        """Look into a bot file; `silent` for a module that others import and need not be a bot."""
        place = _place(path)
        if place in self.seen:
            return
        self.seen.add(place)
        found = self.described.get(path) or _described(path, self.isolation)
        bots = [bot for bot in found.bots if only in ("", bot.class_name)]
        for bot in bots:
            self.add(spec_of(bot, found))
        if silent and not bots:
            return
        if only and found.bots and not bots:
            self.problem(found.path, f"defines no bot class {only}, which an entry point names")
        for message in found.problems:
            self.problems.append(
                BotProblem(
                    path=found.path,
                    message=message,
                    traceback=found.traceback,
                    output=found.output,
                )
            )

    def add(self, spec: BotSpec) -> None:
        known = self.bots.setdefault(spec.name, spec)
        if known is not spec and not is_shipped(Path(spec.path)):
            self.problem(
                spec.path,
                f"defines the bot {spec.name!r}, which {known.path} defines, too; that one is "
                f"used; rename one, or name this one by its file ({spec.path}:{spec.class_name})",
            )

    def look_at_packages(self) -> None:
        from importlib.metadata import entry_points  # slow to import, and often not needed

        for entry in sorted(entry_points(group=ENTRY_POINTS), key=lambda each: each.name):
            path = _module_file(entry.module)
            if path is None:
                self.problem(
                    f"entry point {ENTRY_POINTS}:{entry.name}",
                    f"there is no module {entry.module} of Python source",
                )
            else:
                self.look_into(path, only=entry.attr or "")


def _place(path: Path) -> Path:
    """Where a file really lies; a link that leads round in a circle stays where it is."""
    return Path(os.path.realpath(path))


def _helpers(files: Iterable[Path]) -> set[Path]:
    """Modules that bot files import from beside them."""
    found: set[Path] = set()
    for path in files:
        try:
            found.update(_place(helper) for helper in source_of(path).files[1:])
        except OSError:  # reported when the file itself is looked into
            continue
    return found


def _module_file(module: str) -> Path | None:
    """File of an installed module, found without importing the packages around it."""
    from importlib.util import find_spec

    head, *rest = module.split(".")
    spec = find_spec(head)
    if spec is None:
        return None
    if not rest:
        return Path(spec.origin) if spec.origin and spec.origin.endswith(".py") else None
    for place in spec.submodule_search_locations or ():
        inner = Path(place).joinpath(*rest)
        for file in (inner.with_name(inner.name + ".py"), inner / "__init__.py"):
            if file.is_file():
                return file
    return None


def resolve(text: str, index: BotIndex) -> BotSpec:
    """The bot that is meant by a name or a file, with parameters; see `discovery_spec`.

    Raises:
        BotError: the bot, a parameter or a value does not exist.
    """
    written = parse_bot(text)
    base = _in_file(written, index) if written.file else _in_index(written, index)
    return replace(
        base,
        name=written.text,
        parameters=with_values(written, base.parameters, where=base.path),
    )


def _in_index(written: WrittenBot, index: BotIndex) -> BotSpec:
    if written.name in index.bots:
        return index.bots[written.name]
    plain = written.name.lower().replace("_", "-")
    near = get_close_matches(plain, index.bots, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    known = ", ".join(sorted(index.bots)) or "none"
    file = "any other by its file, which ends in .py"
    lines = [f"there is no bot {written.name!r}; {hint}known: {known}; {file}"]
    lines += [f"  {problem}" for problem in index.problems]
    raise BotError("\n".join(lines))


def _described(path: Path, isolation: Isolation | None) -> FileDescription:
    if isolation is None or isolation.level == "none":
        return describe_file(path)
    from arena.bots.describing import describe_apart  # not needed by a bot's process

    return describe_apart(path, isolation)


def _in_file(written: WrittenBot, index: BotIndex) -> BotSpec:
    found = _described(Path(written.file), index.isolation)
    fitting = [bot for bot in found.bots if written.name in ("", bot.class_name, bot.name)]
    if len(fitting) == 1:
        return spec_of(fitting[0], found, name=written.text)
    if found.bots:
        choices = " or ".join(f"{written.file}:{bot.class_name}" for bot in found.bots)
        what = f"has no bot {written.name!r}" if written.name else "has more than one bot"
        raise BotError(f"{written.file}: {what}; write {choices}")
    trace = f"\n{found.traceback}" if found.traceback else ""
    raise BotError(f"{written.file}: {'; '.join(found.problems)}{trace}")


def spec_of(bot: BotDescription, found: FileDescription, *, name: str = "") -> BotSpec:
    """A bot of a file, with its defaults; under the name as it was written, if it was."""
    return BotSpec(
        name=name or bot.name,
        class_name=bot.class_name,
        path=found.path,
        parameters=bot.parameters,
        source_hash=found.source_hash,
        remembers=bot.remembers,
        by_name_only=bot.by_name_only,
        seats=bot.seats,
        solved_only=bot.solved_only,
        summary=bot.summary,
    )


def instantiate(spec: BotSpec) -> Bot:
    """A new instance of the bot, in this process; its file is imported once per process.

    What the bot prints meanwhile goes to standard error.

    Raises:
        BotError: the file has changed or is gone, or the bot cannot be made.
    """
    return new_instance(bot_class(spec), spec)


def bot_class(spec: BotSpec) -> type[Bot]:
    """The class of the bot, in this process; its file is imported once per process.

    Raises:
        BotError: the file has changed or is gone, or has no such class.
    """
    path = Path(spec.path)
    source = _same_source(path, spec)
    with redirect_stdout(sys.stderr):
        try:
            cls = getattr(import_source(path, source), spec.class_name, None)
        except ImportFailed as failed:
            raise BotError(f"{path}: {failed.message}") from None
    if not isinstance(cls, type) or not issubclass(cls, Bot):
        raise BotError(f"{path}: there is no bot class {spec.class_name}")
    return cls


def new_instance(cls: type[Bot], spec: BotSpec) -> Bot:
    """A new instance of a bot whose class was imported before.

    Raises:
        BotError: it cannot be made.
    """
    path = Path(spec.path)
    with redirect_stdout(sys.stderr):
        try:
            return cls(**dict(spec.parameters))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever a stranger's __init__ raises
            given = ", ".join(f"{name}={parameter_text(v)}" for name, v in spec.parameters)
            trace = own_traceback(error, path)
            raise BotError(
                f"{path}: {spec.class_name}({given}) cannot be made: {shown(error)}"
                + (f"\n{trace}" if trace and not isinstance(error, ValueError) else "")
            ) from None


def _same_source(path: Path, spec: BotSpec) -> BotSource:
    try:
        source = source_of(path)
    except OSError as error:
        reason = error.strerror or error
        raise BotError(f"{path}: the file of {spec.name} cannot be read: {reason}") from None
    if source.hash != spec.source_hash:
        raise BotError(
            f"{path}: the file of {spec.name} has changed since it was found; start again"
        )
    return source

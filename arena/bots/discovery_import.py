"""Importing one bot file into this process, so that files do not disturb each other."""

from __future__ import annotations

import hashlib
import importlib
import io
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType

from arena.bots.discovery_source import BotSource, source_of

_PREFIX = "arena_bot_"

KEPT_OUTPUT = 4_000
"""Characters of a bot's output that are kept, the last ones."""

MAX_OUTPUT = 1 << 20
"""Characters that a bot may print at a time, while it is imported or answers a batch."""


class ImportFailed(Exception):  # noqa: N818 - it is caught and told, never shown as an error
    """A bot file raised while it was imported.

    Attributes:
        message: one line for the author.
        traceback: cut to the author's own lines.
    """

    def __init__(self, message: str, trace: str) -> None:
        super().__init__(message)
        self.message = message
        self.traceback = trace


def import_source(path: Path, source: BotSource) -> ModuleType:
    """The module of a bot file; imported once per process and content.

    The name in `sys.modules` depends on path and content, so that two files with the same stem do
    not clash. Exactly the bytes of `source.content` are run, no cached byte code. The folder goes
    to the end of `sys.path`: a bot may import a module beside it, but a file `random.py` beside it
    does not replace the library's.

    Raises:
        ImportFailed: it is not Python, or it raised.
    """
    folder = path.parent.resolve()
    name = f"{_PREFIX}{path.stem.strip('_')}_{_digest(path.resolve())}_{source.hash}"
    try:
        with _helpers_beside(folder):
            if path.name != "__init__.py" and (folder / "__init__.py").is_file():
                name = f"{_package(folder)}.{name}"
            return sys.modules.get(name) or _run(name, path, source)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever a stranger's file raises, SystemExit included
        raise ImportFailed(import_message(error, path), own_traceback(error, path)) from None


def _run(name: str, path: Path, source: BotSource) -> ModuleType:
    places = [str(path.parent.resolve())] if path.name == "__init__.py" else None
    spec = spec_from_file_location(name, path, submodule_search_locations=places)
    if spec is None:
        raise ImportError("is not a Python file (*.py)")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        exec(_compiled(path, source), module.__dict__)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def _compiled(path: Path, source: BotSource) -> CodeType:
    try:
        return compile(source.content, str(path), "exec", dont_inherit=True)
    except ValueError as error:  # null bytes, up to Python 3.11.3; later a SyntaxError
        raise SyntaxError(str(error)) from None


def _package(folder: Path) -> str:
    """The package of a folder with `__init__.py`, so that its modules can say `from . import`."""
    name = f"{_PREFIX}package_{_digest(folder)}"
    if name not in sys.modules:
        init = folder / "__init__.py"
        _run(name, init, source_of(init))
    return name


def _digest(path: Path) -> str:
    return hashlib.sha256(str(path).encode()).hexdigest()[:8]


class OutputFlood(BaseException):
    """Raised into a bot that prints without end; not an Exception, so that few bots catch it."""


@contextmanager
def captured_output(most: int = MAX_OUTPUT) -> Iterator[LastOutput]:
    """Catch what bot code prints, the last `KEPT_OUTPUT` characters of it.

    Printing more than `most` characters raises `OutputFlood` there.
    """
    output = LastOutput(most)
    with redirect_stdout(output), redirect_stderr(output):
        yield output


def import_message(error: BaseException, path: Path) -> str:
    """One line on why a file could not be imported."""
    if isinstance(error, SyntaxError) and error.filename in (str(path), None):
        line = f"line {error.lineno}: " if error.lineno else ""
        code = f": {error.text.strip()}" if error.text else ""
        return f"is not Python: {line}{error.msg}{code}"
    frames = _own_frames(error, path)
    where = f" (line {frames[-1].lineno}: {frames[-1].line})" if frames else ""
    return f"cannot be imported: {shown(error)}{where}"


def shown(error: BaseException) -> str:
    """An exception as one line, whatever its `__str__` does."""
    kind = type(error).__name__
    try:
        text = " ".join(str(error).split())
    except Exception:  # the text of a stranger's exception may itself raise
        text = ""
    return f"{kind}: {text[:500]}" if text else kind


def own_traceback(error: BaseException, path: Path) -> str:
    """The traceback from the author's first line on."""
    frames = _own_frames(error, path)
    if not frames:
        return ""
    lines = ["Traceback (most recent call last):\n", *traceback.format_list(frames)]
    return "".join(lines) + shown(error)


def _own_frames(error: BaseException, path: Path) -> list[traceback.FrameSummary]:
    """Frames that lie in the folder of the bot."""
    folder = path.parent.resolve()
    frames = traceback.extract_tb(error.__traceback__, limit=-20)
    return [frame for frame in frames if Path(frame.filename).resolve().parent == folder]


@contextmanager
def _helpers_beside(folder: Path) -> Iterator[None]:
    """Let an import find the modules beside the bot; other folders have others of equal name.

    The bot keeps what it imported; `sys.modules` and `sys.path` forget it.
    """
    before = set(sys.modules)
    sys.path.append(str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.pop(len(sys.path) - 1 - sys.path[::-1].index(str(folder)))
        for name in set(sys.modules) - before:
            file = getattr(sys.modules[name], "__file__", None)
            beside = isinstance(file, str) and folder in Path(file).resolve().parents
            if beside and not name.rpartition(".")[2].startswith(_PREFIX):
                del sys.modules[name]


class LastOutput(io.StringIO):
    """Keeps the end of what is written to it.

    Args:
        most: characters that may be written until `renew` is called.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most
        self._left = most

    def renew(self) -> None:
        """Let as much be written again; how a batch was put together must not decide a fault."""
        self._left = self._most

    def write(self, text: str, /) -> int:
        """Take down a text."""
        self._left -= len(text)
        super().write(text[-KEPT_OUTPUT:])
        if self.tell() > 2 * KEPT_OUTPUT:
            last = self.getvalue()[-KEPT_OUTPUT:]
            self.seek(0)
            self.truncate()
            super().write(last)
        if self._left < 0:
            raise OutputFlood("the bot prints without end; this was more than is allowed at a time")
        return len(text)

"""Starting a bot's process under its limits, and ending it."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from arena.bots.discovery_source import BotSource
from arena.bots.host import PROGRAM, TRACE_SIGNAL
from arena.bots.isolation import Isolation, Level
from arena.bots.isolation_bwrap import with_files
from arena.bots.isolation_guardian import forget_process, guard_process
from arena.bots.isolation_places import (
    interpreter,
    library_folders,
    module_search_path,
    package_folder,
    readable_by_all,
    shared_folder,
)

WAIT_SECONDS: Final = 5.0
"""How long a process that was killed may take to be gone."""

MAX_TRACE: Final = 1 << 16

ENVIRONMENT: Final = {
    "HOME": "/tmp",
    "LC_ALL": "C.UTF-8",
    "MKL_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
"""What a bot's process finds in its environment; libraries are told to use no threads."""


class Started:
    """A bot's process and what connects it with this one.

    Attributes:
        process: what was started: the interpreter, or bubblewrap around it.
        requests, answers, output, trace: this end of the pipes.
        progress: file in which the process writes where it is.
        watched: becomes readable when `process` ends; -1 where the system has no such thing.
    """

    def __init__(
        self, process: subprocess.Popen[bytes], ends: dict[str, int], progress: int, info: int
    ) -> None:
        self.process = process
        self.requests = ends["requests"]
        self.answers = ends["answers"]
        self.output = ends["output"]
        self.trace = ends["trace"]
        self.progress = progress
        self._info = info
        self._bot_pid = 0 if info >= 0 else process.pid
        self._inner = -1  # the interpreter within bubblewrap
        self._open = True
        self.watched = -1
        if hasattr(os, "pidfd_open"):
            with suppress(OSError):
                self.watched = os.pidfd_open(process.pid)

    def bot_pid(self) -> int:
        """Number of the interpreter's process; 0 while bubblewrap has not told."""
        if not self._bot_pid:
            with suppress(OSError, ValueError, KeyError):
                self._bot_pid = int(json.loads(os.read(self._info, 4096))["child-pid"])
                guard_process(self._bot_pid)
                with suppress(AttributeError):  # not everywhere
                    self._inner = os.pidfd_open(self._bot_pid)
        return self._bot_pid

    def close_output(self) -> None:
        """Stop listening to what the process prints; nobody holds the other end any more."""
        nowhere = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nowhere, self.output)
        os.close(nowhere)

    def ask_where(self, seconds: float) -> None:
        """Make the process write down where it is, if it still can."""
        pid = self.bot_pid()
        if not pid:
            return
        with suppress(OSError):
            os.kill(pid, TRACE_SIGNAL)
            select.select([self.trace], [], [], seconds)
            time.sleep(0.01)  # the rest of it comes at once

    def read_trace(self) -> str:
        """What the process wrote about where it is, or where it crashed."""
        with suppress(OSError):
            return os.read(self.trace, MAX_TRACE).decode(errors="replace")
        return ""

    def wait(self) -> int | None:
        """How the process ended, as `Popen.returncode`; None if it did not within a moment."""
        try:
            status = self.process.wait(0.5)
        except subprocess.TimeoutExpired:
            return None
        # bubblewrap tells a signal as a shell does
        return 128 - status if self._info >= 0 and status > 128 else status

    def kill(self) -> None:
        """End the process and all of its group."""
        if not self._open:
            return
        self._open = False
        if self.process.poll() is None:
            with suppress(OSError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.bot_pid()
            self._kill_inner()
            self.process.kill()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(WAIT_SECONDS)
        self._kill_inner()  # bubblewrap may have been ended alone
        for descriptor in (self.requests, self.answers, self.output, self.trace, self.progress):
            os.close(descriptor)
        for descriptor in (self.watched, self._info, self._inner):
            if descriptor >= 0:
                os.close(descriptor)

    def _kill_inner(self) -> None:
        if self._inner >= 0:
            with suppress(OSError):
                signal.pidfd_send_signal(self._inner, signal.SIGKILL)
            forget_process(self._bot_pid)


def start_host(path: Path, source: BotSource, isolation: Isolation) -> Started:
    """Start the process of a bot; it does not know the bot yet.

    Raises:
        OSError: no process can be started.
    """
    with ExitStack() as theirs, ExitStack() as ours:
        mine: dict[str, int] = {}
        given: dict[str, int] = {}
        for name in ("requests", "answers", "output", "trace"):
            reading, writing = os.pipe()
            mine[name], given[name] = (
                (writing, reading) if name == "requests" else (reading, writing)
            )
            ours.callback(os.close, mine[name])
            theirs.callback(os.close, given[name])
            os.set_blocking(mine[name], False)
        progress = _memory_file("progress", bytes(8))
        ours.callback(os.close, progress)
        given["progress"] = progress
        info = -1
        if isolation.level is Level.STRICT:
            info, given["info"] = os.pipe()
            ours.callback(os.close, info)
            theirs.callback(os.close, given["info"])
            os.set_blocking(info, False)
        with _command(path, source, isolation, given) as (command, extra):
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=given["output"],
                stderr=given["output"],
                pass_fds=[*(fd for name, fd in given.items() if name != "output"), *extra],
                env=_environment(isolation),
                start_new_session=True,
            )
        ours.pop_all()
        return Started(process, mine, progress, info)


def _environment(isolation: Isolation) -> dict[str, str]:
    """All variables that a bot finds; those of this process may hold secrets."""
    cache = Path(shared_folder()).parents[1]
    seed = str(isolation.hash_seed)
    return {**ENVIRONMENT, "PYTHONHASHSEED": seed, "XDG_CACHE_HOME": str(cache)}


@contextmanager
def _command(
    path: Path, source: BotSource, isolation: Isolation, given: dict[str, int]
) -> Iterator[tuple[list[str], list[int]]]:
    """The command line, and the files that are open for it."""
    files = bot_files(path, source)
    python = [interpreter(), "-S", "-s", "-P", "-B", "-c", PROGRAM]
    start = json.dumps(_start(path, files, isolation, given))
    with ExitStack() as stack:
        extra: list[int] = []
        if isolation.level is not Level.STRICT:
            yield [*python, start], extra
            return
        contents = []
        for file, content in files.items():
            extra.append(_memory_file("bot", content))
            stack.callback(os.close, extra[-1])
            contents.append((extra[-1], os.path.abspath(file)))
        words = list(isolation.sandbox)
        for name, value in _environment(isolation).items():
            words += ["--setenv", name, value]
        words += ["--info-fd", str(given["info"])]
        folders = [shared_folder()] if os.path.isdir(shared_folder()) else []
        yield [*with_files(words, contents, folders, os.getcwd()), *python, start], extra


def bot_files(path: Path, source: BotSource) -> dict[str, bytes]:
    """The files that a bot may see, with their content."""
    found = {str(path): source.content}
    for file in source.files[1:]:
        found[str(file)] = file.read_bytes()
    package = path.parent / "__init__.py"
    if package.is_file():
        found.setdefault(str(package), package.read_bytes())
    return found


def _start(
    path: Path, files: dict[str, bytes], isolation: Isolation, given: dict[str, int]
) -> dict[str, Any]:
    """What the program in the process is told, see `host.main`."""
    limits = isolation.limits
    strict = isolation.level is Level.STRICT
    user = isolation.user
    if not strict and user >= 0 and not readable_by_all([path, *files]):
        user = -1  # it could not even read its own file
    return {
        **{name: given[name] for name in ("requests", "answers", "trace", "progress")},
        "user": user,
        "output": limits.output_kib << 10,
        "limits": [
            ("RLIMIT_AS", limits.memory_mib << 20),
            ("RLIMIT_CORE", 0),
            ("RLIMIT_FSIZE", limits.file_mib << 20),
            ("RLIMIT_NOFILE", limits.files),
            ("RLIMIT_NPROC", 1),
        ],
        "path": list(module_search_path()),
        "readable": [
            *library_folders(),
            package_folder(),
            shared_folder(),
            *files,
        ],
        "listed": [str(path.parent)],
        "writable": ["/tmp"] if strict else [],
    }


def _memory_file(name: str, content: bytes) -> int:
    """An open file without a name on any disk, at its beginning."""
    if sys.platform == "linux":
        descriptor = os.memfd_create(name)
    else:
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    with open(descriptor, "wb", closefd=False) as opened:
        opened.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor

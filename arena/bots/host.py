"""The program of a bot's own process: takes batches of positions, gives back decisions.

Everything here is in the hands of the bot as soon as the bot is imported, and may then do anything;
the parent believes nothing of what it reads. What makes this process safe happens before: user,
limits and guard are set, and only then is the bot's file imported.
"""

from __future__ import annotations

import faulthandler
import fcntl
import mmap
import os
import signal
import sys
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from arena.bots import host_frames as frames
from arena.bots.host_filter import refuse_calls
from arena.bots.host_frames import Kind

if TYPE_CHECKING:
    from arena.bots.asking import LocalAsker

PROGRAM: Final = (
    "import json, sys; _start = json.loads(sys.argv[1]); sys.path += _start['path']; "
    "from arena.bots.host import main; main(_start)"
)
"""What the interpreter is given to run; its argument is the JSON that `main` takes."""

TRACE_SIGNAL: Final = signal.SIGUSR1
"""Makes the process write down where it is."""

CHANNELS: Final = ("requests", "answers", "trace", "progress")
"""What connects the process with its parent; from descriptor 3 on, in this order."""


class _LaterNumpy(ModuleType):
    """Stands for NumPy, which takes longer to import than all else and is mostly not needed."""

    def __getattr__(self, name: str) -> Any:
        import importlib

        return getattr(importlib.import_module("numpy"), name)


def main(start: dict[str, Any]) -> None:
    """Answer requests until the parent closes the pipe.

    Args:
        start: `requests`, `answers`, `trace`, `progress`: open file descriptors; `user` to change
            to, or -1; `limits`: pairs of resource and value; `readable`, `listed` and `writable`:
            see `guard`.
    """
    del sys.argv[1:]
    _settle(start)
    _leave_the_world(start)
    refuse_calls()
    faulthandler.enable(start["trace"], all_threads=False)
    faulthandler.register(TRACE_SIGNAL, start["trace"], all_threads=False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    sys.modules["numpy"] = _LaterNumpy("numpy")
    import arena.bots.asking
    import arena.bots.discovery
    import arena.bots.host_rules
    import arena.bots.loader  # noqa: F401 - all that is needed later, while NumPy is held off

    del sys.modules["numpy"]  # a bot that imports it gets the real one
    from arena.bots.host_guard import guard

    guard(start["readable"], [*sys.path, *start["listed"]], start["writable"])
    _Host(start).run()


def _settle(start: dict[str, Any]) -> None:
    """Give the channels the same numbers in every process.

    They come with the numbers that they have in the parent, and how many files are open there must
    not decide how many a bot may open, nor what it comes upon.
    """
    past = 3 + len(CHANNELS)
    copies = [fcntl.fcntl(start[name], fcntl.F_DUPFD_CLOEXEC, past) for name in CHANNELS]
    for name in CHANNELS:
        os.close(start[name])
    for number, (name, copy) in enumerate(zip(CHANNELS, copies, strict=True), 3):
        os.dup2(copy, number, inheritable=False)
        os.close(copy)
        start[name] = number


def _leave_the_world(start: dict[str, Any]) -> None:
    """Give up rights and take on limits, before anything of a bot is here."""
    import resource

    if start["user"] >= 0:
        os.setgroups([])
        os.setgid(start["user"])
        os.setuid(start["user"])
    _end_with_parent()  # after the change of user, which undoes it
    for name, value in start["limits"]:
        _, hard = resource.getrlimit(getattr(resource, name))
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(getattr(resource, name), (value, value))


def _end_with_parent() -> None:
    """Be killed when the parent dies, and gain no rights through other programs; Linux only."""
    if sys.platform != "linux":
        return
    import ctypes

    set_death_signal, set_no_new_privileges = 1, 38
    libc = ctypes.CDLL(None)
    libc.prctl(set_death_signal, signal.SIGKILL, 0, 0, 0)
    libc.prctl(set_no_new_privileges, 1, 0, 0, 0)


class _Host:
    """Handles one request after the other."""

    def __init__(self, start: dict[str, Any]) -> None:
        self.requests: int = start["requests"]
        self.answers: int = start["answers"]
        self.output_limit: int = start["output"]
        self.progress = memoryview(mmap.mmap(start["progress"], 8)).cast("q")
        self.factory: Any = None
        self.askers: dict[int, LocalAsker] = {}

    def run(self) -> None:
        self.send(Kind.READY, 0, b"")
        while True:
            head = self.read(frames.HEADER.size)
            if head is None:
                return
            kind, serial, size = frames.read_header(head)
            body = self.read(size)
            if body is None:
                return
            reply_kind, reply = self.handle(Kind(kind), body)
            self.send(reply_kind, serial, reply)

    def read(self, size: int) -> bytes | None:
        """So many bytes from the parent; None when it has closed the pipe."""
        parts = []
        while size:
            part = os.read(self.requests, min(size, 1 << 20))
            if not part:
                return None
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def send(self, kind: Kind, serial: int, body: bytes) -> None:
        rest = memoryview(frames.header(kind, serial, len(body)) + body)
        while rest:
            rest = rest[os.write(self.answers, rest) :]

    def handle(self, kind: Kind, body: bytes) -> tuple[Kind, bytes]:
        """The answer to a request; nothing that a bot raises gets past here."""
        self.progress[0] = 0
        try:
            return Kind.DONE, _HANDLERS[kind](self, body)
        except BaseException as error:  # whatever a stranger's code raises, KeyboardInterrupt too
            from arena.bots.discovery_import import shown

            trace = getattr(error, "traceback", "") or getattr(error.__context__, "traceback", "")
            message = getattr(error, "message", "") or shown(error)
            failure = {"message": str(message), "traceback": str(trace), "output": ""}
            return Kind.FAILED, frames.to_json(failure)

    def describe(self, body: bytes) -> bytes:
        """What a file contains."""
        from dataclasses import asdict
        from pathlib import Path

        from arena.bots.discovery import describe_file

        return frames.to_json(asdict(describe_file(Path(frames.from_json(body)))))

    def load(self, body: bytes) -> bytes:
        """Import the bot and make one."""
        from arena.bots.loader import bot_class, new_instance
        from arena.bots.spec import BotSpec

        values = frames.from_json(body)
        values["parameters"] = tuple(map(tuple, values["parameters"]))
        values["seats"] = tuple(values["seats"])
        spec = BotSpec(**values)
        self.factory = partial(new_instance, bot_class(spec), spec)
        self.factory()
        return frames.to_json({})

    def seat(self, body: bytes) -> bytes:
        """Get ready to be asked on a ruleset."""
        from arena.bots.asking import LocalAsker
        from arena.bots.host_rules import HostTables

        cutter = frames.Cutter(body)
        asker, seats, way, size = cutter.counts()
        tables: Any = HostTables(cutter.bytes(size))
        made = self.askers[asker] = LocalAsker(
            self.factory,
            tables,
            seats,
            traced=way != frames.Way.PLAIN,
            batched=way == frames.Way.BATCHED,
            max_output=self.output_limit,
        )
        return frames.to_json({"remembers": made.remembers, "in_batches": made.in_batches})

    def ask(self, body: bytes) -> bytes:
        """Answer a batch."""
        questions = PlainQuestions(body, self.progress)
        asker = self.askers[questions.asker]
        taken = asker.taken(questions, singly=questions.singly)  # type: ignore[arg-type]  # has all that it looks at
        notices = {
            "repeatable": asker.repeatable,
            "in_batches": asker.in_batches,
            "mismatches": asker.mismatches,
            "sees_dice": asker.sees_dice,
            "count": asker.fault_count,
            "faults": [
                [f.question, f.kind, f.message, f.traceback, f.output] for f in asker.faults
            ],
        }
        asker.faults.clear()
        return frames.answer_body(taken, questions.count_features, notices)

    def audit(self, body: bytes) -> bytes:
        """Answer a batch once more, otherwise."""
        questions = PlainQuestions(body, self.progress)
        asker = self.askers[questions.asker]
        codes = asker.audited(questions)  # type: ignore[arg-type]  # has all that it looks at
        return frames.counts(len(codes), 0, 0, 0) + frames.packed(frames.INT, codes)

    def distrust(self, body: bytes) -> bytes:
        """Take down that the bot is not to be believed."""
        questions = PlainQuestions(body, self.progress)
        self.askers[questions.asker].distrust(questions)  # type: ignore[arg-type]  # as above
        return frames.to_json({})


_HANDLERS: Final = {
    Kind.DESCRIBE: _Host.describe,
    Kind.LOAD: _Host.load,
    Kind.SEAT: _Host.seat,
    Kind.ASK: _Host.ask,
    Kind.AUDIT: _Host.audit,
    Kind.DISTRUST: _Host.distrust,
}


class PlainQuestions:
    """A batch of questions without NumPy; what `LocalAsker` uses of `Questions`.

    Reading the rolls one by one tells the parent which question is being answered.
    """

    def __init__(self, body: bytes, progress: memoryview) -> None:
        cutter = frames.Cutter(body)
        self.asker, count, self.count_features, self.singly = cutter.counts()
        rolls = cutter.array(frames.INT, count)
        self.rolls = _Watched(rolls, progress)
        self.features = _Rows(cutter.array(frames.INT, count * self.count_features), count)
        self.rng_seeds = cutter.array(frames.WORD, count)
        self.slots = cutter.array(frames.INT, count)
        self.fresh = cutter.array(frames.FLAG, count)
        self._count = count

    def __len__(self) -> int:
        return self._count


class _Watched:
    def __init__(self, rolls: Any, progress: memoryview) -> None:
        self._rolls = rolls
        self._progress = progress

    def tolist(self) -> Any:
        for number, roll in enumerate(self._rolls):
            self._progress[0] = number
            yield roll

    def __getitem__(self, number: int) -> int:
        self._progress[0] = number
        return int(self._rolls[number])

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return _int64(self._rolls)


class _Rows:
    def __init__(self, numbers: Any, count: int) -> None:
        self._numbers = numbers
        self._count = count

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        width = len(self._numbers) // self._count if self._count else 0
        return _int64(self._numbers).reshape(self._count, width)

    @property
    def T(self) -> _Columns:  # noqa: N802 - as NumPy calls it
        return _Columns(self._numbers, len(self._numbers) // self._count if self._count else 0)

    def tolist(self) -> list[list[int]]:
        numbers = self._numbers.tolist()
        width = len(numbers) // self._count if self._count else 0
        return [numbers[i * width : (i + 1) * width] for i in range(self._count)]


class _Columns:
    def __init__(self, numbers: Any, width: int) -> None:
        self._numbers = numbers
        self._width = width

    def tolist(self) -> list[list[int]]:
        return [self._numbers[i :: self._width].tolist() for i in range(self._width)]


def _int64(numbers: Any) -> Any:
    """The same numbers as an array of NumPy, which only bots that answer batches need."""
    import numpy as np

    return np.frombuffer(numbers, dtype=np.int64)

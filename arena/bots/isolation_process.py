"""A bot's process as seen from the simulating one: started, asked with deadlines, ended.

Nothing that the process does or says can hang or harm this one: every wait is a poll with a
deadline, every length is checked before anything is read, and what is read is bytes.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

from arena.bots import host_frames as frames
from arena.bots.discovery_source import BotSource
from arena.bots.host_frames import BadFrame, Kind
from arena.bots.isolation import Isolation
from arena.bots.isolation_start import Started, start_host
from arena.bots.isolation_text import author_trace, clean
from arena.bots.isolation_watch import Budget, Watch, question_at
from arena.errors import RunError

TICK_MS: Final = 20
"""How often a process that has not answered yet is looked at."""

TRACE_SECONDS: Final = 1.5
"""How long a process that hangs may take to say where."""

KEPT_OUTPUT: Final = 4_000

PIPE_BYTES: Final = 512 << 10
"""Room for a batch of 4096 positions between two players; each switch of processes costs time."""

LossKind = Literal["time-out", "memory", "crash", "silent death", "flood of output"]


class HostLost(Exception):  # noqa: N818 - it is caught and told, never shown as an error
    """A bot's process that died, hung, or talked nonsense; it is ended by now.

    Attributes:
        kind, message, traceback, output: see `AskFault`.
        question: which one it was at, as far as it said; may be anything.
    """

    def __init__(
        self, kind: LossKind, message: str, *, traceback: str, output: str, question: int
    ) -> None:
        super().__init__(message)
        self.kind: LossKind = kind
        self.message = message
        self.traceback = traceback
        self.output = output
        self.question = question


class HostProcess:
    """One process of one bot.

    Args:
        path: the bot's file.
        source: its content and that of the files beside it.
        isolation: under which it runs; not `none`.
    """

    def __init__(self, path: Path, source: BotSource, isolation: Isolation) -> None:
        self._path = path
        self._source = source
        self._limits = isolation.limits
        self._host: Started = start_host(path, source, isolation)
        self._serial = 0
        self._output = b""
        self._printed = 0
        self._printing = 0  # the question at which it did
        self._ready = False

    def ask(self, kind: Kind, body: bytes, budget: Budget, *, most: int) -> tuple[Kind, bytes]:
        """Send a request and wait for its answer.

        Args:
            kind: what is asked; body: see `host_frames`.
            budget: what it may cost.
            most: bytes that the answer may have.

        Returns:
            DONE or FAILED, and the body of the answer.

        Raises:
            HostLost: there is no answer; the process is ended.
            RunError: the process could not be started, through no fault of the bot.
        """
        if not self._ready:
            self._begin()
        self._serial += 1
        self._printed = 0
        os.pwrite(self._host.progress, bytes(8), 0)
        request = frames.header(kind, self._serial, len(body)) + body
        return self._exchange(self._serial, request, budget, most)

    def _begin(self) -> None:
        try:
            self._exchange(0, b"", Budget.of_start(), 0)
        except HostLost as lost:
            said = lost.output.strip().rpartition("\n")[2]
            raise RunError(
                f"the process of the bot {self._path} could not be started: "
                f"{lost.message}{f' ({said})' if said else ''}"
            ) from None
        self._ready = True

    def close(self) -> None:
        """End the process, and all that it has started."""
        self._host.kill()

    def widen(self) -> None:
        """Give the pipes room for whole batches, where the system allows it."""
        for pipe in (self._host.requests, self._host.answers):
            with suppress(OSError, AttributeError):  # fcntl has the size of pipes on Linux only
                fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._host.process.poll() is None

    def question(self) -> int:
        """The question that the process is at, as far as it says; may be anything."""
        return question_at(self._host.progress)

    def output(self) -> str:
        """The end of what the process printed past Python's own streams."""
        return clean(self._output.decode(errors="replace"), KEPT_OUTPUT)

    @property
    def pid(self) -> int:
        """Of the interpreter; 0 where it is not known."""
        return self._host.bot_pid()

    def _exchange(
        self, serial: int, request: bytes, budget: Budget, most: int
    ) -> tuple[Kind, bytes]:
        watch = Watch(self._host.bot_pid(), self._host.progress, budget)
        reply = _Reply(serial, max(most, frames.MAX_JSON))
        rest = memoryview(request)
        while not reply.complete:
            can_write, can_read, died = self._wait(bool(rest))
            if can_write:
                rest = self._write(rest)
            try:
                closed = can_read and reply.read(self._host.answers)
            except BadFrame as bad:
                raise self._lost("crash", f"its process answered {bad}") from None
            if reply.complete:
                break
            if died or closed:
                raise self._died()
            if not can_read:
                overrun = watch.overrun()
                if overrun:
                    raise self._lost("time-out", overrun, trace=True)
        return reply.kind, bytes(reply.body)

    def _wait(self, writing: bool) -> tuple[bool, bool, bool]:
        """Whether there is room to write, something to read, and the process has died."""
        host = self._host
        poll = select.poll()
        poll.register(host.answers, select.POLLIN)
        poll.register(host.output, select.POLLIN)
        if writing:
            poll.register(host.requests, select.POLLOUT)
        if host.watched >= 0:
            poll.register(host.watched, select.POLLIN)
        ready = dict(poll.poll(TICK_MS))
        if host.output in ready:
            self._take_output()
        died = host.watched in ready or (host.watched < 0 and host.process.poll() is not None)
        return host.requests in ready, host.answers in ready, died

    def _write(self, rest: memoryview) -> memoryview:
        try:
            return rest[os.write(self._host.requests, rest) :]
        except BlockingIOError:
            return rest
        except OSError:  # the process has closed its end; whether it lives is seen elsewhere
            return rest[len(rest) :]

    def _take_output(self) -> None:
        """Keep the end of what the process prints past Python's own streams.

        Raises:
            HostLost: it prints without end.
        """
        with suppress(OSError):
            part = os.read(self._host.output, 1 << 16)
            if not part:  # the other end is closed; polling it would only burn time
                self._host.close_output()
            at = self.question()
            if at != self._printing:
                self._printing, self._printed = at, 0
            self._printed += len(part)
            self._output = (self._output + part)[-KEPT_OUTPUT:]
        if self._printed > self._limits.output_kib << 10:
            raise self._lost(
                "flood of output",
                f"printed more than {self._limits.output_kib} KiB while it made one decision",
                trace=True,
            )

    def _died(self) -> HostLost:
        status = self._host.wait()
        if status is None:
            return self._lost("silent death", "closed its connection, so no answer can come")
        if status >= 0:
            return self._lost(
                "silent death",
                f"ended its process (exit code {status}) instead of returning a decision",
            )
        name = _signal_name(-status)
        if -status == signal.SIGKILL:
            return self._lost(
                "memory", f"was ended by the system ({name}), most likely for lack of memory"
            )
        if -status == signal.SIGXCPU:
            return self._lost("time-out", "used up the computing time of its process")
        return self._lost("crash", f"crashed the interpreter ({name})")

    def _lost(self, kind: LossKind, message: str, *, trace: bool = False) -> HostLost:
        """End the process; what is to be told about it."""
        if trace:
            self._host.ask_where(TRACE_SECONDS)
        question = question_at(self._host.progress)
        written = self._host.read_trace()
        with suppress(OSError):
            self._output = (self._output + os.read(self._host.output, KEPT_OUTPUT))[-KEPT_OUTPUT:]
        self.close()
        return HostLost(
            kind,
            message,
            traceback=author_trace(written, self._path, self._source),
            output=self.output(),
            question=question,
        )


class _Reply:
    """An answer as it comes in.

    Args:
        serial: of the request that it answers.
        most: bytes that it may have.
    """

    def __init__(self, serial: int, most: int) -> None:
        self._serial = serial
        self._most = most
        self._head = b""
        self._size = -1
        self.kind = Kind.FAILED
        self.body = bytearray()

    @property
    def complete(self) -> bool:
        return len(self.body) == self._size

    def read(self, descriptor: int) -> bool:
        """Take what is there; whether the other end is closed.

        Raises:
            BadFrame: it is no answer to the request.
        """
        while not self.complete:
            head = self._size < 0
            want = frames.HEADER.size - len(self._head) if head else self._size - len(self.body)
            try:
                part = os.read(descriptor, min(want, 1 << 20))
            except BlockingIOError:
                return False
            if not part:
                return True
            if not head:
                self.body += part
                continue
            self._head += part
            if len(self._head) == frames.HEADER.size:
                self._begin()
        return False

    def _begin(self) -> None:
        kind, serial, size = frames.read_header(self._head)
        if serial != self._serial or kind not in (Kind.READY, Kind.DONE, Kind.FAILED):
            raise BadFrame("something that was not asked")
        if size > self._most:
            raise BadFrame("more than there is to say")
        self.kind, self._size = Kind(kind), size


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"

"""`Host`: the process of one bot, started when needed, and replaced when it is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from itertools import count
from pathlib import Path
from typing import Final

from arena.bots.asking_faults import AskFaultKind
from arena.bots.discovery_source import BotSource, source_of
from arena.bots.host_frames import BadFrame, Kind, from_json, to_json
from arena.bots.isolation import Isolation
from arena.bots.isolation_process import HostLost, HostProcess
from arena.bots.isolation_text import clean
from arena.bots.isolation_watch import Budget, cpu_seconds, peak_memory_mib
from arena.bots.spec import BotSpec
from arena.errors import BotError

MAX_TEXT: Final = 4_000

IMPATIENT: Final = 10
"""So many times shorter is the wait for a bot that has hung often."""

TAMPERED: Final = "its process talked nonsense (does it tamper with arena itself?): "

_numbers = count(1)
_uses = count(1)


class Failure(Exception):  # noqa: N818 - it is caught and told, never shown as an error
    """Why a bot gave no answer.

    Attributes:
        kind, message, traceback, output: see `AskFault`.
        question: the one it was at, as far as it said; may be anything.
    """

    def __init__(
        self,
        kind: AskFaultKind,
        message: str,
        *,
        traceback: str = "",
        output: str = "",
        question: int = 0,
    ) -> None:
        super().__init__(message)
        self.kind: AskFaultKind = kind
        self.message = message
        self.traceback = traceback
        self.output = output
        self.question = question


class Host:
    """The process of one bot; it may be asked on several rulesets.

    Args:
        spec: the bot.
        isolation: under which it runs; not `none`.
        before_start: is called before a process is started, to make room for it.

    Attributes:
        generation: number of its process; another one knows nothing of what this one was told.
        last_used: when it was used last, by a count of all uses of all hosts.
        failure: why the bot cannot be loaded, now and for ever; None while it can.
    """

    def __init__(
        self,
        spec: BotSpec,
        isolation: Isolation,
        before_start: Callable[[], object] = lambda: None,
    ) -> None:
        self.spec = spec
        self.isolation = isolation
        self.generation = 0
        self.last_used = 0
        self._before_start = before_start
        self.failure: Failure | None = None
        self._process: HostProcess | None = None
        self._loaded = False
        self._hung = 0

    @property
    def running(self) -> bool:
        """Whether there is a process."""
        return self._process is not None

    def ready(self) -> int:
        """Start the process and load the bot, if that is to be done; the generation.

        Raises:
            Failure: the bot cannot be loaded.
            BotError: its file has changed or is gone.
            RunError: no process can be started.
        """
        if self._process is not None and not self._process.alive:
            self.stop()  # nobody was asked when it died, so that nobody pays
        if self.failure is not None:
            raise self.failure
        self.begin()
        if not self._loaded:
            self._load()
        return self.generation

    def begin(self) -> None:
        """Start the process, if there is none, without waiting until it can be asked.

        Raises:
            BotError: the bot's file has changed or is gone.
            RunError: no process can be started.
        """
        self.last_used = next(_uses)
        if self._process is None and self.failure is None:
            self._before_start()
            source = unchanged_source(self.spec)
            self._process = HostProcess(Path(self.spec.path), source, self.isolation)
            self.generation = next(_numbers)
            self._loaded = False

    def ask(self, kind: Kind, body: bytes, *, questions: int, most: int = 0) -> bytes:
        """Ask for an answer.

        Args:
            kind: what; body: see `host_frames`.
            questions: how many, for the time that it may take.
            most: bytes that the answer may have, if more than a text.

        Raises:
            Failure: there is none.
            BotError: the file has changed or is gone.
            RunError: no process can be started.
        """
        self.ready()
        try:
            return self._exchange(kind, body, self._budget(questions), most)
        except Failure as failure:
            raise self._lost(failure) from None

    def _budget(self, questions: int) -> Budget:
        """What so many questions may cost.

        A bot that has hung often is waited for a shorter time: whether it hangs again is seen as
        well, and a tournament must not take hours because of one bot.
        """
        limits = self.isolation.limits
        if self._hung >= limits.max_losses:
            limits = replace(limits, stall_s=limits.stall_s / IMPATIENT)
        return Budget.of_questions(limits, questions)

    def nonsense(self, what: BadFrame) -> Failure:
        """The failure of a process that answered with something else than an answer."""
        self.stop()
        return self._lost(Failure("crash", f"{TAMPERED}{what}"))

    def widen(self) -> None:
        """Give the pipes to its process room for whole batches, where the system allows it."""
        if self._process is not None:
            self._process.widen()

    @property
    def pid(self) -> int:
        """Of its process; 0 where there is none, or it is not known."""
        return self._process.pid if self._process is not None else 0

    def cpu_s(self) -> float:
        """Computing time of the process so far, seconds; 0 where it is not known."""
        return cpu_seconds(self.pid)

    def peak_mib(self) -> float:
        """Most memory that the process has had so far, MiB; 0 where it is not known."""
        return peak_memory_mib(self.pid) if self.pid else 0.0

    def stop(self) -> None:
        """End the process; it is started again when it is asked again."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def _load(self) -> None:
        """Import the bot's file and make a bot.

        Raises:
            Failure: it cannot be done, now and for ever.
        """
        budget = Budget.of_load(self.isolation.limits)
        try:
            self._exchange(Kind.LOAD, to_json(asdict(self.spec)), budget, 0)
        except Failure as failure:
            what = "the file could not be imported, or the bot not be made"
            if failure.kind != "load error":
                failure.message = f"{what}: its process {failure.message}"
                failure.kind = "load error" if failure.kind == "exception" else failure.kind
            self.failure = failure
            self.stop()
            raise
        self._loaded = True

    def _exchange(self, kind: Kind, body: bytes, budget: Budget, most: int) -> bytes:
        assert self._process is not None
        try:
            reply, answer = self._process.ask(kind, body, budget, most=most)
        except HostLost as lost:
            self._process = None
            raise Failure(
                lost.kind,
                lost.message,
                traceback=lost.traceback,
                output=lost.output,
                question=lost.question,
            ) from None
        if reply is Kind.DONE:
            return answer
        failure = self._told(answer)
        if kind is not Kind.LOAD:
            failure.question = self._process.question()
            self.stop()
        raise failure

    def _told(self, answer: bytes) -> Failure:
        """What a process said of its failure."""
        try:
            told = from_json(answer)
            parts = [clean(told[key], MAX_TEXT) for key in ("message", "traceback")]
        except (BadFrame, KeyError, TypeError) as error:
            return Failure("crash", f"{TAMPERED}{error}")
        output = self._process.output() if self._process is not None else ""
        return Failure("load error", parts[0], traceback=parts[1], output=output)

    def _lost(self, failure: Failure) -> Failure:
        """Take down that a process is lost; the failure to be told."""
        self._hung += failure.kind == "time-out"
        if failure.kind == "load error":  # said by a process that had been loaded before
            failure.kind = "exception"
        return failure


def unchanged_source(spec: BotSpec) -> BotSource:
    """The source of a bot as it was found.

    Raises:
        BotError: the file has changed or is gone.
    """
    try:
        source = source_of(Path(spec.path))
    except OSError as error:
        reason = error.strerror or error
        raise BotError(f"{spec.path}: the file of {spec.name} cannot be read: {reason}") from None
    if source.hash != spec.source_hash:
        raise BotError(
            f"{spec.path}: the file of {spec.name} has changed since it was found; what was "
            "finished is kept; start again to play the bot as it is now"
        )
    return source

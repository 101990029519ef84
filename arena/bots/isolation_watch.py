"""Watching a bot's process: how far it has got, and what it has used since."""

from __future__ import annotations

import os
import re
import sys
import time
from dataclasses import dataclass
from typing import Final

from arena.bots.isolation_limits import Limits

BUSY: Final = "RD"
"""States in which a process computes, waits for a processor, or waits for the disk."""

WALL_FACTOR: Final = 20
"""However busy the machine is: so many times `stall_s` on the clock are too much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What one request may cost.

    Attributes:
        cpu_s: CPU time, seconds.
        stall_s: seconds without progress, see `Limits`.
        told: the limit on CPU time as the author is told it.
    """

    cpu_s: float
    stall_s: float
    told: str

    @classmethod
    def of_questions(cls, limits: Limits, count: int) -> Budget:
        """The budget of a batch; a short batch may take as long as one of ten questions."""
        return cls(
            cpu_s=limits.question_cpu_s * max(count, 10),
            stall_s=limits.stall_s,
            told=f"{limits.question_cpu_s:g} s for a question, on average",
        )

    @classmethod
    def of_start(cls) -> Budget:
        """The budget of the interpreter's start, when nothing of the bot is there yet."""
        return cls(cpu_s=60.0, stall_s=60.0, told="60 s to start the interpreter")

    @classmethod
    def of_load(cls, limits: Limits) -> Budget:
        """The budget of importing a file and making a bot."""
        return cls(
            cpu_s=limits.load_cpu_s,
            stall_s=max(limits.stall_s, limits.load_cpu_s),
            told=f"{limits.load_cpu_s:g} s to import the file and make the bot",
        )


class Watch:
    """Looks after one request.

    Args:
        pid: of the bot's process; 0 where it is not known, and the clock on the wall counts.
        progress: file that begins with the number of the question being answered, as int64.
        budget: of this request.
    """

    def __init__(self, pid: int, progress: int, budget: Budget) -> None:
        self._pid = pid
        self._progress = progress
        self._budget = budget
        self._at = -1
        self._begin_cpu = cpu_seconds(pid)
        self._begin_wall = time.monotonic()
        self._mark_cpu = self._begin_cpu
        self._mark_wall = self._begin_wall
        self._slept = 0.0  # since the last progress
        self._slept_in_all = 0.0
        self._looked = self._begin_wall

    def overrun(self) -> str:
        """What the bot has used too much of, as a sentence; empty while all is well."""
        now, cpu, at = time.monotonic(), cpu_seconds(self._pid), question_at(self._progress)
        passed, self._looked = now - self._looked, now
        if at > self._at:
            self._at, self._mark_cpu, self._mark_wall, self._slept = at, cpu, now, 0.0
        if not self._is_busy():
            self._slept += passed
            self._slept_in_all += passed
        computed, stall = cpu - self._mark_cpu, self._budget.stall_s
        if computed + self._slept > stall or now - self._mark_wall > WALL_FACTOR * stall:
            what = "computed" if computed > self._slept else "waited"
            return f"gave no answer for {stall:g} s ({what} all the time)"
        if cpu - self._begin_cpu + self._slept_in_all > self._budget.cpu_s:
            return f"took too long; allowed are {self._budget.told}"
        return ""

    def _is_busy(self) -> bool:
        """Whether the process does something, or would if the machine let it."""
        try:
            with open(f"/proc/{self._pid}/stat", "rb") as file:
                return file.read().rpartition(b")")[2].split()[0].decode() in BUSY
        except (OSError, IndexError):
            return False


def cpu_seconds(pid: int) -> float:
    """Computing time of a process so far; 0 where it is not known."""
    if not pid or sys.platform != "linux":
        return 0.0
    try:
        # clock_getcpuclockid(3): the clock of a process is made of its number
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0.0


def peak_memory_mib(pid: int) -> float:
    """Most memory that a process has had so far, MiB; 0 where it is not known."""
    try:
        with open(f"/proc/{pid}/status", "rb") as file:
            found = re.search(rb"VmHWM:\s*(\d+) kB", file.read())
    except OSError:
        return 0.0
    return int(found[1]) / 1024 if found else 0.0


def question_at(progress: int) -> int:
    """The number that the process has written last, whatever it is; 0 where there is none."""
    try:
        written = os.pread(progress, 8, 0)
    except OSError:
        return 0
    return int.from_bytes(written, "little", signed=True) if len(written) == 8 else 0

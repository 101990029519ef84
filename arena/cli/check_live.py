"""What `arena check` shows while a step is under way, on standard error."""

from __future__ import annotations

import math
import sys
import time
from threading import Event, Thread
from types import TracebackType
from typing import Final

from arena.bots.check_findings import StepName

QUIET_S: Final = 1.0
"""Seconds after which a step is worth a line where nobody watches."""

TICK_S: Final = 0.25
CLEAR: Final = "\r\x1b[K"


class LiveStep:
    """Tells which step is under way, how long already, and how long it may still take.

    On a terminal a line that changes; elsewhere one line for each step that takes long. To be used
    in a `with` statement.
    """

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._ticker: Thread | None = None
        self._over = Event()

    def __enter__(self) -> LiveStep:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.end()

    def begin(self, step: StepName, most_s: float) -> None:
        """A step begins.

        Args:
            step: which one.
            most_s: seconds that it may take at the most; infinite where nothing ends it.
        """
        self.end()
        self._over = Event()
        self._ticker = Thread(target=self._tell, args=(step, most_s, self._over), daemon=True)
        self._ticker.start()

    def end(self) -> None:
        """The step is over; takes its line away."""
        if self._ticker is not None:
            self._over.set()
            self._ticker.join()
            self._ticker = None

    def _tell(self, step: StepName, most_s: float, over: Event) -> None:
        began = time.monotonic()
        shown = False
        while not over.wait(TICK_S if self._terminal else QUIET_S):
            spent = time.monotonic() - began
            if self._terminal:
                sys.stderr.write(f"{CLEAR}  ...   {step_text(step, spent, most_s)}")
            elif not shown:
                sys.stderr.write(f"  ...   {step_text(step, 0, most_s)}\n")
            sys.stderr.flush()
            shown = True
        if shown and self._terminal:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()


def step_text(step: StepName, spent_s: float, most_s: float) -> str:
    """The running step, the seconds it has taken, and those that it may still take."""
    if math.isinf(most_s):
        left = "no limit in this process; stop it with Ctrl-C"
    elif most_s > spent_s:
        left = f"at most {math.ceil(most_s - spent_s)} s more"
    else:
        left = "any moment now"
    spent = f"{int(spent_s)} s, " if spent_s >= 1 else ""
    return f"{step:<20}  {spent}{left}"

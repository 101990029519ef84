"""`guard_process`: bots in a sandbox end with the process that asks them, however that ends.

Bubblewrap ends with its parent, but where it runs as the superuser it has given up the right to end
the bot, which runs as somebody else. So a small process of our own waits until this one is gone,
and then ends what is left.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from typing import Final

PROGRAM: Final = """
import os, signal, sys
watched = {}
for line in sys.stdin:
    number = int(line[1:])
    try:
        if line[0] == "+":
            watched[number] = os.pidfd_open(number)
        elif number in watched:
            os.close(watched.pop(number))
    except OSError:
        pass
for process in watched.values():
    try:
        signal.pidfd_send_signal(process, signal.SIGKILL)
    except OSError:
        pass
"""

_guardians: dict[int, subprocess.Popen[str]] = {}
"""The guardian of this process, by its number: a fork has to start one of its own."""


def guard_process(pid: int) -> None:
    """End a process as soon as this one is gone; where the system cannot, nothing happens."""
    if not hasattr(os, "pidfd_open"):
        return
    own = os.getpid()
    if own not in _guardians:
        with suppress(OSError):
            _guardians[own] = subprocess.Popen(
                [sys.executable, "-ISc", PROGRAM],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                text=True,
                start_new_session=True,  # Ctrl-C is not for it
            )
    _tell(f"+{pid}\n")


def forget_process(pid: int) -> None:
    """Let go of a process that has ended."""
    _tell(f"-{pid}\n")


def _tell(line: str) -> None:
    guardian = _guardians.get(os.getpid())
    if guardian is not None and guardian.stdin is not None:
        with suppress(OSError, ValueError):  # it was ended by somebody
            guardian.stdin.write(line)
            guardian.stdin.flush()

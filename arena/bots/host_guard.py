"""What a bot's process may not do, told to the bot the moment it tries.

The walls are elsewhere: the sandbox and the limits of the system. This hook is for honest authors,
who get a sentence instead of an odd error; whoever wants to can get around it (through ctypes, say)
and then meets the walls.
"""

from __future__ import annotations

import _thread
import os
import sys
from collections.abc import Callable, Iterable
from typing import Any, Final, NoReturn

PROGRAMS: Final = "a bot may not start other programs or processes"
SIGNALS: Final = "a bot may not send signals"
NETWORK: Final = "a bot may not use the network"
THREADS: Final = "a bot may not start threads; nothing may go on while it is not asked"
CHANGES: Final = "a bot may not change files"

_FORBIDDEN: Final = {
    "os.exec": PROGRAMS,
    "os.fork": PROGRAMS,
    "os.forkpty": PROGRAMS,
    "os.posix_spawn": PROGRAMS,
    "os.spawn": PROGRAMS,
    "os.system": PROGRAMS,
    "pty.spawn": PROGRAMS,
    "subprocess.Popen": PROGRAMS,
    "os.kill": SIGNALS,
    "os.killpg": SIGNALS,
    "signal.pthread_kill": SIGNALS,
    "_thread.start_new_thread": THREADS,
    "_thread.start_joinable_thread": THREADS,
    "os.chmod": CHANGES,
    "os.chown": CHANGES,
    "os.link": CHANGES,
    "os.mkdir": CHANGES,
    "os.remove": CHANGES,
    "os.rename": CHANGES,
    "os.rmdir": CHANGES,
    "os.symlink": CHANGES,
    "os.truncate": CHANGES,
}
_HARMLESS: Final = "object.__setattr__"
"""Happens with every turn that is made, so that it is looked for first."""

_LOOKS: Final = ("os.listdir", "os.scandir", "os.chdir")
_WRITES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_DEVICES: Final = ("/dev/null", "/dev/urandom", "/dev/random")


def guard(
    readable: Iterable[str], listed: Iterable[str] = (), writable: Iterable[str] = ()
) -> None:
    """Forbid this process what a bot may not do; cannot be taken back.

    Args:
        readable: files, and folders with all that is in them, that may be read.
        listed: further folders whose names may be listed.
        writable: folders in which files may be written.
    """
    _no_threads()
    sys.addaudithook(_hook(_prefixes(readable), _prefixes(listed), _prefixes(writable)))


def _no_threads() -> None:
    """Refuse threads where the system does not: its limit does not bind the superuser."""

    def refuse(*_: object, **__: object) -> NoReturn:
        raise RuntimeError(THREADS)

    for module in (_thread, sys.modules.get("threading")):
        for name in ("start_new_thread", "start_joinable_thread"):
            for known in (name, f"_{name}"):
                if hasattr(module, known):
                    setattr(module, known, refuse)


def _prefixes(places: Iterable[str]) -> tuple[str, ...]:
    both = [way(place) for place in places for way in (os.path.abspath, os.path.realpath)]
    return tuple(dict.fromkeys(both))


def _hook(
    readable: tuple[str, ...], listed: tuple[str, ...], writable: tuple[str, ...]
) -> Callable[[str, tuple[Any, ...]], None]:
    abspath, fsdecode = os.path.abspath, os.fsdecode  # a bot may change `os`

    def inside(path: str, places: tuple[str, ...]) -> bool:
        return any(path == place or path.startswith(place + "/") for place in places)

    def place_of(path: object) -> str | None:
        """Absolute path; None for what is open already."""
        return abspath(fsdecode(path)) if isinstance(path, (str, bytes)) else None

    def opened(path: object, mode: object, flags: object) -> None:
        place = place_of(path)
        if place is None or place in _DEVICES or inside(place, writable):
            return
        if isinstance(mode, str) and set(mode) & set("wax+"):
            raise PermissionError(f"{CHANGES}: {place}")
        if mode is None and isinstance(flags, int) and flags & _WRITES:
            raise PermissionError(f"{CHANGES}: {place}")
        if not inside(place, readable):
            raise PermissionError(f"a bot may not read files: {place}")

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event == _HARMLESS:
            return
        if event == "open":
            opened(*args[:3])
        elif event in _LOOKS:
            place = place_of(args[0]) if args and args[0] is not None else abspath(".")
            allowed = place is None or place in listed or inside(place, readable + writable)
            if not allowed:
                raise PermissionError(f"a bot may not look into folders: {place}")
        elif event.startswith("socket."):
            raise PermissionError(NETWORK)
        elif event in _FORBIDDEN:
            place = place_of(args[0]) if args else None
            if _FORBIDDEN[event] != CHANGES or place is None or not inside(place, writable):
                raise PermissionError(_FORBIDDEN[event])

    return hook

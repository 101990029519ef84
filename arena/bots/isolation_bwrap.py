"""The command line of bubblewrap under which a bot sees the interpreter and its own file alone.

A filter of system calls is not bubblewrap's here: the bot's process takes it on itself, before the
bot is there, see `host_filter`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from arena.bots.isolation_places import (
    NOBODY,
    ROOT_LIBRARIES,
    SYSTEM_LIBRARIES,
    interpreter,
    library_folders,
    package_folder,
)

TMP_BYTES: Final = 4 << 20
"""Size of the private /tmp."""

INSTALL: Final = "install bubblewrap (Debian and Ubuntu: apt-get install bubblewrap)"
ALLOW: Final = "let the system allow user namespaces, which bubblewrap needs"

PROBE_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """Whether bots can be shut away.

    Attributes:
        words: the command line up to the files of the bot; empty if they cannot.
        user: user id that the process has to change to itself; -1 for none.
        missing: what is missing, as half a sentence; empty if nothing is.
        remedy: what to do about it.
    """

    words: tuple[str, ...] = ()
    user: int = -1
    missing: str = ""
    remedy: str = ""


@lru_cache(maxsize=1)
def find_sandbox() -> Sandbox:
    """Find out whether bubblewrap is there and works, by using it; once per process."""
    program = shutil.which("bwrap")
    if program is None:
        return Sandbox(missing="bubblewrap is not installed", remedy=INSTALL)
    known = _run([program, "--help"])[1]
    is_root = os.geteuid() == 0
    said = ""
    for user in (NOBODY, -1) if is_root else (-1,):
        words = _words(program, known, user)
        works, said = _run(_probe(words, user))
        if works:
            return Sandbox(words=tuple(words), user=user)
    return Sandbox(
        missing=f"bubblewrap does not work here ({said or 'it says nothing'})", remedy=ALLOW
    )


def _run(command: Sequence[str]) -> tuple[bool, str]:
    """Whether a command went well, and what it said."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PROBE_SECONDS,
            check=False,
            text=True,
            errors="replace",
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return False, str(error)
    said = (done.stderr or done.stdout).strip()
    return done.returncode == 0, said if "--help" in command else said.rpartition("\n")[2][:400]


def _words(program: str, known: str, user: int) -> list[str]:
    """The command line; `known` are the options of this version, as its help lists them."""
    words = [program, "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    words += ["--unshare-cgroup-try", "--die-with-parent", "--new-session", "--as-pid-1"]
    words += ["--hostname", "bot", "--clearenv"]
    if user < 0:
        words += ["--unshare-user"]
        words += ["--disable-userns"] if "--disable-userns" in known else []
    else:  # only root can; the process becomes `user` by itself, which needs these two
        words += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    words += ["--size", str(TMP_BYTES)] if "--size" in known else []
    words += ["--perms", "1777", "--tmpfs", "/tmp"]
    seen: set[str] = set()
    for place in ("/usr/lib", "/etc/ld.so.cache", "/dev/null"):
        words += _parents(place, seen)
    words += [*_system_libraries(), "--dev-bind", "/dev/null", "/dev/null"]
    words += ["--dev-bind", "/dev/urandom", "/dev/urandom"]
    for place in _outermost([interpreter(), *library_folders(), package_folder()]):
        words += [*_parents(place, seen), "--ro-bind", place, place]
    shipped = os.path.join(package_folder(), "_shipped")
    words += ["--tmpfs", shipped] if os.path.isdir(shipped) else []  # the sources of other bots
    return words


def _system_libraries() -> list[str]:
    words = []
    for place in SYSTEM_LIBRARIES:
        if os.path.isdir(place):
            words += ["--ro-bind", place, place]
    for place in ROOT_LIBRARIES:
        if os.path.islink(place):
            words += ["--symlink", os.readlink(place), place]
        elif os.path.isdir(place):
            words += ["--ro-bind", place, place]
    return [*words, "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"]


def _outermost(places: Iterable[str]) -> list[str]:
    """These places without those that lie in another one of them, or in the system's."""
    wanted = dict.fromkeys(places)
    around = {*wanted, *SYSTEM_LIBRARIES}
    return [each for each in wanted if around.isdisjoint(map(str, Path(each).parents))]


def _parents(place: str, seen: set[str]) -> list[str]:
    """Make the folders around a place, so that any user may pass through them."""
    words = []
    for parent in [str(each) for each in reversed(Path(place).parents)][1:]:
        if parent not in seen and parent not in SYSTEM_LIBRARIES and parent != "/tmp":
            seen.add(parent)
            words += ["--perms", "0755", "--dir", parent]
    return words


def _probe(words: Sequence[str], user: int) -> list[str]:
    code = "import os, resource\n"
    if user >= 0:
        code += f"os.setgroups([])\nos.setgid({user})\nos.setuid({user})\n"
    places = ["/usr/lib", package_folder(), library_folders()[-1]]
    code += f"for place in {places!r}: os.listdir(place)\n"
    return [*words, "--remount-ro", "/", "--", interpreter(), "-ISBc", code]


def with_files(
    words: Iterable[str], files: Iterable[tuple[int, str]], shared: Iterable[str], folder: str
) -> list[str]:
    """The command line with the files of a bot, up to the program that is run in it.

    Args:
        words: `Sandbox.words`.
        files: open file descriptors with their content, and where the content is to be seen.
        shared: folders that may be read, too.
        folder: working folder; made, and empty but for the files.
    """
    command = list(words)
    seen: set[str] = set()
    for place in shared:
        command += [*_parents(place, seen), "--ro-bind", place, place]
    for descriptor, place in files:
        command += _parents(place, seen)
        command += ["--perms", "0444", "--ro-bind-data", str(descriptor), place]
    command += [*_parents(os.path.join(folder, "x"), seen), "--chdir", folder]
    return [*command, "--remount-ro", "/", "--"]

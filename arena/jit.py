"""The one place that holds numba's options; imported only by rooms that compile."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS: Final = {"nogil": True, "error_model": "numpy"}
_njit: Any = numba.njit  # the types of numba do not know its option _nrt
_config: Any = numba.config  # nor its settings


def compiled(function: F) -> F:
    """The function, compiled when it is first called, its machine code cached on disk.

    The cache lies beside the source or, where that cannot be written, in the user's cache folder,
    or else in one of the user's own under the temporary folder; where none can be written the
    function is compiled anew in each process. With
    NUMBA_DISABLE_JIT=1 in the environment the function stays plain Python.
    """
    return _compile(function, _OPTIONS)


def compiled_uncounted(function: F) -> F:
    """Like `compiled`, for inner loops: references to arrays are not counted.

    Counting costs a locked instruction for each array at each use of a named tuple or a helper,
    a third of the time of a game. Such a function must not make or return arrays; the caller holds
    all that it uses.
    """
    return _compile(function, _OPTIONS | {"_nrt": False})


def inlined(function: F) -> F:
    """A helper of uncounted functions that is written into its caller."""
    return cast(F, _njit(inline="always", _nrt=False, **_OPTIONS)(function))


@cache
def _find_cache() -> None:
    """Give numba a folder of this user's under the temporary one, where nothing else will do."""
    if _config.CACHE_DIR or os.access(Path(__file__).parent, os.W_OK):
        return
    try:
        (Path.home() / ".cache" / "numba").mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # no home, or one that cannot be written
        folder = Path(tempfile.gettempdir()) / f"arena-numba-{os.getuid()}"
        with suppress(OSError):
            folder.mkdir(mode=0o700, exist_ok=True)
            found = folder.lstat()
            # What lies there is run: it must be this user's and nobody else's.
            own = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
            if own and not found.st_mode & 0o077:
                _config.CACHE_DIR = str(folder)


def _compile(function: F, options: dict[str, Any]) -> F:
    _find_cache()
    try:
        return cast(F, _njit(cache=True, **options)(function))
    except RuntimeError:  # numba found no folder that it may write its cache to
        return cast(F, _njit(**options)(function))

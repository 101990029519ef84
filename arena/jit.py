"""The one place that holds numba's options; imported only by rooms that compile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """The function, compiled when it is first called, its machine code cached on disk.

    The cache lies beside the source or, where that cannot be written, in the user's cache folder;
    where neither can be written the function is compiled anew in each process. With
    NUMBA_DISABLE_JIT=1 in the environment the function stays plain Python.
    """
    options = {"nogil": True, "error_model": "numpy"}
    try:
        return cast(F, numba.njit(cache=True, **options)(function))
    except RuntimeError:  # numba found no folder that it may write its cache to
        return cast(F, numba.njit(**options)(function))

"""Solved rulesets on disk, in the user's cache folder.

A file is named by the key of the ruleset, which is equal exactly for rulesets that play alike, and
by `SOLVER_VERSION`, which changes whenever other values would be found.
"""

from __future__ import annotations

import os
import struct
import tempfile
import time
import zipfile
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arena.errors import StoreError
from arena.rules import Ruleset
from arena.rules.places import cache_folder
from arena.solver.policy import Policy
from arena.solver.sheets import make_sheets

SOLVER_VERSION: Final = 2

SAVE_SECONDS: Final = 20.0
"""An unfinished solve is written so often."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stored:
    """A solved ruleset as it lies on disk.

    Attributes:
        values: float64[R, 2 or 1, I, I], see `perfect.PerfectPlay`.
        closing: float64[2, flat + 1], value of the last turn by whether the player is closed and
            by the units it needs to equal the leader; [[0], [0]] where there is no last turn.
        residual: largest difference between the two sides of the equations.
    """

    values: Matrix
    closing: Matrix
    residual: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StoredPart:
    """An unfinished solve as it lies on disk; fields as in `perfect.Unfinished`."""

    values: Matrix
    done: int
    sweep: int
    residual: float


def solved_folder() -> Path:
    """Where solved rulesets lie; see `arena.rules.places.cache_folder`."""
    return cache_folder() / "solved"


def solved_file(rules: Ruleset) -> Path:
    """File of a ruleset, whether it exists or not."""
    return solved_folder() / f"{rules.key}-{SOLVER_VERSION}.npz"


def _part_file(rules: Ruleset) -> Path:
    return solved_folder() / f"{rules.key}-{SOLVER_VERSION}.part.npz"


def load_solved(rules: Ruleset) -> Stored | None:
    """A solved ruleset; None if it was not solved yet or its file is damaged."""
    fields = _read(solved_file(rules))
    try:
        stored = None if fields is None else Stored(**fields)
    except TypeError:  # other fields than these
        return None
    return stored if stored is not None and _fits(rules, stored.values) else None


def load_part(rules: Ruleset) -> StoredPart | None:
    """What an interrupted solve had reached, if anything."""
    fields = _read(_part_file(rules))
    try:
        part = None if fields is None else StoredPart(**fields)
    except TypeError:  # other fields than these
        return None
    return part if part is not None and _fits(rules, part.values) else None


def _fits(rules: Ruleset, values: Matrix) -> bool:
    """Whether values can be those of a ruleset: one for each pair of sheets."""
    count = len(make_sheets(rules))
    return values.shape[-2:] == (count, count) and bool(np.isfinite(values).all())


def save_solved(rules: Ruleset, stored: Stored) -> Path:
    """Write a solved ruleset and drop what was kept of its way."""
    path = solved_file(rules)
    _write(path, values=stored.values, closing=stored.closing, residual=stored.residual)
    _part_file(rules).unlink(missing_ok=True)
    return path


def load_policy(rules: Ruleset) -> Policy | None:
    """The written policy of a ruleset; None if there is none."""
    fields = _read(_policy_file(rules))
    try:
        return None if fields is None else Policy(**fields)
    except TypeError:  # other fields than these
        return None


def has_policy(rules: Ruleset) -> bool:
    """Whether there is one, without reading it."""
    return _policy_file(rules).is_file()


def save_policy(rules: Ruleset, policy: Policy) -> None:
    """Write the policy of a ruleset."""
    _write(
        _policy_file(rules),
        column=policy.column,
        index=policy.index,
        first=policy.first,
        points=policy.points,
        codes=policy.codes,
    )


def _policy_file(rules: Ruleset) -> Path:
    return solved_folder() / f"{rules.key}-{SOLVER_VERSION}.policy.npz"


class PartWriter:
    """Writes an unfinished solve from time to time, and when it is told to."""

    def __init__(self, rules: Ruleset, *, every_s: float = SAVE_SECONDS) -> None:
        self._path = _part_file(rules)
        self._every_s = every_s
        self._last = time.monotonic()
        self._latest: Any = None

    def __call__(self, part: Any) -> None:
        """Write it if it is time; `part` has the fields of `StoredPart`."""
        self._latest = part
        if time.monotonic() - self._last >= self._every_s:
            self.write()

    def write(self) -> None:
        """Write the latest part now, if there is one and the disk takes it."""
        self._last = time.monotonic()
        part = self._latest
        if part is None:
            return
        with suppress(StoreError):  # costs time only if the solve is interrupted
            _write(
                self._path,
                values=part.values,
                done=part.done,
                sweep=part.sweep,
                residual=part.residual,
            )


def load_turns(rules: Ruleset) -> float | None:
    """The fewest expected turns to the target, if they were computed."""
    fields = _read(_turns_file(rules))
    turns = None if fields is None else fields.get("turns")
    return float(turns) if isinstance(turns, float) else None


def save_turns(rules: Ruleset, turns: float) -> None:
    """Write the fewest expected turns to the target."""
    _write(_turns_file(rules), turns=turns)


def _turns_file(rules: Ruleset) -> Path:
    return solved_folder() / f"{rules.key}-{SOLVER_VERSION}.turns.npz"


def _read(path: Path) -> dict[str, Any] | None:
    try:
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            found = {name: file[name] for name in file.files}
    except (OSError, ValueError, EOFError, KeyError, MemoryError, *_DAMAGES):
        return None  # not there, or damaged: as if never solved
    return {name: value if value.ndim else value.item() for name, value in found.items()}


_DAMAGES: Final = (
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
    OverflowError,
    struct.error,
    zlib.error,
    SyntaxError,
    TypeError,
)
"""What zip files and headers of arrays can raise when bytes of them are wrong."""


def _write(path: Path, **fields: Any) -> None:
    """Write a file so that nobody ever sees half of it.

    Raises:
        StoreError: the disk does not take it.
    """
    name = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
        with os.fdopen(handle, "wb") as file:
            np.savez(file, **fields)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException as error:
        if name:
            Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise StoreError(
                f"{path}: cannot be kept ({error.strerror or error}); make room there, or name "
                "another folder in XDG_CACHE_HOME"
            ) from error
        raise

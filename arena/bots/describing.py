"""What bot files contain, found out where they can do no harm, and remembered on disk."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from arena.bots.bot import ParameterValue
from arena.bots.discovery import NAME, BotDescription, FileDescription
from arena.bots.discovery_source import BotSource, source_of
from arena.bots.host_frames import BadFrame, Kind, from_json, to_json
from arena.bots.isolation import Isolation
from arena.bots.isolation_process import HostLost, HostProcess
from arena.bots.isolation_text import clean, clean_line
from arena.bots.isolation_watch import Budget
from arena.game import MAX_SEATS, MIN_SEATS
from arena.rules.places import cache_folder

MEANING: Final = 4
"""Raised whenever a description of the same file would say something else."""

MAX_TEXT: Final = 4_000
MAX_ITEMS: Final = 200


def describe_apart(path: Path, isolation: Isolation) -> FileDescription:
    """Say what a bot file contains; the file is imported by a process of its own.

    What is known about an unchanged file is not found out again.

    Raises:
        RunError: no process can be started.
    """
    try:
        source = source_of(path)
    except OSError as error:
        problem = f"cannot be read: {error.strerror}"
        return FileDescription(path=clean_line(str(path), MAX_TEXT), problems=(problem,))
    memory = _memory_of(path, source)
    known = _remembered(memory, path, source)
    if known is not None:
        return known
    found = replace(_asked(path, source, isolation), source_hash=source.hash)
    if not found.problems:
        _remember(memory, found)
    return found


def describe_all(paths: Iterable[Path], isolation: Isolation) -> dict[Path, FileDescription]:
    """What many files contain; some are looked at at the same time."""
    files = list(paths)
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as threads:
        found = threads.map(lambda path: describe_apart(path, isolation), files)
        return dict(zip(files, found, strict=True))


def _asked(path: Path, source: BotSource, isolation: Isolation) -> FileDescription:
    process = HostProcess(path, source, isolation)
    try:
        budget = Budget.of_load(isolation.limits)
        kind, answer = process.ask(Kind.DESCRIBE, to_json(str(path)), budget, most=0)
        if kind is not Kind.DONE:
            raise BadFrame("that it failed")
        found = read_description(from_json(answer), path)
        return found if found.output else replace(found, output=process.output())
    except HostLost as lost:
        return FileDescription(
            path=str(path),
            problems=(f"cannot be imported: it {lost.message}",),
            traceback=lost.traceback,
            output=lost.output,
        )
    except BadFrame as bad:
        problem = f"cannot be looked into: its process answered {bad}"
        return FileDescription(path=str(path), problems=(problem,), output=process.output())
    finally:
        process.close()


def read_description(told: Any, path: Path) -> FileDescription:
    """A description as it was told by the file's own process.

    Raises:
        BadFrame: it is none.
    """
    try:
        return FileDescription(
            path=str(path),
            bots=tuple(_read_bot(bot) for bot in told["bots"][:MAX_ITEMS]),
            problems=tuple(clean(text, MAX_TEXT) for text in told["problems"][:MAX_ITEMS]),
            traceback=clean(told["traceback"], MAX_TEXT),
            output=clean(told["output"], MAX_TEXT),
            source_hash=clean(told.get("source_hash", ""), 16),
            imported=told.get("imported") is True,
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadFrame("something else than a description") from error


def _read_bot(told: Any) -> BotDescription:
    class_name, name, doc = told["class_name"], told["name"], told["doc"]
    if not (isinstance(class_name, str) and class_name.isidentifier() and len(class_name) < 200):
        raise ValueError(class_name)
    if not (isinstance(name, str) and NAME.fullmatch(name) and len(name) < 200):
        raise ValueError(name)
    return BotDescription(
        class_name=class_name,
        name=name,
        parameters=tuple(_read_parameter(*pair) for pair in told["parameters"][:MAX_ITEMS]),
        remembers=told["remembers"] is True,
        by_name_only=told["by_name_only"] is True,
        seats=tuple(_read_seats(each) for each in told["seats"][:MAX_ITEMS]),
        solved_only=told["solved_only"] is True,
        doc=clean(doc, MAX_TEXT),
    )


def _read_seats(value: Any) -> int:
    if type(value) is not int or not MIN_SEATS <= value <= MAX_SEATS:
        raise ValueError(value)
    return value


def _read_parameter(name: Any, value: Any) -> tuple[str, ParameterValue]:
    if not isinstance(name, str) or not re.fullmatch(r"\w{1,200}", name):
        raise ValueError(name)
    if type(value) not in (int, float, bool, str) or len(str(value)) > MAX_TEXT:
        raise ValueError(value)
    return name, clean(value, MAX_TEXT) if isinstance(value, str) else value


def _memory_of(path: Path, source: BotSource) -> Path:
    what = [MEANING, sys.version, os.path.abspath(path), source.hash]
    name = hashlib.sha256("\x00".join(map(str, what)).encode()).hexdigest()[:32]
    return cache_folder() / "bots" / f"{name}.json"


def _remembered(memory: Path, path: Path, source: BotSource) -> FileDescription | None:
    try:
        found = read_description(json.loads(memory.read_bytes()), path)
    except (OSError, ValueError, BadFrame):  # not there, or spoilt: it is found out again
        return None
    return found if found.source_hash == source.hash else None


def _remember(memory: Path, found: FileDescription) -> None:
    with suppress(OSError):  # a memory that cannot be written costs time, nothing else
        memory.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=memory.parent, delete=False) as file:
            json.dump(asdict(found), file)
        os.replace(file.name, memory)

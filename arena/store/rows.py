"""Records as JSON texts and back; arrays of numbers are lists of whole numbers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from arena.bots.spec import BotSpec
from arena.records import Fault, FaultKind, Match, MatchStats, Trial
from arena.rules import BustPenalty, Combination, Ruleset
from arena.store.records import Course, RunInfo


def to_json(record: Match | BotSpec | Ruleset | Fault | Trial | RunInfo) -> str:
    """One line of JSON with all fields of the record."""
    return json.dumps(asdict(record), separators=(",", ":"))


def stats_to_json(stats: MatchStats) -> str:
    """One line of JSON with all counts."""
    values = {each.name: getattr(stats, each.name) for each in fields(stats)}
    lists = {name: v if isinstance(v, int) else v.tolist() for name, v in values.items()}
    return json.dumps(lists, separators=(",", ":"))


def stats_from(text: str) -> MatchStats:
    """The inverse of `stats_to_json`."""
    values = json.loads(text)
    blocks = values.pop("blocks")
    return MatchStats(blocks=blocks, **{k: np.array(v, np.int64) for k, v in values.items()})


def match_from(text: str) -> Match:
    """The inverse of `to_json`."""
    values = json.loads(text)
    return Match(**values | {"bots": tuple(values["bots"]), "bot_keys": tuple(values["bot_keys"])})


def spec_from(text: str) -> BotSpec:
    """The inverse of `to_json`."""
    values = json.loads(text)
    seats = tuple(values.get("seats", ()))  # older files do not have it
    return BotSpec(**values | {"parameters": _pairs(values["parameters"]), "seats": seats})


def ruleset_from(text: str) -> Ruleset:
    """The inverse of `to_json`."""
    values = json.loads(text)
    lists = {k: tuple(v) for k, v in values.items() if isinstance(v, list)}
    return Ruleset(
        **values
        | lists
        | {
            "combinations": tuple(Combination(**each) for each in values["combinations"]),
            "bust_penalty": BustPenalty(**values["bust_penalty"]),
        }
    )


def fault_from(text: str) -> Fault:
    """The inverse of `to_json`."""
    return _fault(json.loads(text))


def trial_from(text: str) -> Trial:
    """The inverse of `to_json`."""
    values = json.loads(text)
    return Trial(**values | {"faults": tuple(map(_fault, values["faults"]))})


def run_from(text: str) -> RunInfo:
    """The inverse of `to_json`."""
    values = json.loads(text)
    return RunInfo(**values | {"settings": _pairs(values["settings"])})


def courses_to_json(courses: Sequence[Course]) -> str:
    """One line of JSON with all courses."""
    return json.dumps([asdict(course) for course in courses], separators=(",", ":"))


def courses_from(text: str) -> tuple[Course, ...]:
    """The inverse of `courses_to_json`."""
    return tuple(
        Course(title=each["title"], lines=tuple(each["lines"])) for each in json.loads(text)
    )


def _fault(values: dict[str, Any]) -> Fault:
    return Fault(**values | {"kind": FaultKind(values["kind"])})


def _pairs(lists: list[list[Any]]) -> tuple[tuple[Any, Any], ...]:
    return tuple((key, value) for key, value in lists)

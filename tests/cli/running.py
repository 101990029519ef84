"""Running `arena` in tests: in this process where that suffices, else as a user starts it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main as main_module

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a command printed and its exit code."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """Standard output, which must be one JSON document and nothing else."""
        return json.loads(self.out)


class Arena:
    """Runs commands in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *arguments: object) -> Ran:
        """Run `arena` with these arguments."""
        self._monkeypatch.setattr("sys.argv", ["arena", *map(str, arguments)])
        self._capsys.readouterr()
        code = 0
        try:
            main_module.main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        shown = self._capsys.readouterr()
        return Ran(code=code, out=shown.out, err=shown.err)


def start(folder: Path, *arguments: object) -> subprocess.Popen[str]:
    """Start `arena` as a process of its own, in a session of its own."""
    program = "from arena.cli.main import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )


def processes_of(session: int) -> list[int]:
    """Ids of living processes of a session (Linux)."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:  # it has ended meanwhile
                continue
            state, _, _, its_session = stat.rpartition(")")[2].split()[:4]
            if int(its_session) == session and state != "Z":
                found.append(int(entry.name))
    return found

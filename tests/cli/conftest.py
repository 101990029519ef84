"""What all tests of commands share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Arena


@pytest.fixture
def arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Arena:
    """Commands run in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Arena(monkeypatch, capsys)

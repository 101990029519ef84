"""What a bot's process may use: read from a file, from the command line, and told."""

from __future__ import annotations

from dataclasses import fields

import pytest

from arena.bots.isolation_limits import RANGES, Limits, limit_change, read_limits, with_changes
from arena.errors import Mistake, UsageError
from arena.rules.toml_table import TomlTable
from tests.cli.running import ROOT


def _read(**values: object) -> tuple[Limits, list[Mistake]]:
    mistakes: list[Mistake] = []
    return read_limits(TomlTable({"limits": values}, "", "cup.toml", mistakes)), mistakes


def test_every_limit_can_be_set_to_both_ends_of_its_range() -> None:
    for name, ends in RANGES.items():
        for end in ends:
            limits, mistakes = _read(**{name: end})
            assert not mistakes
            assert getattr(limits, name) == end
            assert limit_change(f"{name}={end}") == (name, end)


def test_usual_limits_lie_within_their_ranges_and_are_not_told() -> None:
    usual = Limits()
    assert all(low <= getattr(usual, name) <= high for name, (low, high) in RANGES.items())
    assert str(usual) == ""
    assert {each.name for each in fields(Limits)} - set(RANGES) == {"files", "file_mib"}


def test_other_limits_are_told() -> None:
    limits, _ = _read(memory_mib=512, stall_s=2.5)
    assert str(limits) == "memory_mib = 512, stall_s = 2.5"


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("memory_mib", 1, "a whole number from 64 to 1,048,576"),
        ("memory_mib", 512.5, "a whole number"),
        ("max_losses", True, "a whole number"),
        ("stall_s", "5", "a number from 0.05 to 3,600"),
        ("stall_s", float("nan"), "a number"),
        ("memory", 512, "did you mean memory_mib?"),
    ],
)
def test_mistakes_in_a_file(key: str, value: object, said: str) -> None:
    limits, [mistake] = _read(**{key: value})
    assert limits == Limits()
    assert f"limits.{key}" in str(mistake)
    assert said in str(mistake)


@pytest.mark.parametrize(
    "text", ["memory_mib", "memory_mib=", "memory_mib=x", "memory_mib=1e3", "mem=5", "stall_s=nan"]
)
def test_mistakes_on_the_command_line(text: str) -> None:
    with pytest.raises(UsageError, match=r"--limit .*(allowed|write name=value)"):
        limit_change(text)


def test_the_command_line_comes_before_the_file() -> None:
    limits, _ = _read(memory_mib=512, stall_s=2)
    changed = with_changes(limits, [limit_change("stall_s=5")])
    assert (changed.memory_mib, changed.stall_s) == (512, 5)


def test_the_template_names_all_limits_with_their_usual_values() -> None:
    lines = (ROOT / "configs" / "league.toml").read_text().splitlines()
    told = [line.removeprefix("# ").split("#")[0].strip() for line in lines]
    usual = Limits()
    for name in RANGES:
        assert f"{name} = {getattr(usual, name):g}" in told

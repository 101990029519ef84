"""The short version of tests/stats/calibration.py: a fixed seed, a few seconds.

The bands are 95 % +- 4 binomial errors, doubled because the cases of one tournament hang together.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from .calibration import (
    Line,
    Tally,
    rulesets,
    seated,
    sequential_tests,
    stopped,
    table,
    tournaments,
)


def assert_near_nominal(tally: Tally) -> None:
    for line in tally.lines("95 %"):
        slack = 8.0 * math.sqrt(0.95 * 0.05 / line.cases)
        assert line.share >= 0.95 - slack, line


def test_two_seats() -> None:
    tally = tournaments(40, np.random.default_rng(1))
    assert_near_nominal(tally)
    for line in tally.lines("95 %"):
        if line.name in ("match: score", "standings: Elo", "standings: differences"):
            assert 0.92 <= line.share <= 0.98, line


def test_more_seats() -> None:
    assert_near_nominal(seated(12, np.random.default_rng(2)))


def test_over_rulesets() -> None:
    assert_near_nominal(rulesets(15, np.random.default_rng(3)))


def test_sequential() -> None:
    wrong, after, median = sequential_tests(40, np.random.default_rng(4))
    assert_near_nominal(after)
    for line in wrong.lines("5 %"):
        assert line.share <= 0.05 + 4.0 * math.sqrt(0.05 * 0.95 / line.cases), line
    for line in median.lines("50 %"):
        assert 0.2 < line.share < 0.8


def test_stopping_by_itself() -> None:
    widths, claims = stopped(14, np.random.default_rng(5))
    assert_near_nominal(widths)
    assert all(line.share >= 0.85 for line in claims.lines("95 %"))


def test_the_table_is_markdown() -> None:
    text = table([Line(name="x", promised="95 %", cases=1000, share=0.951)])
    assert text.splitlines()[-1] == "| x | 95 % | 1,000 | 95.1% |"
    with pytest.raises(StopIteration):
        next(Tally().lines("95 %"))

"""Tails and quantiles against scipy.stats, and what importing the statistics costs."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from scipy import stats

from arena.stats import tails


def test_normal() -> None:
    z = np.array([-38.0, -3.0, 0.0, 1.5])
    assert np.allclose(tails.normal_below(z), stats.norm.cdf(z), rtol=1e-13, atol=0.0)
    for tail in (1e-12, 0.025, 0.5):
        assert tails.normal_upper(tail) == pytest.approx(stats.norm.isf(tail), rel=1e-12)


def test_student_and_its_limit() -> None:
    freedom = np.array([[1.0], [3.5], [200.0]])
    tail = np.array([1e-300, 1e-9, 0.025, 0.4])
    expected = stats.t.isf(tail, freedom)
    assert np.allclose(tails.student_upper(tail, freedom), expected, rtol=1e-9, atol=0.0)
    limit = tails.student_upper(0.025, np.array([np.inf, 10.0]))
    assert limit[0] == pytest.approx(stats.norm.isf(0.025), rel=1e-12)
    assert limit[1] == pytest.approx(stats.t.isf(0.025, 10), rel=1e-12)


def test_chi_square() -> None:
    assert tails.chi_square_above(30.0, 7) == pytest.approx(stats.chi2.sf(30.0, 7), rel=1e-12)
    low, high = tails.chi_square_bounds(0.025, 7)
    assert low == pytest.approx(stats.chi2.ppf(0.025, 7), rel=1e-12)
    assert high == pytest.approx(stats.chi2.isf(0.025, 7), rel=1e-12)


def test_beta() -> None:
    for a, b in ((0.5, 0.5), (0.5, 5000.5), (300.0, 2.0)):
        low, high = tails.beta_bounds(0.025, a, b)
        assert low == pytest.approx(stats.beta.ppf(0.025, a, b), rel=1e-10)
        assert high == pytest.approx(stats.beta.isf(0.025, a, b), rel=1e-10)
        assert tails.beta_above(0.5, a, b) == pytest.approx(stats.beta.sf(0.5, a, b), rel=1e-10)


def test_statistics_are_imported_without_the_slow_half_of_scipy() -> None:
    code = "import sys, arena.stats; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    slow = ("scipy.stats", "scipy.optimize", "scipy.linalg", "scipy.sparse")
    assert "scipy.special" in loaded
    assert not loaded.intersection(slow)

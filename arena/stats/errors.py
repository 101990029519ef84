"""The one error of the statistics room."""

from __future__ import annotations


class StatsError(ValueError):
    """Input from which no honest number can be computed; the message says what and why."""

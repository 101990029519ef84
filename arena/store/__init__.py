"""The result file: an SQLite database beside the report."""

from arena.store.records import Course, RunInfo, StoredBot, StoredMatch, StoredRun
from arena.store.store import Store

__all__ = ["Course", "RunInfo", "Store", "StoredBot", "StoredMatch", "StoredRun"]

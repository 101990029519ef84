"""Tournaments: what is played, in which order, on how many processes."""

from arena.tournament.engines import default_engine
from arena.tournament.ledger import Ledger, MemoryLedger
from arena.tournament.progress import Progress
from arena.tournament.runner import run_matches
from arena.tournament.tasks import ChunkTask, EngineName, PlannedMatch
from arena.tournament.worker import play_chunk

__all__ = [
    "ChunkTask",
    "EngineName",
    "Ledger",
    "MemoryLedger",
    "PlannedMatch",
    "Progress",
    "default_engine",
    "play_chunk",
    "run_matches",
]

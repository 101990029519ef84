"""Tournaments: what is played, in which order, on how many processes."""

from arena.tournament.config import TournamentConfig, explained_keys, read_config
from arena.tournament.engines import default_engine
from arena.tournament.ledger import Ledger, MemoryLedger
from arena.tournament.logs import run_log
from arena.tournament.processes import Processes
from arena.tournament.progress import Progress
from arena.tournament.rounds import PrefixLedger, Round, Rounds
from arena.tournament.runner import run_matches, run_rounds
from arena.tournament.schedule import Tournament, schedule
from arena.tournament.tasks import ChunkTask, EngineName, PlannedMatch
from arena.tournament.worker import play_chunk

__all__ = [
    "ChunkTask",
    "EngineName",
    "Ledger",
    "MemoryLedger",
    "PlannedMatch",
    "PrefixLedger",
    "Processes",
    "Progress",
    "Round",
    "Rounds",
    "Tournament",
    "TournamentConfig",
    "default_engine",
    "explained_keys",
    "play_chunk",
    "read_config",
    "run_log",
    "run_matches",
    "run_rounds",
    "schedule",
]

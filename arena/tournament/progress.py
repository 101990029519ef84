"""How far a run is: a record that the command line draws."""

from __future__ import annotations

from dataclasses import dataclass

from arena.records import ChunkResult, MatchStats


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """A run at one moment.

    Attributes:
        games: finished, those of earlier runs included.
        games_new: finished by this run.
        games_total: wanted.
        seconds: since this run began.
        leader: bot with the highest mean score so far, over all matches; empty at the beginning.
        forfeits: games forfeited so far, those of earlier runs included.
        lost: ids of matches that were given up because their bots take the process down.
        told: what the matches of this moment are for; may be empty.
    """

    games: int
    games_new: int
    games_total: int
    seconds: float
    leader: str
    forfeits: int
    lost: tuple[str, ...] = ()
    told: str = ""


class Tally:
    """Sums up what is finished, for `Progress`."""

    def __init__(self) -> None:
        self.games = 0
        self.forfeits = 0
        self._scores: dict[str, tuple[float, int]] = {}  # bot -> score and games

    def add(self, bots: tuple[str, ...], stats: MatchStats) -> None:
        """Take in a part of a match."""
        self.games += stats.games
        self.forfeits += int(stats.forfeits.sum())
        for place, bot in enumerate(bots):
            score, games = self._scores.get(bot, (0.0, 0))
            gained = int(stats.block_sums[place]) / stats.unit
            self._scores[bot] = (score + gained, games + stats.games)

    def add_chunk(self, result: ChunkResult) -> None:
        """Take in a chunk of this run."""
        self.add(result.chunk.match.bots, result.stats)

    @property
    def leader(self) -> str:
        """Bot with the highest mean score."""
        means = {bot: score / games for bot, (score, games) in self._scores.items() if games}
        return max(means, key=lambda bot: means[bot], default="")

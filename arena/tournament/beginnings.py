"""How the bots of a match begin it, and who is withdrawn from it for that.

The rule looks at the blocks of one match in their order, at ends that are fixed beforehand, and at
nothing else; so it gives the same whoever plays the blocks, in whichever chunks and processes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

from arena.bots.isolation_limits import Limits

FIRST_ENDS: Final = (1, 2, 3, 4, 6, 8, 12)
STAGE_ENDS: Final = (16, 64, 256, 1024, 4096)
"""A bot that has not taken its process down up to one of these blocks is watched no longer; each
stage allows twice as many losses as the one before, in four times the games."""

FEW: Final = 5
"""One game in so many that is played to its end is too few for a bot that forfeits the others: more
are where games may end before it is asked."""

Withdrawn = Mapping[int, str]
"""Why, by place in the match."""

NOBODY: Final[Withdrawn] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A run of blocks with the bots that were withdrawn before it.

    Attributes:
        first: number of the first block.
        end: number of the block after the last one.
        withdrawn: the bots that forfeit all of it.
    """

    first: int
    end: int
    withdrawn: Withdrawn


class Beginning:
    """The beginning of one match, watched stretch by stretch until it is settled.

    Args:
        limits: `max_losses` and `max_faults` are looked at.
        rotations: games in a block.
        places: bots in the match.
        withdrawn: bots that do not take part at all.
        games: what is played, in a word or two.

    Attributes:
        stretches: those that were watched, in order and without gaps.
        withdrawn: the bots that are withdrawn from here on.
        settled: whether nobody can be withdrawn any more.
    """

    def __init__(
        self,
        limits: Limits,
        *,
        rotations: int,
        places: int,
        withdrawn: Withdrawn = NOBODY,
        games: str = "games",
    ) -> None:
        self.stretches: list[Stretch] = []
        self.withdrawn: dict[int, str] = dict(withdrawn)
        self.settled = len(withdrawn) == places
        self._told_games = games
        self._limits = limits
        self._rotations = rotations
        self._losses = [0] * places
        self._forfeits = [0] * places
        self._ends = _ends()
        self._next = next(self._ends)

    @property
    def end(self) -> int:
        """Number of the first block that was not watched."""
        return self.stretches[-1].end if self.stretches else 0

    @property
    def following(self) -> Stretch:
        """The next stretch to be watched."""
        return Stretch(first=self.end, end=self._next, withdrawn=dict(self.withdrawn))

    def pass_over(self, *, blocks: int, forfeits: int) -> None:
        """Take down that the first blocks went by without a loss and with few forfeits.

        Args:
            blocks: how many.
            forfeits: games of them that were forfeited, fewer than `max_faults`.
        """
        next_end = next(end for end in _ends() if end >= blocks)
        played = blocks * self._rotations - forfeits
        self.settled = blocks >= STAGE_ENDS[0] and played * FEW > next_end * self._rotations

    def watch(self, *, forfeits: Sequence[int], losses: Sequence[int], last: Sequence[str]) -> None:
        """Take down how the following stretch went.

        Args:
            forfeits: games of it that each bot forfeited, by place.
            losses: how many of them by taking its process down.
            last: the message of the last such loss of each bot; may be empty.
        """
        stretch = self.following
        self.stretches.append(stretch)
        self._next = next(self._ends)
        self._losses = [a + b for a, b in zip(self._losses, losses, strict=True)]
        self._forfeits = [a + b for a, b in zip(self._forfeits, forfeits, strict=True)]
        for place, message in enumerate(last):
            self._judge(place, stretch.end, message)
        self.settled = not self._doubtful(stretch.end)

    def _judge(self, place: int, end: int, message: str) -> None:
        if place in self.withdrawn:
            return
        lost, games = self._losses[place], end * self._rotations
        if lost >= self._limits.max_losses << _stage(end):
            told = f", the last time: {message}" if message else ""
            self.withdrawn[place] = (
                f"it took its process down, or nearly, in {lost} of the first {games} "
                f"{self._told_games}{told}"
            )
        elif self._few_were_played(end) and self._forfeits[place] >= self._limits.max_faults:
            self.withdrawn[place] = (
                f"it forfeited {self._forfeits[place]} of its first {games} {self._told_games}"
            )

    def _few_were_played(self, end: int) -> bool:
        """Whether hardly a game so far was played to its end, and nobody is withdrawn for it yet.

        Some are always: those that end before the bot is asked.
        """
        games = end * self._rotations
        return not self.withdrawn and (games - sum(self._forfeits)) * FEW <= games

    def _doubtful(self, end: int) -> bool:
        """Whether somebody may yet be withdrawn."""
        if len(self.withdrawn) == len(self._losses):
            return False
        if self._few_were_played(end):
            return True
        if end < STAGE_ENDS[0]:
            return True
        lossy = any(n for place, n in enumerate(self._losses) if place not in self.withdrawn)
        return lossy and end < STAGE_ENDS[-1]


def _ends() -> Iterator[int]:
    """The ends of all stretches: a few small ones, then each as long as all before it."""
    yield from FIRST_ENDS
    for doubling in count():
        yield STAGE_ENDS[0] << doubling


def _stage(end: int) -> int:
    """Number of the stage that this end lies in, from 0."""
    return sum(end > stage for stage in STAGE_ENDS[:-1])

"""Playing matches while a person looks on: progress on standard error, Ctrl-C at any time."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Final, NoReturn

from tqdm import tqdm

from arena.bots.isolation import Isolation
from arena.cli.output import count, note
from arena.tournament import (
    EngineName,
    Ledger,
    PlannedMatch,
    Processes,
    Progress,
    Round,
    Rounds,
    run_rounds,
)

LINE_SECONDS: Final = 30.0
"""Time between two lines of progress where standard error is no terminal."""


class StopRequest:
    """Whether somebody asked the command to stop."""

    def __init__(self) -> None:
        self.made = False

    def __call__(self) -> bool:
        """Whether a signal has come."""
        return self.made


@contextmanager
def stop_on_signals() -> Iterator[StopRequest]:
    """Let SIGINT and SIGTERM ask for a clean stop; a second one stops at once."""
    request = StopRequest()

    def ask(number: int, frame: FrameType | None) -> None:
        if request.made:
            raise KeyboardInterrupt
        request.made = True

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield request
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _leader(progress: Progress) -> str:
    leader = f"leader {progress.leader}" if progress.leader else ""
    return ", ".join(part for part in (progress.told, leader) if part)


def play_shown(
    planned: Sequence[PlannedMatch] | Rounds,
    ledger: Ledger,
    *,
    engine: EngineName,
    workers: int,
    chunk_blocks: int,
    isolation: Isolation,
    quiet: bool,
    meanwhile: Callable[[], object] = lambda: None,
    enough: Callable[[], bool] = lambda: False,
    told: Callable[[Progress], str] = _leader,
    expected_games: int | None = None,
    started: Processes | None = None,
) -> Progress:
    """Play what is missing and draw a progress bar; the last progress, also after a stop.

    Args:
        planned: matches, or the rounds of a tournament.
        ledger, engine, workers, chunk_blocks, isolation: see `run_rounds`.
        quiet: draw nothing.
        meanwhile: called once while all workers are busy, for what takes time to import.
        enough: whether what was played suffices; asked several times a second.
        told: what stands beside the bar.
        expected_games: length of the bar, where it is not that of the matches.
        started: see `run_rounds`.

    Raises:
        RunError: see `run_rounds`.
        StoreError: see `run_rounds`.
    """
    with stop_on_signals() as stop:
        rounds = iter([Round(planned=tuple(planned))]) if isinstance(planned, Sequence) else planned
        steps = run_rounds(
            rounds,
            ledger,
            engine=engine,
            workers=workers,
            chunk_blocks=chunk_blocks,
            isolation=isolation,
            should_stop=lambda: stop() or enough(),
            when_busy=meanwhile,
            started=started,
        )
        progress = next(steps)
        with _bar(progress, expected_games or progress.games_total, quiet=quiet) as bar:
            lines = _Lines(told, quiet=quiet or not bar.disable)
            for progress in steps:
                bar.set_postfix_str(told(progress), refresh=False)
                bar.total = expected_games or progress.games_total
                bar.update(progress.games - int(bar.n))
                lines.show(progress, int(bar.total))
    return progress


class _Lines:
    """Progress for a log file or a pipe: a line now and then."""

    def __init__(self, told: Callable[[Progress], str], *, quiet: bool) -> None:
        self._told = told
        self._quiet = quiet
        self._next_s = LINE_SECONDS

    def show(self, progress: Progress, total: int) -> None:
        """Print a line when it is time for the next one."""
        if self._quiet or progress.seconds < self._next_s:
            return
        self._next_s = progress.seconds + LINE_SECONDS
        speed = progress.games_new / progress.seconds
        left = max(total - progress.games, 0) / speed if speed else 0.0
        note(
            f"{count(progress.games)} of {count(total)} games, "
            f"{speed:,.0f} a second, {left:,.0f} s left, {self._told(progress)}"
        )


def _bar(progress: Progress, total: int, *, quiet: bool) -> tqdm[NoReturn]:
    tqdm.monitor_interval = 0  # its thread would be there when processes are forked
    return tqdm(
        total=total,
        initial=progress.games,
        unit=" games",
        unit_scale=True,
        dynamic_ncols=True,
        disable=quiet or not sys.stderr.isatty(),
        file=sys.stderr,
        leave=False,
    )

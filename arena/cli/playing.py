"""Playing matches while a person looks on: progress on standard error, Ctrl-C at any time."""

from __future__ import annotations

import logging
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

MANY_GAMES: Final = 50_000
"""So many games are worth a line before they are played."""

LINE_SECONDS: Final = 30.0
"""Time between two lines of progress where standard error is no terminal."""


STEADY_SECONDS: Final = 2.0
"""Time after the first games before their speed says how long the rest will take."""


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
        games = expected_games or progress.games_total
        with _bar(progress, games, quiet=quiet) as bar, _lost_processes_told(bar):
            speed, lines = Speed(), _Lines(told, quiet=quiet or not bar.disable)
            lines.begin(games - progress.games)
            for progress in steps:
                total = expected_games or progress.games_total
                speed.see(progress)
                left = speed.time_left_s(total - progress.games)
                said = "" if left is None else f"{tqdm.format_interval(left)} left"
                beside = ", ".join(part for part in (said, told(progress)) if part)
                bar.set_postfix_str(beside, refresh=False)
                bar.total = total
                bar.update(progress.games - int(bar.n))
                lines.show(progress, total, left)
    return progress


class Speed:
    """How fast a run is once it plays: what comes before its first games tells nothing.

    Compiling, and getting to know the bots, takes longer than the first chunks do.
    """

    def __init__(self) -> None:
        self._first: Progress | None = None
        self._last: Progress | None = None

    def see(self, progress: Progress) -> None:
        """Take notice of where the run is."""
        if self._first is None and progress.games_new:
            self._first = progress
        self._last = progress

    def time_left_s(self, games: int) -> float | None:
        """Seconds that so many games will take; None before that can be said."""
        if self._first is None or self._last is None:
            return None
        played = self._last.games_new - self._first.games_new
        seconds = self._last.seconds - self._first.seconds
        if played <= 0 or seconds < STEADY_SECONDS:
            return None
        return max(games, 0) * seconds / played


class _Lines:
    """Progress for a log file or a pipe: a line at the beginning, and now and then."""

    def __init__(self, told: Callable[[Progress], str], *, quiet: bool) -> None:
        self._told = told
        self._quiet = quiet
        self._next_s = LINE_SECONDS

    def begin(self, games: int) -> None:
        """Say what is going to happen, if it may take long."""
        if not self._quiet and games >= MANY_GAMES:
            note(f"Playing {count(games)} games; a line every {LINE_SECONDS:.0f} s says how far.")

    def show(self, progress: Progress, total: int, left_s: float | None) -> None:
        """Print a line when it is time for the next one."""
        if self._quiet or progress.seconds < self._next_s:
            return
        self._next_s = progress.seconds + LINE_SECONDS
        speed = progress.games_new / progress.seconds
        left = "" if left_s is None else f"{left_s:,.0f} s left, "
        note(
            f"{count(progress.games)} of {count(total)} games, "
            f"{speed:,.0f} a second, {left}{self._told(progress)}"
        )


class _Telling(logging.Handler):
    """Tells what is logged above a progress bar."""

    def __init__(self, bar: tqdm[NoReturn]) -> None:
        super().__init__(logging.WARNING)
        self._bar = bar

    def emit(self, record: logging.LogRecord) -> None:
        """Write the message where it does not disturb the bar."""
        self._bar.write(record.getMessage(), file=sys.stderr)


@contextmanager
def _lost_processes_told(bar: tqdm[NoReturn]) -> Iterator[None]:
    logger = logging.getLogger("arena.executor")
    handler = _Telling(bar)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


def _bar(progress: Progress, total: int, *, quiet: bool) -> tqdm[NoReturn]:
    tqdm.monitor_interval = 0  # its thread would be there when processes are forked
    return tqdm(
        total=total,
        initial=progress.games,
        unit=" games",
        unit_scale=True,
        dynamic_ncols=True,
        bar_format="{l_bar}{bar}| {n_fmt}/{total_fmt} [{elapsed}, {rate_fmt}{postfix}]",
        disable=quiet or not sys.stderr.isatty(),
        file=sys.stderr,
        leave=False,
    )

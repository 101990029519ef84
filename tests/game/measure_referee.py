"""Measures how many games a second the referee plays on one core; a script, not a test.

    python -m tests.game.measure_referee [RULES [GAMES]]

Two shipped `hold` bots (300 and 500 points), asked as plain Python objects.
"""

from __future__ import annotations

import statistics
import sys
import time

from arena.game import AddressedDice, match_key, play_game
from tests.game.players import hold
from tests.rules.loading import tables

RUNS = 5


def main() -> None:
    """Print games and decisions a second: the medians of five runs."""
    rules = sys.argv[1] if len(sys.argv) > 1 else "tienduizend"
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    tables(rules)  # made once per process, not part of the measurement
    runs = [measured(rules, games // RUNS, run) for run in range(RUNS)]
    speed, decisions = (statistics.median(column) for column in zip(*runs, strict=True))
    print(f"{rules}: {speed:,.0f} games/s, {decisions:,.0f} decisions/s, ", end="")
    print(f"median of {RUNS} runs of {games // RUNS} games")


def measured(rules: str, games: int, run: int) -> tuple[float, float]:
    """Games and decisions a second of one run, by the time of the processor."""
    key = match_key(run, "measure")
    players = [hold(300), hold(500)]
    begin = time.process_time()
    results = [
        play_game(tables(rules), players, AddressedDice(key, block)) for block in range(games)
    ]
    seconds = time.process_time() - begin
    decisions = sum(tally.decisions for result in results for tally in result.tallies)
    return games / seconds, decisions / seconds


if __name__ == "__main__":
    main()

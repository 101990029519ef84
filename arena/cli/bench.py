"""`arena bench`: measure how fast this machine plays, on the real path.

Every case is a whole `arena match` in a process of its own, start-up and questions included. With a
yardstick (a program that plays `hold` against `hold` with everything wired in, and prints its games
per second as JSON) both run alternately, and what counts is the median of the ratios: machines are
noisy, and two numbers from different minutes cannot be compared.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import click

from arena.cli.bench_cases import CASES, BenchCase
from arena.cli.options import json_option
from arena.cli.output import count, note, print_json, text_table
from arena.errors import UsageError

MIB = 1024  # getrusage counts in KiB


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What one run of a case took.

    Attributes:
        games: games played.
        seconds: wall-clock time of the whole command.
        cpu_seconds: processor time of it and its workers.
        decisions: decisions in all games.
        questions: how often bots were really asked.
        memory_mib: peak memory of its largest process.
        ratio: games per second to those of the yardstick that ran right before; None without one.
    """

    games: int
    seconds: float
    cpu_seconds: float
    decisions: int
    questions: int
    memory_mib: float
    ratio: float | None


@click.command()
@click.option(
    "--games", type=click.IntRange(min=1000), default=2_000_000, show_default=True, help="A case."
)
@click.option(
    "--repeat", type=click.IntRange(min=1), default=1, show_default=True, help="Runs of a case."
)
@click.option(
    "--workers", type=click.IntRange(min=1), default=1, show_default=True, help="Of `arena match`."
)
@click.option(
    "--engine",
    type=click.Choice(["kernel", "referee"]),
    default="kernel",
    show_default=True,
    help="Which of the two equal engines plays.",
)
@click.option("--case", "names", multiple=True, help="Only cases with this in their name.")
@click.option(
    "--yardstick",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A compiled yardstick; it runs before each case, and the ratio is printed.",
)
@json_option()
def command(
    games: int,
    repeat: int,
    workers: int,
    engine: str,
    names: tuple[str, ...],
    yardstick: Path | None,
    as_json: bool,
) -> None:
    """Measure how fast this machine plays.

    Plays a fixed set of matches through `arena match`, start-up included. The table gives the
    median of `--repeat` runs. The first run after an installation also compiles; let it warm up
    once.
    """
    chosen = [case for case in CASES if not names or any(name in case.name for name in names)]
    if not chosen:
        raise UsageError(f"no such case; there are: {', '.join(case.name for case in CASES)}")
    results: list[tuple[BenchCase, list[Measured]]] = []
    for case in chosen:
        runs = []
        for _ in range(repeat):
            note(f"{case.name}: {' v '.join(case.bots)} on {case.rules}")
            runs.append(_measure(case, games, workers, engine, yardstick))
        results.append((case, runs))
    if as_json:
        print_json({"machine": _machine(), "cases": [_document(*result) for result in results]})
        return
    click.echo(text_table(*_table(results)))
    click.echo(f"\n{_machine()}")


def _measure(
    case: BenchCase, games: int, workers: int, engine: str, yardstick: Path | None
) -> Measured:
    wanted = max(1000, round(games * case.share * (0.01 if engine == "referee" else 1)))
    yard = _yardstick_speed(yardstick) if yardstick else None
    args = [sys.executable, "-m", "arena", "match", *case.bots, "--rules", case.rules]
    args += ["--games", str(wanted), "--workers", str(workers), "--engine", engine]
    args += ["--quiet", "--json"]
    with tempfile.TemporaryFile() as out:
        started = time.perf_counter()
        process = subprocess.Popen(args, stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise UsageError(f"a match of the benchmark failed: {' '.join(args[3:])}")
        out.seek(0)
        document: dict[str, Any] = json.load(out)
    played = document["games"]
    return Measured(
        games=played,
        seconds=seconds,
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        decisions=sum(bot["decisions"] for bot in document["bots"]),
        questions=sum(bot["questions"] for bot in document["bots"]),
        memory_mib=usage.ru_maxrss / MIB,
        ratio=played / seconds / yard if yard else None,
    )


def _yardstick_speed(program: Path) -> float:
    """Games per second that the yardstick reports of itself."""
    done = subprocess.run(
        [program.resolve(), "1000000", "300", "500"], capture_output=True, text=True, check=False
    )
    try:
        return float(json.loads(done.stdout)["games_per_second"])
    except (ValueError, KeyError, TypeError):
        raise UsageError(f"{program}: prints no JSON with games_per_second") from None


def _document(case: BenchCase, runs: list[Measured]) -> dict[str, Any]:
    ratios = [run.ratio for run in runs if run.ratio is not None]
    return {
        "case": case.name,
        "bots": case.bots,
        "rules": case.rules,
        "games": runs[0].games,
        "games_per_second": median(run.games / run.seconds for run in runs),
        "games_per_cpu_second": median(run.games / run.cpu_seconds for run in runs),
        "decisions_per_second": median(run.decisions / run.seconds for run in runs),
        "questions_per_million": 1e6 * runs[0].questions / max(runs[0].decisions, 1),
        "memory_mib": max(run.memory_mib for run in runs),
        "ratio": median(ratios) if ratios else None,
        "ratio_at_least": case.least,
    }


def _table(results: list[tuple[BenchCase, list[Measured]]]) -> tuple[list[str], list[list[str]]]:
    head = ["case", "games", "games/s", "games/CPU s", "decisions/s", "questions/million"]
    head += ["peak MiB", "yardstick", "at least"]
    rows = []
    for case, runs in results:
        numbers = _document(case, runs)
        ratio, least = numbers["ratio"], numbers["ratio_at_least"]
        rows.append(
            [
                case.name,
                count(numbers["games"]),
                count(round(numbers["games_per_second"])),
                count(round(numbers["games_per_cpu_second"])),
                count(round(numbers["decisions_per_second"])),
                f"{numbers['questions_per_million']:,.1f}",
                f"{numbers['memory_mib']:.0f}",
                "" if ratio is None else f"{ratio:.2f}",
                "" if least is None else f"{least:.2f}",
            ]
        )
    return head, rows


def _machine() -> str:
    """One line about processor, cores and Python."""
    model = "unknown processor"
    info = Path("/proc/cpuinfo")
    if info.is_file():
        lines = info.read_text(encoding="utf-8", errors="replace").splitlines()
        found = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
        model = found[0] if found else model
    version = ".".join(map(str, sys.version_info[:3]))
    return f"{model}, {os.cpu_count()} cores, Python {version}"

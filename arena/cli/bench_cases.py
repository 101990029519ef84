"""What `arena bench` plays: a fixed set, so that its numbers can be compared over the years."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchCase:
    """One match of the benchmark.

    Attributes:
        name: short, for tables.
        bots: shipped bots with parameters.
        rules: ruleset.
        share: games as a share of the games asked for; slow cases play fewer.
        least: what the case must reach, as a ratio to the yardstick; None where nothing is asked.
    """

    name: str
    bots: tuple[str, ...]
    rules: str = "tienduizend"
    share: float = 1.0
    least: float | None = None


CASES: Final = (
    BenchCase(name="two hold bots", bots=("hold:points=300", "hold:points=500"), least=0.50),
    BenchCase(
        name="two score-aware bots", bots=("chaser", "chaser:points=300,step=1000"), least=0.25
    ),
    BenchCase(name="expected value, floats", bots=("expected", "hold"), least=0.15),
    BenchCase(name="mixed strategy", bots=("moody", "hold"), share=0.01),
    BenchCase(name="remembering", bots=("notebook", "hold"), share=0.01),
    BenchCase(
        name="four seats",
        bots=("hold:points=300", "hold:points=400", "hold:points=500", "chaser"),
        share=0.5,
    ),
    BenchCase(
        name="zehntausend-1",
        bots=("hold:points=350", "hold:points=500"),
        rules="zehntausend-1",
    ),
    BenchCase(
        name="zehntausend-2",
        bots=("hold:points=350", "hold:points=500"),
        rules="zehntausend-2",
    ),
)

"""`[stopping]`: when a tournament has played enough, read from its file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, assert_never

from arena.rules.toml_table import TomlTable

if TYPE_CHECKING:
    from arena.stats import Sprt

Goal = Literal["half_width", "ranks", "sprt"]

DEFAULT_TIE: Final = 10.0
LARGEST_ELO: Final = 10_000.0
SPRT_KEYS: Final = ("elo0", "elo1", "alpha", "beta", "scale")


@dataclass(frozen=True, slots=True, kw_only=True)
class SprtRule:
    """Two hypotheses about every pair; see `arena.stats.Sprt`."""

    elo0: float
    elo1: float
    alpha: float
    beta: float
    scale: Literal["logistic", "normalised"]

    def test(self, *, most: int | None = None) -> Sprt:
        """The test of these hypotheses, with at most so many blocks.

        Raises:
            StatsError: it is none.
        """
        from arena.stats import Sprt  # takes long to import

        return Sprt(
            elo0=self.elo0,
            elo1=self.elo1,
            alpha=self.alpha,
            beta=self.beta,
            scale=self.scale,
            most=most,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopping:
    """When to stop before every match has all its blocks.

    Attributes:
        goal: which rule.
        half_width: every rating is known to plus or minus so many Elo; 0 for other goals.
        ranks: confidence with which all ranks are told apart, or tied; 0 for other goals.
        tie: bots that are surely within so many Elo of each other are tied.
        sprt: hypotheses about every pair; None for other goals.
    """

    goal: Goal
    half_width: float = 0.0
    ranks: float = 0.0
    tie: float = DEFAULT_TIE
    sprt: SprtRule | None = None

    def __str__(self) -> str:
        """The rule as it would stand in a file."""
        if self.goal == "half_width":
            return f"half_width = {self.half_width:g}"
        if self.goal == "ranks":
            return f"ranks = {self.ranks:g}, tie = {self.tie:g}"
        if self.goal == "sprt":
            rule = self.sprt
            return "sprt" if rule is None else (
                f"sprt = {{elo0 = {rule.elo0:g}, elo1 = {rule.elo1:g}, alpha = {rule.alpha:g}, "
                f"beta = {rule.beta:g}, scale = {rule.scale}}}"
            )  # fmt: skip
        assert_never(self.goal)


def read_stopping(config: TomlTable) -> Stopping | None:
    """The rule of a tournament file, if it has one; notes what is wrong with it."""
    if "stopping" not in config.values:
        return None
    table = config.table("stopping", "a table with half_width, ranks or sprt")
    table.only(("half_width", "ranks", "tie", "sprt"))
    goals: list[Goal] = [goal for goal in ("half_width", "ranks", "sprt") if goal in table.values]
    if len(goals) != 1:
        config.wrong("stopping", table.values, "exactly one of half_width, ranks and sprt")
        return None
    if "tie" in table.values and goals != ["ranks"]:
        table.wrong("tie", table.values["tie"], "belongs to ranks")
    before = len(config.mistakes)
    if goals == ["half_width"]:
        width = _number(table, "half_width", 0.0, low=0.01, high=LARGEST_ELO)
        found = Stopping(goal="half_width", half_width=width)
    elif goals == ["ranks"]:
        found = Stopping(
            goal="ranks",
            ranks=_number(table, "ranks", 0.95, low=0.5, high=0.9999),
            tie=_number(table, "tie", DEFAULT_TIE, low=0.0, high=LARGEST_ELO),
        )
    else:
        found = Stopping(goal="sprt", sprt=_sprt(table))
    return found if len(config.mistakes) == before else None


def _sprt(stopping: TomlTable) -> SprtRule:
    table = stopping.table("sprt", "a table such as {elo0 = 0, elo1 = 5}")
    before = len(table.mistakes)
    table.only(SPRT_KEYS)
    rule = SprtRule(
        elo0=_number(table, "elo0", 0.0, low=-LARGEST_ELO, high=LARGEST_ELO),
        elo1=_number(table, "elo1", 5.0, low=-LARGEST_ELO, high=LARGEST_ELO),
        alpha=_number(table, "alpha", 0.05, low=1e-9, high=0.49),
        beta=_number(table, "beta", 0.05, low=1e-9, high=0.49),
        scale=table.choice("scale", ("logistic", "normalised"), "logistic"),
    )
    if len(table.mistakes) == before:
        _check(table, rule)
    return rule


def _check(table: TomlTable, rule: SprtRule) -> None:
    """Note what makes it no test."""
    from arena.stats import StatsError  # takes long to import

    try:
        rule.test()
    except StatsError as error:
        table.wrong("elo0", rule.elo0, str(error))


def _number(table: TomlTable, key: str, default: float, *, low: float, high: float) -> float:
    """A number from low to high, whole or not."""
    value = table.values.get(key, default)
    if isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high:
        return float(value)
    table.wrong(key, value, f"a number from {low:g} to {high:g}")
    return default

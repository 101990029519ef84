"""The page of a bot's blunders: one HTML page that needs nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from arena.errors import ReportError
from arena.report.blunder_links import LOST
from arena.report.render import page_environment, template_text
from arena.report.write import replace_file


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceShown:
    """One way to go on after a roll.

    Attributes:
        kept: for each die on the table whether it is held.
        banks: whether the turn ends.
        words: the same in words.
    """

    kept: tuple[bool, ...]
    banks: bool
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BlunderShown:
    """A decision that loses win probability.

    Attributes:
        cost: win probability lost in one game.
        frequency: how often it comes up in one game.
        points: gathered in the turn before the roll.
        dice: on the table.
        did: what the bot does.
        best: what is best.
        place: where it was, in words and numbers; empty where all scores are taken together.
    """

    cost: float
    frequency: float
    points: int
    dice: tuple[int, ...]
    did: ChoiceShown
    best: ChoiceShown
    place: tuple[tuple[str, str], ...] = ()

    @property
    def loss(self) -> float:
        """Win probability lost each time."""
        return self.cost / self.frequency


@dataclass(frozen=True, slots=True, kw_only=True)
class BlunderPage:
    """All that the page shows.

    Attributes:
        bot: name.
        rules: name of the ruleset.
        against: the opponent in words.
        value: the bot's win probability, shared wins counted half.
        best: that of best play.
        lost: by the bot's decisions; the difference of the two.
        decisions: how many different decisions lose anything worth counting.
        habits: blunders at all scores together, worst first.
        single: blunders at one place each, worst first.
        command: that makes the page again.
        report: where the report lies that links it; empty where none does.
    """

    bot: str
    rules: str
    against: str
    value: float
    best: float
    lost: float
    decisions: int
    habits: tuple[BlunderShown, ...]
    single: tuple[BlunderShown, ...]
    command: str
    report: str = ""


def kept_of(dice: tuple[int, ...], keeps: tuple[int, ...]) -> tuple[bool, ...]:
    """For each die whether it is among those kept, of equal ones the first."""
    left = list(keeps)
    kept = []
    for die in dice:
        kept.append(die in left)
        if die in left:
            left.remove(die)
    return tuple(kept)


def render_blunders(page: BlunderPage) -> str:
    """The page as HTML; it forbids itself every request and every script."""
    style = template_text("style.css").strip() + "\n" + template_text("blunders.css").strip()
    text = (
        page_environment()
        .get_template("blunders.html.j2")
        .render(page=page, style=Markup(style), lost_name=LOST)
    )
    return text.rstrip() + "\n"


def write_blunders(page: BlunderPage, path: Path) -> None:
    """Write the page.

    Raises:
        ReportError: it cannot be written there.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, render_blunders(page))
    except OSError as error:
        raise ReportError(f"{path}: cannot be written: {error.strerror or error}") from None

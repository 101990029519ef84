"""`ReportData`: everything that a report says, as plain values; nothing is computed after it.

Elo values, shares and rates are rounded when they are made, so that the page, the CSV files and
the JSON file show the same numbers. None always means "cannot be said", never zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Bound = Literal["finite", "above", "below", "unconnected"]
"""Whether the games bound a rating; `above` won everything, `below` lost everything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A value and its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Histogram:
    """Counts of equally wide bins.

    Attributes:
        counts: from the first bin shown on; the last holds everything above, too.
        first: left edge of the first bin, in points.
        width: of a bin, in points.
        below: how many fell below `first`.
        mark: a value worth a line, such as the target; None for no line.
    """

    counts: tuple[int, ...]
    first: int
    width: int
    below: int = 0
    mark: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """How a bot played on one ruleset.

    Attributes:
        points_per_turn: written points, penalties not taken off.
        bust_rate: turns that ended in a bust, as a share.
        questions_per_million: of a million decisions, how many were really asked.
        turn_points: turns by points written.
        final_scores: games by final score.
    """

    decisions: int
    points_per_turn: float | None
    bust_rate: float | None
    turns_per_game: float | None
    rolls_per_turn: float | None
    questions_per_million: float | None
    turn_points: Histogram
    final_scores: Histogram


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One bot in a table of standings.

    Attributes:
        bot: index in `ReportData.bots`.
        rank_low: best rank that the games allow, from 1.
        rank_high: worst rank that the games allow.
        score: share of the points in all its games; None without a meaning over rulesets.
        forfeits: games lost by its own faults, counted in `losses` too.
        play: None where rulesets are mixed.
        withdrawn: whether it was taken out for too many faults.
    """

    bot: int
    rank_low: int
    rank_high: int
    elo: Span
    bound: Bound
    score: Span
    games: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    play: Play | None = None
    withdrawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Unrated:
    """A bot that met others, but was withdrawn each time; see `Standing` for the fields."""

    bot: int
    score: Span
    games: int
    wins: int
    draws: int
    losses: int
    forfeits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """Two bots against each other, seen from `bot`.

    Attributes:
        score: of two players, the share of points; of more, what `bot` won of all that either of
            the two won in games with both at the table.
        sure: chance that `bot` is the stronger one, from the ratings; None where it is unknown.
    """

    bot: int
    other: int
    games: int
    score: Span
    sure: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLine:
    """One bot in one match.

    Attributes:
        match: id of the match.
        place: of the bot in the match, from 0; with fixed seats the seat.
        los: likelihood of superiority over the others of this match, from its blocks alone.
        saving: how many times more independent games would have been needed; None if unknown.
        status: what the match can and cannot say, in words.
    """

    match: str
    place: int
    bot: int
    others: tuple[int, ...]
    seed: int
    fixed_seats: bool
    blocks: int
    games: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    score: Span
    elo: Span
    los: float
    saving: float | None
    status: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """One seat over all games of a ruleset in which the seats were changed.

    Attributes:
        elo: against the average seat; None for two seats, and where it cannot be told.
    """

    seat: int
    games: int
    wins: int
    draws: int
    score: Span
    elo: Span | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Surprise:
    """Two bots whose games the ratings explain badly; scores are those of `bot`."""

    bot: int
    other: int
    games: int
    observed: float
    expected: float
    errors: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ring:
    """Three bots, each of which beats the next one."""

    bots: tuple[int, int, int]
    errors: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A ruleset for people.

    Attributes:
        settings: keys and values as in a ruleset file, except the combinations.
        combinations: dice string and points.
    """

    name: str
    title: str
    source: str
    key: str
    settings: tuple[tuple[str, str], ...]
    combinations: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """All that was found on one ruleset with one number of players.

    Attributes:
        name: heading; the ruleset, and the players where that tells sections apart.
        standings: best first.
        unrated: bots without a place in the standings.
        verdict: one sentence.
        method: one sentence on how the ratings were made.
        seat_elo: what moving first is worth; None where it cannot be told from the bots.
        seat_note: one sentence on the seats.
        rounds: how long games were, one sentence; empty without games.
        explained: one sentence on the test of fit; empty where there is none.
        warnings: sentences on what cannot be estimated.
    """

    name: str
    rules: Rules
    players: int
    games: int
    standings: tuple[Standing, ...]
    unrated: tuple[Unrated, ...]
    duels: tuple[Duel, ...]
    matches: tuple[MatchLine, ...]
    seats: tuple[Seat, ...]
    verdict: str
    method: str
    seat_elo: Span | None
    seat_note: str
    rounds: str
    explained: str
    surprises: tuple[Surprise, ...]
    rings: tuple[Ring, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Overall:
    """Standings over all rulesets.

    Attributes:
        standings: by the mean Elo over these rulesets, each counting alike; empty where the
            rulesets have no bots in common.
        unrated: bots without a place in them.
        by_section: each bot's standing in every section, None where it did not play.
        beyond: Elo of each to be expected on another ruleset of this kind.
        spread: standard deviation of each bot's Elo from ruleset to ruleset.
    """

    standings: tuple[Standing, ...]
    unrated: tuple[Unrated, ...]
    by_section: tuple[tuple[Standing | None, ...], ...]
    beyond: tuple[Span, ...]
    spread: tuple[Span, ...]
    verdict: str
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BotPage:
    """One bot for people.

    Attributes:
        name: unique in the report.
        also: other names under which the same source and parameters played.
        text: the docstring; empty where there is none.
        behaviour: what it declared about its answers, in words; empty where it declared nothing.
        earlier: whether the newest run has another version of that name in its place.
    """

    name: str
    also: tuple[str, ...]
    key: str
    file: str
    class_name: str
    summary: str
    text: str
    parameters: tuple[tuple[str, str], ...]
    source_hash: str
    behaviour: str
    withdrawn: str
    earlier: bool = False

    @property
    def label(self) -> str:
        """The name with what has to be known about it, for tables."""
        return f"{self.name}, earlier version" if self.earlier else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultGroup:
    """Faults of one bot that are alike; the texts are those of the first.

    Attributes:
        bot: name as the fault has it.
        where: ruleset, match and block of the first, in words.
        replay: the command line that prints the game of the first; empty where there is none.
        count: records of it; of every chunk only the first faults are kept.
        forfeits: games of these records that were lost by it.
    """

    bot: str
    kind: str
    message: str
    traceback: str
    output: str
    position: str
    where: str
    replay: str
    count: int
    forfeits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One start of the program on this result file.

    Attributes:
        command: what reproduces it.
        facts: name and value of every version and machine fact.
        settings: name and value of every setting, defaults included.
        config: text of the tournament file; empty where there was none.
    """

    command: str
    facts: tuple[tuple[str, str], ...]
    settings: tuple[tuple[str, str], ...]
    config: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What a tournament on one ruleset tells of its course, line by line."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportData:
    """A whole report.

    Attributes:
        made: when the newest result was stored, as text; empty where it is unknown.
        order: indices of `bots` in the order of the standings.
        forfeits: one sentence on games lost by faults; empty where there were none.
        settings: what holds for all runs (engine version, seeds), name and value.
        courses: of the newest finished run, where its matches alone do not tell how it went.
    """

    title: str
    made: str
    bots: tuple[BotPage, ...]
    order: tuple[int, ...]
    sections: tuple[Section, ...]
    overall: Overall | None
    faults: tuple[FaultGroup, ...]
    forfeits: str
    runs: tuple[Run, ...]
    settings: tuple[tuple[str, str], ...]
    courses: tuple[Course, ...] = ()

    @property
    def games(self) -> int:
        """Games played in all."""
        return sum(section.games for section in self.sections)

"""A small report written by hand, so that only the drawing of it can change."""

from __future__ import annotations

from arena.report.model import (
    BotPage,
    Course,
    Duel,
    FaultGroup,
    Histogram,
    MatchLine,
    Overall,
    Play,
    ReportData,
    Ring,
    Rules,
    Run,
    Seat,
    Section,
    Span,
    Standing,
    Surprise,
    Unrated,
)

SCORES = (0.64, 0.55, 0.31)
ELOS = (60.5, 22.25, -82.75)


def span(value: float, half: float) -> Span:
    return Span(value=value, low=round(value - half, 4), high=round(value + half, 4))


def bot(name: str, **more: str) -> BotPage:
    return BotPage(
        name=name,
        also=(),
        key=f"{len(name):016x}",
        file="bots.py",
        class_name=name.title(),
        summary="One & only: keeps `hold.points` <high>.",
        text="A paragraph over\ntwo lines.\n\n* a list\n* of two",
        parameters=(("points", "300"), ("mood", "grim")),
        source_hash="0123456789abcdef",
        behaviour=more.get("behaviour", ""),
        withdrawn=more.get("withdrawn", ""),
    )


def play(place: int) -> Play:
    return Play(
        decisions=12_345 + place,
        points_per_turn=411.5,
        bust_rate=0.25 + place / 10,
        turns_per_game=20.5,
        rolls_per_turn=2.125,
        questions_per_million=1250.5 if place else None,
        turn_points=Histogram(counts=(0, 5, 9 - place, 3, 1), first=50, width=50, below=9),
        final_scores=Histogram(counts=(1, 0, 2, 5, 4 + place), first=0, width=2500, mark=10_000),
    )


def standings(*, whole: bool, elo: float = 1.0) -> tuple[Standing, ...]:
    return tuple(
        Standing(
            bot=place,
            rank_low=1 if place < 2 else 3,
            rank_high=2 if place < 2 else 3,
            elo=span(ELOS[place] * elo, 20.5),
            bound="below" if place == 2 and whole else "finite",
            score=span(SCORES[place], 0.03),
            games=1200,
            wins=round(SCORES[place] * 1200),
            draws=0,
            losses=1200 - round(SCORES[place] * 1200),
            forfeits=4 if place == 2 else 0,
            play=play(place) if whole else None,
            withdrawn=place == 2,
        )
        for place in range(3)
    )


def match(first: int, second: int, place: int) -> MatchLine:
    return MatchLine(
        match="89abcdef01234567",
        place=place,
        bot=(first, second)[place],
        others=((first, second)[1 - place],),
        seed=7,
        fixed_seats=False,
        blocks=300,
        games=600,
        wins=330,
        draws=0,
        losses=270,
        forfeits=0,
        score=span(0.55, 0.025),
        elo=span(34.86, 17.5),
        los=0.9987,
        saving=None if place else 2.75,
        status="ok",
        digest="0" * 64,
    )


def unrated() -> tuple[Unrated, ...]:
    return (
        Unrated(
            bot=3, score=span(0.0025, 0.002), games=400, wins=1, draws=0, losses=399, forfeits=399
        ),
    )


def section(name: str, elo: float) -> Section:
    pairs = ((0, 1), (0, 2), (1, 2))
    return Section(
        name=name,
        rules=Rules(
            name=name,
            title="A title with <tags>",
            source="From a page.\nReadings: `bust` as written.",
            key="fedcba9876543210",
            settings=(("dice", "6"), ("target", "10000")),
            combinations=(("1", 100), ("123456", 1500)),
        ),
        players=2,
        games=1800,
        standings=standings(whole=True, elo=elo),
        unrated=unrated(),
        duels=tuple(
            Duel(bot=x, other=y, games=600, score=span(0.5 + 0.1 * (y - x), 0.03), sure=0.9996)
            for a, b in pairs
            for x, y in ((a, b), (b, a))
        ),
        matches=tuple(match(a, b, place) for a, b in pairs for place in range(2)),
        seats=tuple(
            Seat(
                seat=n + 1,
                games=1800,
                wins=(918, 882)[n],
                draws=0,
                score=span((0.51, 0.49)[n], 0.01),
                elo=None,
            )
            for n in range(2)
        ),
        verdict="alpha is ahead, but cannot be told apart from beta:points=350.",
        method="A method.",
        seat_elo=span(7.5, 7.25),
        seat_note="No seat is surely better than another: every interval holds the fair share.",
        rounds="Half of the games were over after 20 rounds; nine of ten lasted 12 to 31 rounds.",
        explained="The results of the single pairs agree with the ratings.",
        surprises=(Surprise(bot=0, other=2, games=600, observed=0.7, expected=0.66, errors=3.25),),
        rings=(Ring(bots=(0, 1, 2), errors=2.5),),
        warnings=("gamma lost everything.",),
    )


def report() -> ReportData:
    """Three bots on two rulesets, with something in every field."""
    sections = (section("first", 1.0), section("second:target=20000", 0.5))
    rows = standings(whole=False)
    return ReportData(
        title="By hand & <bold>",
        made="2026-01-02T03:04:05+00:00",
        bots=(
            bot("alpha"),
            bot("beta:points=350", behaviour="keeps notes during a game"),
            bot("gamma", withdrawn="after 4 faults"),
            bot("delta", withdrawn="it took its process down in 3 of the first 3 games"),
        ),
        order=(0, 1, 2, 3),
        sections=sections,
        overall=Overall(
            standings=rows,
            unrated=unrated(),
            by_section=tuple(
                (part.standings[row.bot], None) for row in rows for part in sections[:1]
            ),
            beyond=tuple(span(row.elo.value, 60.5) for row in rows),
            spread=tuple(Span(value=12.5, low=4.25, high=80.75) for _ in rows),
            verdict="alpha leads, surely stronger than both others.",
            method="Another method.",
        ),
        faults=(
            FaultGroup(
                bot="gamma",
                kind="exception",
                message="ZeroDivisionError: division by zero",
                traceback='Traceback:\n  File "bots.py", line 3\n    1 / 0',
                output="</pre>",
                position="rules: first\n  300 points in this turn, roll number 2",
                where="first, alpha against gamma, block 12, game 1 of 2",
                replay="arena replay alpha gamma --rules first --seed 7 --block 12 --rotation 0",
                count=4,
                forfeits=4,
            ),
        ),
        forfeits="4 games were forfeited: 4 by gamma.",
        runs=(
            Run(
                command="arena run configs/by_hand.toml",
                facts=(("started", "2026-01-02 03:04:05+00:00"), ("cores", "2")),
                settings=(("seed", "7"), ("isolation", "strict")),
                config='title = "By hand"\n',
            ),
        ),
        settings=(("result file", "results.sqlite"), ("seeds", "7")),
        courses=(
            Course(
                title="Knockout, first",
                lines=("final: alpha beats beta:points=350 with 55.0 %", "winner: alpha"),
            ),
            Course(title="Knockout, second:target=20000", lines=("winner: <alpha>",)),
        ),
    )

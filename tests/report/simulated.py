"""Real games for reports, played by the referee between thresholds that stop early or late."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path

from arena.bots.spec import BotSpec
from arena.game import AddressedDice, Event, Turn, play_game, zero_counts
from arena.game.counts import round_bin, score_bin, turn_bin
from arena.game.events import TurnBegins, TurnEnds
from arena.records import Fault, Match, MatchStats, seat_of
from arena.report import Stored
from arena.rules import Decision, Ruleset, load_ruleset, rule_tables
from arena.store import RunInfo, StoredBot, StoredMatch, StoredRun

RULES = Path(__file__).parents[2] / "configs" / "rules"
SOURCE = '''"""A file of a bot."""
class Stops(Bot):
    """Stops at a number of points.

    It keeps what scores most & banks as soon as the turn is <b>worth</b> enough.
    """
'''


class Stops:
    """Keeps the hold with the most points and banks from so many points on."""

    def __init__(self, points: int) -> None:
        self.points = points

    def decide(self, turn: Turn) -> Decision:
        hold = turn.holds[0]
        if self.points < 0:
            raise RuntimeError("cannot")
        if turn.must_roll(hold):
            return hold.roll()
        if turn.can_bank(hold) and turn.points + hold.points >= self.points:
            return hold.bank()
        return hold.roll() if turn.can_roll(hold) else hold.bank()


def ruleset(spec: str) -> Ruleset:
    return load_ruleset(spec, [RULES])


def spec_of(name: str, points: int) -> BotSpec:
    return BotSpec(
        name=name,
        class_name="Stops",
        path="/somewhere/else/stops.py",
        parameters=(("points", points),),
        source_hash="0123456789abcdef",
        summary="Stops at a number of points.",
    )


def match_of(rules: Ruleset, bots: Mapping[str, int], *, fixed_seats: bool = False) -> Match:
    return Match(
        rules=rules.name,
        rules_key=rules.key,
        bots=tuple(bots),
        bot_keys=tuple(spec_of(name, points).key for name, points in bots.items()),
        seed=7,
        fixed_seats=fixed_seats,
        engine=1,
    )


def play(match: Match, rules: Ruleset, thresholds: Sequence[int], blocks: int) -> MatchStats:
    """Results of so many blocks; a bot with a negative threshold raises."""
    tables, seats = rule_tables(rules), match.seats
    counts = zero_counts(blocks=blocks, rotations=match.rotations, seats=seats)
    for block in range(blocks):
        dice = AddressedDice(match.dice_key, block)
        for rotation in range(match.rotations):
            places = sorted(range(seats), key=lambda p: seat_of(p, rotation, seats))
            current = 0

            def listen(event: Event, places: list[int] = places) -> None:
                nonlocal current
                if isinstance(event, TurnBegins):
                    current = places[event.seat - 1]
                elif isinstance(event, TurnEnds):
                    counts.turn_points[current, turn_bin(event.written)] += 1

            players = [Stops(thresholds[place]) for place in places]
            result = play_game(tables, players, dice, listener=listen)
            for place, tally, score in zip(places, result.tallies, result.scores, strict=True):
                counts.turns[place] += tally.turns
                counts.rolls[place] += tally.rolls
                counts.busts[place] += tally.busts
                counts.written[place] += tally.written
                counts.decisions[place] += tally.decisions
                counts.final_scores[place, score_bin(score, rules.target)] += 1
            counts.rounds[round_bin(result.rounds)] += 1
            counts.winners[block, rotation] = sum(1 << (seat - 1) for seat in result.winners)
            if result.forfeit is not None:
                counts.forfeits[places[result.forfeit.seat - 1]] += 1
    return MatchStats.from_counts(counts, counts.decisions // 50)


def stored(
    rules: Sequence[str],
    bots: Mapping[str, int],
    *,
    blocks: int,
    players: int = 2,
    faults: Sequence[Fault] = (),
    fixed_seats: bool = False,
) -> Stored:
    """A tournament of all lineups of so many players."""
    matches = []
    for name in rules:
        played = ruleset(name)
        for lineup in combinations(bots, players):
            table = {bot: bots[bot] for bot in lineup}
            match = match_of(played, table, fixed_seats=fixed_seats)
            matches.append(
                StoredMatch(
                    match=match,
                    ruleset=played,
                    stats=play(match, played, tuple(table.values()), blocks),
                    faults=tuple(f for f in faults if f.bot in lineup),
                    seconds=1.5,
                )
            )
    specs = [spec_of(name, points) for name, points in bots.items()]
    run = StoredRun(
        id=1,
        info=RunInfo(
            config='title = "Small"\nrules = ["tienduizend"]\n# <script>alert(1)</script>\n',
            config_path="configs/small_test.toml",
            command="arena run configs/small_test.toml --seed 7",
            settings=(("seed", "7"), ("format", "round-robin")),
            version="0.1.0",
            python="3.11.7",
            platform="Linux x86_64",
            cpus=2,
            workers=2,
            started="2026-01-02T03:04:05+00:00",
        ),
        finished="2026-01-02T03:05:06+00:00",
        matches=tuple(each.match.id for each in matches),
    )
    return Stored(
        name="reports/small/results.sqlite",
        matches=matches,
        bots={spec.key: StoredBot(spec=spec, source=SOURCE) for spec in specs},
        runs=(run,),
    )

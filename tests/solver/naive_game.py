"""Naive twins of whole games: two bots carried forward, and perfect play by value iteration."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import cache

from arena.game import Player, Turn
from arena.rules import MAX_ROLLS_PER_TURN, Ruleset, rule_tables
from tests.solver.naive import Ends, best_turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One player's score sheet, in points."""

    score: int = 0
    open: bool = False
    busts: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """What a player sees besides its turn."""

    own: Sheet
    other: int
    seat: int
    number: int
    last: bool


@dataclass(slots=True)
class Outcome:
    """How games come out."""

    wins: list[float]
    draw: float = 0.0


TINY = 1e-14


def turn_ends(rules: Ruleset, player: Player, table: Table) -> dict[tuple[str, int], float]:
    """How a turn ends: (bank, bust or win; points), by the rules of `Turn` alone."""
    tables = rule_tables(rules)
    ends: dict[tuple[str, int], float] = defaultdict(float)
    now = {(0, rules.dice, 0): 1.0}
    for rolls in range(1, MAX_ROLLS_PER_TURN + 1):
        then: dict[tuple[int, int, int], float] = defaultdict(float)
        for (points, dice, limited), mass in now.items():
            for roll, count in Counter(tables.outcomes[dice]).items():
                share = mass * count / 6**dice
                turn = Turn(
                    rules, roll, points=points, rolls=rolls, limited_rolls=limited + 1,
                    score=table.own.score, opponents=(table.other,), round=table.number,
                    seat=table.seat, last_round=table.last, to_beat=table.other,
                    busts=table.own.busts, open=table.own.open,
                )  # fmt: skip
                if roll.instant_win:
                    ends["win", 0] += share
                elif roll.bust and (dice < rules.dice or not rules.nothing_scores):
                    ends["bust", points] += share
                elif roll.bust:
                    gathered = points + rules.nothing_scores
                    if turn.has_rolls:
                        then[gathered, dice, limited + 1] += share
                    else:
                        ends["bank", gathered] += share
                else:
                    decision = player.decide(turn)
                    hold = decision.hold
                    if hold is None:
                        then[points, dice, limited + 1] += share
                        continue
                    on = turn.can_roll(hold) and (decision.action == "roll" or turn.must_roll(hold))
                    kept = 0 if hold.hot and rules.rolls_reset_on_hot_dice else limited + 1
                    if on:
                        then[points + hold.points, hold.dice_left, kept] += share
                    else:
                        ends["bank", points + hold.points] += share
        now = {key: mass for key, mass in then.items() if mass > TINY}
        if not now:
            break
    return ends


def after(rules: Ruleset, sheet: Sheet, kind: str, points: int) -> tuple[Sheet, int]:
    """The sheet after a turn, and what it wrote."""
    if kind == "bust" and rules.bust == "forfeit":
        points = 0
    written = points if points >= rules.minimum(is_open=sheet.open) else 0
    if written:
        return Sheet(score=sheet.score + written, open=True), written
    if kind != "bust":
        return sheet, 0
    penalty = rules.bust_penalty
    busts, score = min(sheet.busts + 1, 6), sheet.score  # no test has longer rows that matter
    if penalty.after and busts >= penalty.after:
        busts = 0 if penalty.resets else busts
        floor = score - penalty.points if penalty.floor is None else min(penalty.floor, score)
        score = max(score - penalty.points, floor)
    return Sheet(score=score, open=sheet.open, busts=busts), 0


def naive_game(rules: Ruleset, players: tuple[Player, Player], *, left: float) -> Outcome:
    """Carry a game of two forward until less than `left` of it is not over."""
    outcome = Outcome(wins=[0.0, 0.0])

    @cache
    def ends(table: Table) -> dict[tuple[str, int], float]:
        return turn_ends(rules, players[table.seat - 1], table)

    def decide(scores: tuple[int, int], leader: int | None, mass: float) -> None:
        if scores[0] == scores[1] and (rules.tie == "draw" or leader is None):
            outcome.draw += mass
        elif scores[0] == scores[1]:
            assert leader is not None
            outcome.wins[leader] += mass
        else:
            outcome.wins[int(scores[1] > scores[0])] += mass

    State = tuple[Sheet, Sheet, int]  # noqa: N806 - a type: both sheets, leader or -1
    now: dict[State, float] = {(Sheet(), Sheet(), -1): 1.0}
    for number in range(1, (rules.rounds or 1000) + 1):
        for seat in (0, 1):
            then: dict[State, float] = defaultdict(float)
            for (first, second, leader), mass in now.items():
                sheets = [first, second]
                if leader == seat:
                    decide((first.score, second.score), leader, mass)
                    continue
                own, other = sheets[seat], sheets[1 - seat].score
                table = Table(  # the bots of these tests tell larger numbers not apart
                    own=replace(own, busts=min(own.busts, 2)),
                    other=other,
                    seat=seat + 1,
                    number=min(number, 4),
                    last=leader >= 0,
                )
                for (kind, points), share in ends(table).items():
                    if kind == "win":
                        outcome.wins[seat] += mass * share
                        continue
                    sheets[seat], written = after(rules, own, kind, points)
                    leads = leader
                    if written and leader < 0 and sheets[seat].score >= rules.target:
                        if rules.end == "first_to_target":
                            outcome.wins[seat] += mass * share
                            continue
                        leads = seat
                    then[sheets[0], sheets[1], leads] += mass * share
            now = {state: mass for state, mass in then.items() if mass > TINY}
        if sum(now.values()) < left:
            break
    for (first, second, leader), mass in now.items():
        decide((first.score, second.score), leader if leader >= 0 else None, mass)
    return outcome


def naive_perfect(rules: Ruleset, *, sweeps: int) -> float:
    """Value of the game for the first seat, by value iteration over everything that comes up."""
    values: dict[tuple[Sheet, Sheet], float] = {}

    def last(sheet: Sheet, lead: int) -> float:
        key = lead - sheet.score, rules.minimum(is_open=sheet.open)
        return closing(*key)

    @cache
    def closing(need: int, minimum: int) -> float:
        equal = 0.5 if rules.tie == "draw" else 0.0

        def stop(points: int) -> float:
            if points < minimum or points < need:
                return 0.0
            return 1.0 if points > need else equal

        def lost(points: int) -> float:
            return stop(points) if rules.bust == "keep" else 0.0

        most = max(need + 1, minimum)
        return best_turn(rules, Ends(stop=stop, lost=lost, won=1.0), most=most)

    def to_move(mover: Sheet, other: Sheet) -> float:
        return values.setdefault((mover, other), 0.5)

    def mover_value(mover: Sheet, other: Sheet) -> float:
        def end(kind: str, points: int) -> float:
            sheet, written = after(rules, mover, kind, points)
            if written and sheet.score >= rules.target:
                if rules.end == "first_to_target":
                    return 1.0
                return 1.0 - last(other, sheet.score)
            return 1.0 - to_move(other, sheet)

        ends = Ends(
            stop=lambda points: end("bank", points),
            lost=lambda points: end("bust", points),
            won=1.0,
        )
        most = 6 * rules.target
        return best_turn(rules, ends, most=most)

    start = Sheet(), Sheet()
    to_move(*start)
    for _ in range(sweeps):
        before = dict(values)
        for mover, other in list(values):
            values[mover, other] = mover_value(mover, other)
        change = max(abs(values[key] - before.get(key, 9.0)) for key in values)
        if change < 1e-12:
            break
    return values[start]

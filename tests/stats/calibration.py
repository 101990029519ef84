"""Do the intervals keep their word?  Simulated tournaments from known strengths.

`python -m tests.stats.calibration [TOURNAMENTS]` prints the table of CALIBRATION.md; 1,000
tournaments take about four minutes on one free core.  The seeds are fixed.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version

import numpy as np

from arena.stats import (
    NORMALISED_ELO,
    Bound,
    Results,
    Sprt,
    Verdict,
    allocate,
    difference_errors,
    estimate_after_stop,
    estimate_moments,
    estimate_pair_table,
    fit_bradley_terry,
    fit_plackett_luce,
    fit_plackett_luce_orders,
    half_width_decision,
    pentanomial,
    rank_decision,
    rank_targets,
    ranks,
    rate_across,
    ruleset_ratings,
    seated_moments,
    sprt_state,
    width_targets,
)
from arena.stats.arrays import Bools, Floats, Ints

from .simulate import World, block_table, half_point_elo, play, play_seated, true_score

SEED = 10_000
Held = dict[str, list[bool]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One row of the table: how often what was promised came true."""

    name: str
    promised: str
    cases: int
    share: float


@dataclass(slots=True, kw_only=True)
class Tally:
    """Cases by name, in order of appearance."""

    held: Held = field(default_factory=dict)

    def add(self, name: str, held: Bools | list[bool] | bool) -> None:
        self.held.setdefault(name, []).extend(np.atleast_1d(np.asarray(held)).tolist())

    def lines(self, promised: str) -> Iterator[Line]:
        for name, cases in self.held.items():
            if not cases:
                continue
            yield Line(name=name, promised=promised, cases=len(cases), share=float(np.mean(cases)))


def random_world(bots: int, rng: np.random.Generator) -> World:
    """Close or spread fields, every fourth with an extreme bot; seat, draws, shared luck."""
    elo = rng.normal(0.0, rng.choice([20.0, 60.0, 150.0]), bots)
    if rng.random() < 0.25:
        elo[0] += rng.choice([-500.0, 500.0])
    return World(
        elo=elo,
        seat=float(rng.choice([0.0, 20.0, 80.0])),
        draws=float(rng.choice([0.0, 0.1, 0.3])),
        same=float(rng.choice([0.0, 0.4, 0.8])),
    )


def random_schedule(bots: int, rng: np.random.Generator) -> tuple[Ints, Ints, Ints]:
    """Pairs and blocks: half of the larger tournaments lack a third of their pairs."""
    first, second = np.triu_indices(bots, 1)
    if bots > 3 and rng.random() < 0.5:
        kept = (rng.random(len(first)) < 0.67) | (second - first == 1)
        first, second = first[kept], second[kept]
    base = rng.choice([8, 20, 60, 200])
    blocks = np.rint(base * rng.uniform(0.4, 1.6, len(first))).astype(np.int64)
    return first, second, blocks


def within(low: Floats | Ints, truth: Floats | Ints, high: Floats | Ints) -> Bools:
    return np.asarray((low <= truth) & (truth <= high))


def true_normalised(world: World, i: int, j: int) -> float:
    table = block_table(world, i, j)
    points = np.add.outer(np.arange(3), np.arange(3)) / 4
    mean = float((table * points).sum())
    deviation = math.sqrt(float((table * (points - mean) ** 2).sum()))
    return NORMALISED_ELO * (mean - 0.5) / deviation / math.sqrt(2.0)


def tournaments(count: int, rng: np.random.Generator) -> Tally:
    """Two seats: matches and joint standings of 2 to 12 bots."""
    tally = Tally()
    for _ in range(count):
        bots = int(rng.integers(2, 13))
        world = random_world(bots, rng)
        results = play(world, *random_schedule(bots, rng), rng)
        _check_matches(tally, world, results)
        _check_standings(tally, world, results, seed=int(rng.integers(2**31)))
    return tally


def _check_matches(tally: Tally, world: World, results: Results) -> None:
    for i, j, table in zip(results.first, results.second, results.tables, strict=True):
        found = estimate_pair_table(table)
        truth = true_score(world, int(i), int(j))
        tally.add("match: score", found.score.low <= truth <= found.score.high)
        elo = half_point_elo(world, int(i), int(j))
        tally.add("match: Elo", found.elo.low <= elo <= found.elo.high)
        assert found.nelo is not None
        nelo = true_normalised(world, int(i), int(j))
        tally.add("match: normalised Elo", found.nelo.low <= nelo <= found.nelo.high)


def _check_standings(tally: Tally, world: World, results: Results, seed: int) -> None:
    found = fit_bradley_terry(results)
    truth = world.elo - world.elo.mean()
    held = within(found.low, truth, found.high)
    tally.add("standings: Elo", held)
    tally.add("standings: Elo, extreme bot", held[np.abs(truth) > 400.0])
    tally.add("standings: seat term", found.seat.low <= world.seat <= found.seat.high)
    one, two = np.triu_indices(len(truth), 1)
    gap = found.ratings[one] - found.ratings[two] - truth[one] + truth[two]
    tally.add("standings: differences", np.abs(gap) <= 1.96 * difference_errors(found)[one, two])
    place = np.argsort(np.argsort(-truth)).astype(np.int64) + 1
    ranked = ranks(found, draws=1000, seed=seed)
    right = within(ranked.low, place, ranked.high)
    tally.add("ranks", right)
    tally.add("ranks, where more than one is possible", right[ranked.high > ranked.low])


def small_fields(count: int, rng: np.random.Generator) -> tuple[Tally, Tally]:
    """Standings of two bots, and of three; apart those with a bot that won or lost everything."""
    all_, unbounded = Tally(), Tally()
    for number in range(count):
        world = random_world(2 + number % 2, rng)
        found = fit_bradley_terry(play(world, *random_schedule(2 + number % 2, rng), rng))
        held = within(found.low, world.elo - world.elo.mean(), found.high)
        all_.add("standings: Elo, 2 or 3 bots", held)
        if any(bound is not Bound.FINITE for bound in found.bounds):
            unbounded.add("standings: Elo, 2 or 3 bots, one of them without bound", held)
    return all_, unbounded


def seated(count: int, rng: np.random.Generator) -> Tally:
    """Three to six seats: Plackett-Luce on winners and on orders, scores of single lineups."""
    tally = Tally()
    for _ in range(count):
        seats = int(rng.integers(3, 7))
        bots = int(rng.integers(seats, 13))
        elo = rng.normal(0.0, rng.choice([20.0, 60.0, 150.0]), bots)
        elo -= elo.mean()
        by_seat = rng.normal(0.0, rng.choice([0.0, 30.0]), seats)
        by_seat -= by_seat.mean()
        lineups = np.array(
            [rng.permutation(bots)[:seats] for _ in range(2 * math.ceil(bots / seats))]
            + [(np.arange(seats) + k) % bots for k in range(bots)]
        )
        blocks = rng.integers(4, int(rng.choice([10, 40])), len(lineups))
        same = float(rng.choice([0.0, 0.4, 0.8]))
        matches, orders = play_seated(elo, by_seat, lineups, blocks, rng, same=same)
        winners = fit_plackett_luce(matches)
        tally.add("Plackett-Luce, winners", within(winners.low, elo, winners.high))
        held = within(winners.seat_low, by_seat, winners.seat_high)
        tally.add("Plackett-Luce, winners: seats", held)
        full = fit_plackett_luce_orders(orders)
        tally.add("Plackett-Luce, orders", within(full.low, elo, full.high))
        score = estimate_moments(seated_moments(matches, 0, 0)).score
        truth = _seated_score(elo[lineups[0]], by_seat)
        tally.add("lineup: score", score.low <= truth <= score.high)
    return tally


def _seated_score(elo: Floats, by_seat: Floats) -> float:
    k = len(elo)
    turn = (np.arange(k)[:, None] + np.arange(k)) % k
    worth = 10.0 ** ((elo + by_seat[turn]) / 400.0)
    return float((worth[:, 0] / worth.sum(1)).mean())


def rulesets(count: int, rng: np.random.Generator) -> Tally:
    """Two to eight rulesets, bots of unequal spread, weights, some bots missing in places."""
    tally = Tally()
    for _ in range(count):
        bots, many = int(rng.integers(3, 11)), int(rng.integers(2, 9))
        truth = rng.normal(0.0, 80.0, bots)
        truth -= truth.mean()
        spread = rng.choice([0.0, 25.0, 60.0]) * rng.uniform(0.5, 1.5, bots)
        weights = rng.choice([1.0, 1.0, 2.0], many)
        blocks = int(rng.choice([20, 60]))
        standings = []
        for weight in weights:
            elo = truth + spread * rng.standard_normal(bots) / math.sqrt(weight)
            world = World(elo=elo, seat=20.0, draws=0.1, same=0.5)
            first, second = np.triu_indices(bots, 1)
            away = int(rng.integers(bots)) if bots > 4 and rng.random() < 0.2 else -1
            some = (first != away) & (second != away)
            first, second = first[some], second[some]
            results = play(world, first, second, np.full(len(first), blocks), rng)
            standings.append(fit_bradley_terry(results))
        found = rate_across(ruleset_ratings(standings, weights=weights))
        tally.add("over all rulesets: Elo", within(found.low, truth, found.high))
    return tally


def sequential_tests(count: int, rng: np.random.Generator) -> tuple[Tally, Tally, Tally]:
    """Errors of SPRTs with alpha = beta = 5 %, intervals and medians after their stop."""
    wrong, after, median = Tally(), Tally(), Tally()
    for number in range(count):
        width = float(rng.choice([20.0, 25.0, 50.0, 100.0]))
        low = float(rng.choice([-50.0, 0.0, 0.0, 100.0]))
        sprt = Sprt(elo0=low, elo1=low + width, look=int(rng.choice([1, 5, 10])))
        truth = sprt.elo0 if number % 2 else sprt.elo1
        world = World(
            elo=np.array([truth, 0.0]),
            draws=float(rng.choice([0.0, 0.2])),
            same=float(rng.choice([0.0, 0.5, 0.8])),
        )
        chance = block_table(world, 0, 1).ravel()
        table = np.zeros(9, dtype=np.int64)
        while True:
            table += rng.multinomial(sprt.look, chance)
            cells = pentanomial(table.reshape(3, 3))
            verdict = sprt_state(sprt, cells).verdict
            if verdict is not Verdict.RUNNING:
                break
        name = "SPRT: H1 accepted though H0 is true" if number % 2 else "SPRT: H0 though H1 is true"
        wrong.add(name, verdict is (Verdict.H1 if number % 2 else Verdict.H0))
        found = estimate_after_stop(sprt, cells).elo
        after.add("SPRT: Elo after the stop", found.low <= truth <= found.high)
        median.add("SPRT: estimate above the truth", found.value > truth)
    return wrong, after, median


def stopped(count: int, rng: np.random.Generator) -> tuple[Tally, Tally]:
    """Tournaments that stop by themselves: intervals at the stop, and claims about ranks."""
    widths, claims = Tally(), Tally()
    for number in range(count):
        bots = int(rng.integers(2, 7))
        world = random_world(bots, rng)
        if number % 2:
            results = _play_on(world, rng, _needs_width(40.0))
            found = fit_bradley_terry(results)
            truth = world.elo - world.elo.mean()
            widths.add("half_width: Elo at the stop", within(found.low, truth, found.high))
        else:
            results = _play_on(world, rng, _needs_ranks)
            decision = rank_decision(fit_bradley_terry(results), tie=30.0)
            gap = world.elo[:, None] - world.elo[None, :]
            false = (decision.stronger & (gap <= 0.0)) | (decision.tied & (np.abs(gap) > 30.0))
            claims.add("ranks: all claims of a tournament right", not bool(false.any()))
    return widths, claims


Needs = Callable[[Results], Floats]


def _needs_width(half_width: float) -> Needs:
    def targets(results: Results) -> Floats:
        found = fit_bradley_terry(results)
        return width_targets(half_width_decision(found, half_width=half_width))

    return targets


def _needs_ranks(results: Results) -> Floats:
    found = fit_bradley_terry(results)
    return rank_targets(found, rank_decision(found, tie=30.0))


def _play_on(world: World, rng: np.random.Generator, needs: Needs) -> Results:
    """Play eight blocks a pair, then what is allocated, until nothing is needed or 80 looks."""
    first, second = np.triu_indices(len(world.elo), 1)
    results = play(world, first, second, np.full(len(first), 8), rng)
    for _ in range(80):
        targets = needs(results)
        if not len(targets):
            break
        budget = max(4 * len(first), int(results.tables.sum()) // 10)
        plan = allocate(
            fit_bradley_terry(results),
            targets,
            first=first,
            second=second,
            deviation=np.full(len(first), 0.35),
            blocks=budget,
            piece=max(budget // 10, 1),
        )
        more = play(world, first, second, plan.blocks, rng)
        results = Results(
            bots=results.bots, first=first, second=second, tables=results.tables + more.tables
        )
    return results


def calibrate(count: int) -> Iterator[Line]:
    """Yield all lines for `count` tournaments; each part has its own fixed seed."""
    band = "93 to 97 %"
    yield from tournaments(count, np.random.default_rng([SEED, 1])).lines(band)
    few, unbounded = small_fields(2 * count, np.random.default_rng([SEED, 6]))
    yield from few.lines(band)
    yield from seated(max(count // 2, 10), np.random.default_rng([SEED, 2])).lines(band)
    yield from rulesets(max(count // 4, 10), np.random.default_rng([SEED, 3])).lines(band)
    wrong, after, median = sequential_tests(4 * count, np.random.default_rng([SEED, 4]))
    yield from after.lines(band)
    widths, claims = stopped(count, np.random.default_rng([SEED, 5]))
    yield from widths.lines(band)
    yield from unbounded.lines("at least 93 %")
    yield from claims.lines("at least 95 %")
    yield from wrong.lines("at most 5 %")
    yield from median.lines("50 %")


def table(lines: Iterable[Line]) -> str:
    """Return the lines as a Markdown table."""
    rows = ["| what | promised | cases | found |", "|---|---|---:|---:|"]
    rows += [f"| {x.name} | {x.promised} | {x.cases:,} | {x.share:.1%} |" for x in lines]
    return "\n".join(rows)


def main() -> None:
    """Print what was run, and the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    used = ", ".join(f"{name} {version(name)}" for name in ("arena-10000", "numpy", "scipy"))
    print(f"{count:,} tournaments, seed {SEED}, {used}\n\n{table(calibrate(count))}")


if __name__ == "__main__":
    main()

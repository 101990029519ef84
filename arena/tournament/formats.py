"""Who meets whom: each format yields rounds, and may look at how the earlier ones ended.

A format gets the field and the table of one ruleset. Bots are seeded in the order of the file. Two
bots meet for `blocks` blocks; when they meet again they play on, and all their games count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Final

from arena.bots.spec import BotSpec
from arena.tournament.config import FormatName
from arena.tournament.rounds import Round
from arena.tournament.table import Field, Lineup, Table, canonical

MOST_TRIES: Final = 10_000
"""A pairing without a second meeting is looked for in so many steps; then a second one is fine."""

Pair = tuple[BotSpec, BotSpec]


def round_robin(field: Field) -> Iterator[Lineup]:
    """Every set of `players` bots meets once."""
    yield from combinations(canonical(field.bots), field.players)


def gauntlet(field: Field) -> Iterator[Lineup]:
    """Every set meets once that has exactly one hero; the others are not heroes."""
    heroes = {hero.key for hero in field.heroes}
    others = [bot for bot in canonical(field.bots) if bot.key not in heroes]
    for hero in canonical(field.heroes):
        for rest in combinations(others, field.players - 1):
            yield canonical((hero, *rest))


def swiss(field: Field, table: Table) -> Iterator[Round]:
    """In every round bots of equal points meet that have not met before.

    A won meeting is a point, a level one half; where the number is odd, the last bot that had no
    rest yet has one, for a point.
    """
    scores = _Scores(field.bots)
    rested: set[str] = set()
    for number in range(1, field.rounds + 1):
        order = scores.order()
        when = f"round {number} of {field.rounds}"
        if len(order) % 2:
            resting = next(bot for bot in reversed(order) if bot.key not in rested)
            rested.add(resting.key)
            order.remove(resting)
            scores.rest(resting)
            table.tell(f"{when}: {resting.name} rests")
        pairs = _neighbours(order, table)
        yield Round(planned=tuple(table.meet(*pair) for pair in pairs), told=when)
        for pair in pairs:
            scores.add(pair, table)
            table.tell_meeting(when, *pair)
    scores.tell(table)


def knockout(field: Field, table: Table) -> Iterator[Round]:
    """Who loses is out; the best seeds rest in the first round where places are free.

    Of two that are level the one with the better seed goes on.
    """
    size = 1 << (len(field.bots) - 1).bit_length()
    alive = [field.bots[seed] if seed < len(field.bots) else None for seed in _bracket(size)]
    while len(alive) > 1:
        when = _stage(len(alive))
        both = list(zip(alive[::2], alive[1::2], strict=True))
        pairs = [(one, two) for one, two in both if one is not None and two is not None]
        yield Round(planned=tuple(table.meet(*pair) for pair in pairs), told=when)
        for pair in pairs:
            table.tell_meeting(when, *pair)
        alive = [_winner(one, two, field, table) for one, two in both]
    if alive[0] is not None:
        table.tell(f"winner: {alive[0].name}")


def ladder(field: Field, table: Table) -> Iterator[Round]:
    """Neighbours on the ladder meet, and the lower one that wins changes places with the upper.

    Every second round the pairs are shifted by one rung; who has no neighbour then rests.
    """
    rungs = list(field.bots)
    for number in range(1, field.rounds + 1):
        when = f"round {number} of {field.rounds}"
        uppers = range((number - 1) % 2, len(rungs) - 1, 2)
        planned = [table.meet(rungs[rung], rungs[rung + 1]) for rung in uppers]
        yield Round(planned=tuple(planned), told=when)
        for rung in uppers:
            upper, lower = rungs[rung : rung + 2]
            table.tell_meeting(when, upper, lower)
            if table.share(lower, upper) > 0.5:
                rungs[rung : rung + 2] = lower, upper
    for rung, bot in enumerate(rungs, start=1):
        table.tell(f"rung {rung}: {bot.name}")


def groups(field: Field, table: Table) -> Iterator[Round]:
    """Everybody meets everybody of its group; then the best of all groups play the final.

    In the final those meet that have not met in a group; meetings within a group count there too.
    """
    pools = _pools(field)
    planned = [table.meet(*pair) for pool in pools for pair in combinations(pool, 2)]
    yield Round(planned=tuple(planned), told="groups")
    finalists: list[BotSpec] = []
    for number, pool in enumerate(pools, start=1):
        scores = _scores_of(pool, table)
        scores.tell(table, f"group {number}, ")
        finalists += scores.order()[: field.advance]
    pairs = list(combinations(finalists, 2))
    fresh = [pair for pair in pairs if not table.asked(pair)]
    yield Round(planned=tuple(table.meet(*pair) for pair in fresh), told="final")
    for pair in fresh:
        table.tell_meeting("final", *pair)
    _scores_of(finalists, table).tell(table, "final, ")


ALL_AT_ONCE: Final[dict[FormatName, Callable[[Field], Iterator[Lineup]]]] = {
    "round-robin": round_robin,
    "gauntlet": gauntlet,
}
"""Formats whose matches are all known before."""

STEP_BY_STEP: Final[dict[FormatName, Callable[[Field, Table], Iterator[Round]]]] = {
    "swiss": swiss,
    "knockout": knockout,
    "ladder": ladder,
    "groups": groups,
}
"""Formats whose later matches follow from the results of earlier ones."""


class _Scores:
    """Points and shares of bots, seeded as given."""

    def __init__(self, bots: Sequence[BotSpec]) -> None:
        self._bots = list(bots)
        self._points = dict.fromkeys((bot.key for bot in bots), 0.0)
        self._shares: dict[str, list[float]] = {bot.key: [] for bot in bots}

    def add(self, pair: Pair, table: Table) -> None:
        """Take in how a pair stands."""
        for bot, other in (pair, pair[::-1]):
            share = table.share(bot, other)
            self._points[bot.key] += 1.0 if share > 0.5 else 0.5 if share == 0.5 else 0.0
            self._shares[bot.key].append(share)

    def rest(self, bot: BotSpec) -> None:
        """A point without a game."""
        self._points[bot.key] += 1.0

    def order(self) -> list[BotSpec]:
        """Most points first, then the larger mean share, then the better seed."""
        return sorted(self._bots, key=lambda bot: (-self._points[bot.key], -self._share(bot)))

    def tell(self, table: Table, where: str = "") -> None:
        """Add the order to what there is to tell."""
        for place, bot in enumerate(self.order(), start=1):
            points, share = self._points[bot.key], 100 * self._share(bot)
            word = "point" if points == 1 else "points"
            table.tell(
                f"{where}place {place}: {bot.name}, {points:g} {word}, {share:.1f} % of the games"
            )

    def _share(self, bot: BotSpec) -> float:
        shares = self._shares[bot.key]
        return round(sum(shares) / len(shares), 9) if shares else 0.5


def _scores_of(bots: Sequence[BotSpec], table: Table) -> _Scores:
    scores = _Scores(bots)
    for pair in combinations(bots, 2):
        scores.add(pair, table)
    return scores


def _neighbours(order: Sequence[BotSpec], table: Table) -> list[Pair]:
    """Pairs of neighbours that have not met, as far as there are such pairs."""
    tries = 0

    def pairs_of(left: Sequence[BotSpec]) -> list[Pair] | None:
        nonlocal tries
        if not left:
            return []
        tries += 1
        for place, other in enumerate(left[1:], start=1):
            if tries > MOST_TRIES:
                return None
            if not table.asked((left[0], other)):
                rest = pairs_of([*left[1:place], *left[place + 1 :]])
                if rest is not None:
                    return [(left[0], other), *rest]
        return None

    return pairs_of(order) or list(zip(order[::2], order[1::2], strict=True))


def _bracket(size: int) -> list[int]:
    """Seeds by place, so that the best meet last: 0, 7, 3, 4, 1, 6, 2, 5."""
    seeds = [0]
    while len(seeds) < size:
        seeds = [each for seed in seeds for each in (seed, 2 * len(seeds) - 1 - seed)]
    return seeds


def _stage(alive: int) -> str:
    return {2: "final", 4: "semi-finals", 8: "quarter-finals"}.get(alive, f"last {alive}")


def _winner(one: BotSpec | None, two: BotSpec | None, field: Field, table: Table) -> BotSpec | None:
    if one is None or two is None:
        return one or two
    better = min(one, two, key=field.bots.index)
    worse = two if better is one else one
    return worse if table.share(worse, better) > 0.5 else better


def _pools(field: Field) -> list[list[BotSpec]]:
    """Groups of about equal strength by seed: 1 2 3, then 3 2 1, and so on."""
    pools: list[list[BotSpec]] = [[] for _ in range(field.groups)]
    for seed, bot in enumerate(field.bots):
        lap, step = divmod(seed, field.groups)
        pools[step if lap % 2 == 0 else field.groups - 1 - step].append(bot)
    return pools

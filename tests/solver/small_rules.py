"""Small random rulesets, and bots that look at everything."""

from __future__ import annotations

from dataclasses import replace

from arena import Bot, Decision, Turn
from arena.bots.asking import LocalAsker
from arena.rules import Ruleset, rule_tables
from arena.solver.distributions import BotTurns
from tests.rules.random_rulesets import random_ruleset


def small_ruleset(seed: int, *, most_dice: int = 2, target: int = 500) -> Ruleset:
    """A random ruleset whose games are few enough to be carried through naively."""
    while True:
        rules = random_ruleset(seed)
        small = min(rules.target, target)
        fits = rules.minimum(is_open=False) <= small
        if rules.dice <= most_dice and fits and rules.nothing_scores < small:
            penalty = rules.bust_penalty
            if penalty.after and penalty.floor is None:
                penalty = replace(penalty, floor=-200)
            rounds = min(rules.rounds, 6)
            # Where nothing scores and all must roll, turns are long for a naive twin.
            limit = rules.max_rolls or (4 if rules.nothing_scores else 0)
            return replace(
                rules, target=small, rounds=rounds, bust_penalty=penalty, max_rolls=limit
            )
        seed += 1000


class Watcher(Bot):
    """Looks at all there is to see."""

    def __init__(self, points: int = 150, seed: int = 0) -> None:
        self.points = points
        self.seed = seed

    def decide(self, turn: Turn) -> Decision:
        hold = turn.holds[(self.seed + len(turn.dice)) % len(turn.holds)]
        goal = self.points
        if turn.to_beat - turn.score > 100:
            goal += 100
        if turn.last_round:
            goal = turn.to_beat - turn.score + 50
        if turn.busts >= 2:
            goal = 50
        if self.seed % 3 == 0 and turn.round > 3:
            goal += 50
        if self.seed % 2 and turn.seat == 2 and turn.rolls >= 3:
            goal = 0
        if turn.can_reroll and turn.points + hold.points < 100 and turn.limited_rolls < 3:
            return turn.reroll()
        if turn.points + hold.points >= goal and turn.can_bank(hold):
            return hold.bank()
        return hold.roll() if turn.points < 400 else hold.bank()


class Plain(Bot):
    """Takes the most points and stops at a number of them."""

    def __init__(self, points: int = 200) -> None:
        self.points = points

    def decide(self, turn: Turn) -> Decision:
        hold = turn.holds[0]
        return hold.bank() if turn.points + hold.points >= self.points else hold.roll()


def turns_of(rules: Ruleset, bot: Bot) -> BotTurns:
    """The computed turns of a bot of this process."""
    tables = rule_tables(rules)
    return BotTurns(tables, LocalAsker(lambda: bot, tables, 2), type(bot).name)

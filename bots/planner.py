"""A bot that thinks a whole turn to its end."""

from functools import lru_cache

from arena import Bot, Decision, Hold, Ruleset, Turn, ways

STEP = 50
"""Points are counted in steps of so many; nearly all rulesets pay in fifties."""

ENDLESS = 10
"""A limit of more rolls than this is taken for none."""


class Planner(Bot):
    """Knows what every situation within a turn is worth, and always takes the best way.

    What is it worth to have p points, m dice to roll and r rolls left? For each roll that may come
    it takes the best of all holds and ways, which leads to a situation with more points. So it
    begins at so many points that stopping is surely right (`most`), and works down to 0. The
    result is the play with the most points a turn. It does not look at the scores until the last
    round, in which it rolls until it has beaten the leader.
    """

    def __init__(self, most: int = 4000) -> None:
        self.most = most

    def decide(self, turn: Turn) -> Decision:
        """The way that is worth most."""
        plan = make_plan(turn.rules, int(turn.minimum), self.most)
        left = turn.rules.max_rolls - int(turn.limited_rolls) if plan.limited else 1
        points = int(turn.points)
        best = max(turn.holds, key=lambda hold: plan.after(hold, points, left))
        worth = plan.after(best, points, left)
        if turn.can_reroll and plan.again(left) > worth:
            return turn.reroll()
        points += best.points
        if turn.last_round and points <= turn.to_beat - turn.score:
            return best.roll()
        if turn.can_bank(best) and points >= worth:
            return best.bank()
        if turn.can_bank(best) and turn.score + points >= turn.rules.target:
            return best.bank()
        return best.roll()


class Plan:
    """The worth of situations, in points written at the end of the turn."""

    def __init__(self, rules: Ruleset, minimum: int, most: int) -> None:
        self.rules = rules
        self.minimum = minimum
        self.limited = 0 < rules.max_rolls <= ENDLESS
        self.rolls = {dice: short(rules, dice) for dice in range(1, rules.dice + 1)}
        self.ways = {dice: sum(count for _, _, count in self.rolls[dice]) for dice in self.rolls}
        self.worth: dict[tuple[int, int, int], float] = {}
        lefts = range(1, rules.max_rolls + 1) if self.limited else [1]
        for points in range((minimum + most) // STEP * STEP, -1, -STEP):
            for left in lefts:
                for dice in self.rolls:
                    self.worth[points, dice, left] = self.roll(points, dice, left)
        self.first = self.first_rolls() if rules.reroll_all else []

    def roll(self, points: int, dice: int, left: int) -> float:
        """Worth of rolling the dice."""
        kept = self.written(points) if self.rules.bust == "keep" else 0
        total = 0.0
        for holds, goes_on, count in self.rolls[dice]:
            if holds:
                total += count * max(self.after(hold, points, left - 1, goes_on) for hold in holds)
            elif dice == self.rules.dice and self.rules.nothing_scores:
                total += count * self.rolled(points + self.rules.nothing_scores, dice, left - 1)
            else:
                total += count * kept
        return total / self.ways[dice]

    def after(self, hold: Hold, points: int, left: int, goes_on: bool = True) -> float:
        """Worth of keeping a hold, with so many points before it and so many rolls left."""
        points += hold.points
        if hold.hot and self.rules.rolls_reset_on_hot_dice:
            left = self.rules.max_rolls
        if not goes_on or (hold.hot and self.rules.hot_dice == "end"):
            return self.written(points)
        rolled = self.rolled(points, hold.dice_left, left)
        if hold.hot and self.rules.hot_dice == "must":
            return rolled
        return max(rolled, self.written(points))

    def rolled(self, points: int, dice: int, left: int) -> float:
        """Worth of rolling on, where a roll is left; otherwise of what is written."""
        if not self.limited:
            left = 1
        known = self.worth.get((points // STEP * STEP, dice, left))
        return self.written(points) if known is None else known

    def written(self, points: int) -> int:
        """What stopping writes."""
        return points if points >= self.minimum else 0

    def again(self, left: int) -> float:
        """Worth of the free re-roll of all dice, with so many rolls left."""
        return self.first[min(left, ENDLESS) if self.limited else -1]

    def first_rolls(self) -> list[float]:
        """Worth of rolling all dice with the free re-roll, by rolls left."""
        worth = [0.0]
        for left in range(1, ENDLESS + 1 if self.limited else 100):
            total = 0.0
            for holds, goes_on, count in self.rolls[self.rules.dice]:
                if holds:
                    keep = max(self.after(hold, 0, left - 1, goes_on) for hold in holds)
                    total += count * max(keep, worth[-1] if goes_on else 0)
            worth.append(total / self.ways[self.rules.dice])
        return worth


def short(rules: Ruleset, dice: int) -> list[tuple[tuple[Hold, ...], bool, int]]:
    """The rolls of so many dice, those with equal holds together: holds, goes on, ways."""
    found: dict[tuple[object, ...], tuple[tuple[Hold, ...], bool, int]] = {}
    for roll, count in ways(rules, dice):
        key = (roll.goes_on, *((hold.points, hold.dice_left) for hold in roll.holds))
        before = found[key][2] if key in found else 0
        found[key] = (roll.holds, roll.goes_on, before + count)
    return list(found.values())


make_plan = lru_cache(maxsize=32)(Plan)

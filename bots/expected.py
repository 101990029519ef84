"""A bot that calculates what one more roll brings on average."""

from functools import lru_cache

from arena import Bot, Decision, Ruleset, Turn, ways


class Expected(Bot):
    """Rolls on when one more roll is worth more than it risks.

    With p points and m dice to roll, s of the 6**m ways score something: then p is safe and the
    new points are added, otherwise all is lost. So rolling is worth (s * p + new points of all
    ways) / 6**m on average, and stopping is worth p. It decides for whatever is worth most. It
    thinks no further than one roll ahead and looks at no score.
    """

    def decide(self, turn: Turn) -> Decision:
        """Whatever is worth most."""
        best, most = turn.holds[0].bank(), -1.0
        if turn.can_reroll:
            best, most = turn.reroll(), next_roll(turn.rules, turn.rules.dice, 0)
        for hold in turn.holds:
            points = turn.points + hold.points
            if turn.can_roll(hold):
                worth = next_roll(turn.rules, hold.dice_left, points)
                if worth > most:
                    best, most = hold.roll(), worth
            if turn.can_bank(hold) and points >= most:
                best, most = hold.bank(), float(points)
        return best


def next_roll(rules: Ruleset, dice: int, points: int) -> float:
    """Average worth of a roll with so many points at stake."""
    safe, gain = outlook(rules, dice)
    return safe * points + gain


@lru_cache
def outlook(rules: Ruleset, dice: int) -> tuple[float, float]:
    """The chance that nothing is lost with a roll, and the average of its new points."""
    total = safe = gain = 0
    for roll, count in ways(rules, dice):
        total += count
        if roll.holds or rules.bust == "keep":
            safe += count
        if roll.holds:
            gain += count * roll.holds[0].points
    return safe / total, gain / total

"""The bot file that `arena new-bot` writes."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass

from arena.bots.bot import bot_name
from arena.errors import UsageError

_TEMPLATE = '''\
"""My bot."""

from arena import Bot, Decision, Turn


class {class_name}(Bot):
    """One line that says what is special about this bot.

    The lines below it are for whoever wants to know more. Say what you tried and why.
    """

    # Parameters are the keywords of __init__, each with a default. From the command line:
    #     arena match {name}:points=500 hold --rules tienduizend
    def __init__(self, points: int = 350) -> None:
        self.points = points

    def decide(self, turn: Turn) -> Decision:
        """What to do with this roll; asked after every roll that scores."""
        # The dice lie on the table: turn.dice, for example (1, 2, 3, 5, 5, 6).
        # turn.holds are all ways to set some of them aside, most points first. Each has
        #     hold.dice, hold.points, hold.dice_left (to roll next) and hold.hot (all have scored).
        # Answer with hold.bank() to stop, or hold.roll() to roll the dice that are left.
        hold = turn.holds[0]

        # turn.points were gathered in this turn before this roll; a bust would lose them all.
        at_stake = turn.points + hold.points

        # What else can be seen:
        #     turn.score, turn.opponents (the scores of the others), turn.to_beat (the highest),
        #     turn.last_round, turn.round, turn.rolls, turn.rules.target, turn.minimum
        # Somebody has reached the target, and this is the last turn: less than that is nothing.
        if turn.last_round and turn.score + at_stake <= turn.to_beat:
            return hold.roll()

        # turn.can_bank(hold) says whether the points would be written: a turn must be worth a
        # minimum. turn.can_reroll says whether turn.reroll() is allowed: all dice again, for free.
        if at_stake >= self.points and turn.can_bank(hold):
            return hold.bank()
        return hold.roll()

    # Answer from `turn` alone: answers are remembered, which makes this bot fast. For chance use
    # turn.rng, never the module random. A bot that must keep notes during a game says so:
    #     class {class_name}(Bot, remembers=True):
'''


@dataclass(frozen=True, slots=True, kw_only=True)
class NewBot:
    """A bot file to be written.

    Attributes:
        name: of the bot.
        class_name: of its class.
        file_name: of its file.
        text: of the file.
    """

    name: str
    class_name: str
    file_name: str
    text: str


def new_bot(wanted: str) -> NewBot:
    """The file of a new bot, from a name such as `my-bot`, `my_bot` or `MyBot`.

    Raises:
        UsageError: the name is none for a bot.
    """
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9]*([-_][A-Za-z0-9]+)*", wanted):
        raise UsageError(
            f"{wanted!r} is no name for a bot: begin with a letter, then letters and digits, words "
            "parted by single dashes, for example my-bot"
        )
    words = re.split("[-_]", wanted)
    class_name = "".join(word[0].upper() + word[1:] for word in words)
    name = bot_name(class_name)
    if class_name in ("Bot", "Decision", "Turn") or keyword.iskeyword(class_name):
        raise UsageError(f"{wanted!r} is no name for a bot: {class_name} means something else")
    return NewBot(
        name=name,
        class_name=class_name,
        file_name=name.replace("-", "_") + ".py",
        text=_TEMPLATE.format(class_name=class_name, name=name),
    )

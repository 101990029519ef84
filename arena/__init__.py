"""What a bot imports: `from arena import Bot, Decision, Turn`."""

from arena.bots.batch import BatchBot, Positions
from arena.bots.bot import Bot
from arena.game.turn import Turn
from arena.rules.holds import Decision, Hold
from arena.rules.ruleset import Ruleset
from arena.rules.ways import ways
from arena.solver.lazy import solved, solved_turn

__all__ = [
    "BatchBot",
    "Bot",
    "Decision",
    "Hold",
    "Positions",
    "Ruleset",
    "Turn",
    "solved",
    "solved_turn",
    "ways",
]

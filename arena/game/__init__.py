"""One game, readable: the dice, what a player sees, the referee and its transcripts."""

from arena.game.counts import Counts, zero_counts
from arena.game.dice import AddressedDice, Dice, match_key, rng_key
from arena.game.events import Event, Forfeit, GameResult, GameStopped, SeatTally, Termination
from arena.game.position import asked_text, decision_text, legal_decisions, position_text
from arena.game.questions import FAULT, UNBOUNDED, Answers, Asked, Feature, Questions, feature_count
from arena.game.referee import MAX_SEATS, MIN_SEATS, is_legal, play_game
from arena.game.transcript import Recorder, Transcript, event_line, read_transcript, replay
from arena.game.turn import Player, Turn

__all__ = [
    "FAULT",
    "MAX_SEATS",
    "MIN_SEATS",
    "UNBOUNDED",
    "AddressedDice",
    "Answers",
    "Asked",
    "Counts",
    "Dice",
    "Event",
    "Feature",
    "Forfeit",
    "GameResult",
    "GameStopped",
    "Player",
    "Questions",
    "Recorder",
    "SeatTally",
    "Termination",
    "Transcript",
    "Turn",
    "asked_text",
    "decision_text",
    "event_line",
    "feature_count",
    "is_legal",
    "legal_decisions",
    "match_key",
    "play_game",
    "position_text",
    "read_transcript",
    "replay",
    "rng_key",
    "zero_counts",
]

"""What each key of a ruleset file means, in one line for people."""

from __future__ import annotations

from typing import Final

MEANINGS: Final = {
    "dice": "dice in the cup, 1 to 6",
    "target": "the score to reach; exactly the target suffices",
    "opening_minimum": "what the first turn that a player banks must be worth; 0 is none",
    "bank_minimum": "what every banked turn must be worth; 0 is none",
    "max_rolls": "rolls in one turn, the first included; 0 is no limit",
    "rolls_reset_on_hot_dice": "whether that count starts anew once all dice have scored",
    "hot_dice": "all dice have scored: may or must roll them all again, or the turn must end",
    "bust": "a roll that scores nothing: forfeit the turn's points, or keep what can be written",
    "reroll_all": "whether all dice may be rolled again after a first roll that scores",
    "continue_faces": "rolling on needs one of these faces in the roll; [] is any",
    "end": "first_to_target wins at once; last_round gives everybody else one more turn",
    "tie": "who equals the leader in the last round: the leader wins, or the game is a draw",
    "instant_win": "dice that win the game at once when they are rolled",
    "rounds": "the game ends after so many rounds, the highest score wins; 0 is no limit",
    "bust_penalty": "what a row of busts costs: after how many, points, resets, floor",
    "nothing_scores": "what a roll of all dice that scores nothing counts; 0: it is a bust",
    "combinations": "dice that score together; letters are any different faces; 0 takes one out",
}
"""Every key that says how the game is played, in the order of the format."""

"""A position as text: what is on the table, and what may be done."""

from __future__ import annotations

from arena.game.questions import FAULT
from arena.game.turn import Turn
from arena.rules import REROLL_CODE, Hold


def asked_text(turn: Turn) -> str:
    """A position and every legal decision, line by line."""
    possible = "\n".join(f"  {each}" for each in legal_decisions(turn))
    return f"{position_text(turn)}\nit could have answered\n{possible}"


def legal_decisions(turn: Turn) -> tuple[str, ...]:
    """Every legal decision, as an author writes it and as it reads."""
    shown = [f"turn.holds[{hold.index}].{_ways(turn, hold)}" for hold in turn.holds]
    return (*shown, "turn.reroll()") if turn.can_reroll else tuple(shown)


def _ways(turn: Turn, hold: Hold) -> str:
    kept = f"keeps {' '.join(map(str, hold.dice))} for {hold.points}"
    if not turn.can_roll(hold):
        return f"bank()  {kept}; no further roll is possible"
    if turn.must_roll(hold):
        return f"roll()  {kept}; all dice must roll on"
    return f"bank() or .roll()  {kept}, {hold.dice_left} dice would roll on"


def decision_text(turn: Turn, code: int) -> str:
    """A decision as an author writes it; `code` is a `Decision.code`, or FAULT for none."""
    if code == FAULT:
        return "nothing"
    if code == REROLL_CODE:
        return "turn.reroll()"
    return f"turn.holds[{code >> 1}].{'roll' if code & 1 else 'bank'}()"


def position_text(turn: Turn) -> str:
    """A position for people, line by line as in a transcript; ends with the roll."""
    others = " ".join(map(str, turn.opponents))
    who = "the other" if len(turn.opponents) == 1 else "the others"
    flags = [] if turn.open else ["not open"]
    flags += ["the last turn"] if turn.last_round else []
    flags += [f"{turn.busts} busts in a row"] if turn.busts else []
    about = f", {', '.join(flags)}" if flags else ""
    lines = [
        f"rules: {turn.rules.name}",
        f"round {turn.round}, seat {turn.seat}",
        f"  score {turn.score}, {who} {others}{about}",
        f"  {turn.points} points in this turn, roll number {turn.rolls}",
        f"  roll {' '.join(map(str, turn.dice))}",
    ]
    return "\n".join(lines)

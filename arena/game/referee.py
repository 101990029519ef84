"""The referee: one game, event by event, to be read beside the rules.

It is the truth that the compiled kernel is tested against; where the two differ, one of them has a
bug. Clarity comes before speed here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.game.dice import Dice
from arena.game.events import (
    Busted,
    Decided,
    Event,
    Forfeit,
    GameEnds,
    GameResult,
    GameStopped,
    NothingScored,
    Rolled,
    SeatTally,
    Termination,
    TurnBegins,
    TurnEnds,
)
from arena.game.position import asked_text
from arena.game.turn import Player, Turn
from arena.rules import MAX_ROUNDS, REROLL, Decision, Roll, RuleTables

MIN_SEATS, MAX_SEATS = 2, 8

Listener = Callable[[Event], None]
RngSeed = Callable[[int, int, int], int]


def play_game(
    tables: RuleTables,
    players: Sequence[Player],
    dice: Dice,
    *,
    rng_seed: RngSeed | None = None,
    listener: Listener | None = None,
) -> GameResult:
    """Play one game to its end.

    Args:
        tables: of the ruleset.
        players: in seat order, 2 to 8.
        dice: where the rolls come from.
        rng_seed: seed of `turn.rng` from (seat, turn of that seat, roll); 0 throughout if None.
        listener: is told every event as it happens.

    Raises:
        ValueError: the number of players.
    """
    if not MIN_SEATS <= len(players) <= MAX_SEATS:
        raise ValueError(f"a game has {MIN_SEATS} to {MAX_SEATS} players, not {len(players)}")
    return _Game(tables, players, dice, rng_seed, listener).play()


class _Seat:
    """What is written on the score sheet of one player."""

    __slots__ = (
        "busts",
        "busts_in_a_row",
        "decisions",
        "open",
        "player",
        "rolls",
        "score",
        "turns",
        "written",
    )

    def __init__(self, player: Player) -> None:
        self.player = player
        self.score = 0
        self.open = False
        self.busts_in_a_row = 0
        self.turns = self.rolls = self.busts = self.written = self.decisions = 0

    def tally(self) -> SeatTally:
        return SeatTally(
            turns=self.turns,
            rolls=self.rolls,
            busts=self.busts,
            written=self.written,
            decisions=self.decisions,
        )


class _Over(Exception):  # noqa: N818 - it ends a game, it is no error
    """Unwinds a turn when the game is over at once."""

    def __init__(self, termination: Termination, forfeit: Forfeit | None = None) -> None:
        self.termination = termination
        self.forfeit = forfeit


class _Game:
    def __init__(
        self,
        tables: RuleTables,
        players: Sequence[Player],
        dice: Dice,
        rng_seed: RngSeed | None,
        listener: Listener | None,
    ) -> None:
        self.rules = tables.ruleset
        self.outcomes = tables.outcomes
        self.seats = [_Seat(player) for player in players]
        self.dice = dice
        self.rng_seed = rng_seed
        self.listener = listener
        self.rounds = 0
        self.leader: int | None = None  # index of the seat that reached the target first

    def tell(self, event: Event) -> None:
        if self.listener is not None:
            self.listener(event)

    def play(self) -> GameResult:
        forfeit = None
        current = 0
        try:
            termination = Termination.ROUNDS
            for number in range(1, (self.rules.rounds or MAX_ROUNDS) + 1):
                self.rounds = number
                for current in range(len(self.seats)):
                    self.play_turn(current)
                    if self.leader == (current + 1) % len(self.seats):
                        raise _Over(Termination.TARGET)  # everybody else has had one more turn
        except _Over as over:
            termination, forfeit = over.termination, over.forfeit
        winners = self.winners(current, termination)
        scores = tuple(seat.score for seat in self.seats)
        self.tell(GameEnds(winners=winners, scores=scores, termination=termination))
        return GameResult(
            winners=winners,
            scores=scores,
            termination=termination,
            rounds=self.rounds,
            tallies=tuple(seat.tally() for seat in self.seats),
            forfeit=forfeit,
        )

    def winners(self, current: int, termination: Termination) -> tuple[int, ...]:
        """Seats that win, from 1, when the game ends in the turn of `current`."""
        if termination is Termination.INSTANT_WIN:
            return (current + 1,)
        if termination is Termination.FORFEIT:
            return tuple(i + 1 for i in range(len(self.seats)) if i != current)
        best = max(seat.score for seat in self.seats)
        highest = tuple(i for i, seat in enumerate(self.seats) if seat.score == best)
        if self.rules.tie == "leader" and self.leader in highest:
            return (self.leader + 1,)
        return tuple(i + 1 for i in highest)

    def play_turn(self, current: int) -> None:
        seat = self.seats[current]
        seat.turns += 1
        if self.listener is not None:
            self.tell(TurnBegins(round=self.rounds, seat=current + 1))
        points, busted = self.gather(current)
        if busted and self.rules.bust == "forfeit":
            points = 0
        written = points if points >= self.rules.minimum(is_open=seat.open) else 0
        if written:
            seat.open = True
            seat.written += written
            seat.score += written
        penalty = self.count_bust(seat, busted=busted, written=written)
        if busted:
            seat.busts += 1
            self.tell(Busted(penalty=penalty))
        self.end_turn(current, written)

    def end_turn(self, current: int, written: int) -> None:
        seat = self.seats[current]
        first = bool(written) and self.leader is None and seat.score >= self.rules.target
        if first:
            self.leader = current
        goes_on = first and self.rules.end == "last_round"
        self.tell(TurnEnds(written=written, score=seat.score, last_round=goes_on))
        if first and not goes_on:
            raise _Over(Termination.TARGET)

    def count_bust(self, seat: _Seat, *, busted: bool, written: int) -> int:
        """Carry on the row of busts; the penalty that was taken off the score."""
        penalty = self.rules.bust_penalty
        if written:
            seat.busts_in_a_row = 0
        elif busted:
            seat.busts_in_a_row += 1
            if penalty.after and seat.busts_in_a_row >= penalty.after:
                if penalty.resets:
                    seat.busts_in_a_row = 0
                before = seat.score
                floor = penalty.floor
                after = before - penalty.points
                seat.score = after if floor is None else max(after, min(floor, before))
                return before - seat.score
        return 0

    def gather(self, current: int) -> tuple[int, bool]:
        """Roll and decide until the turn ends; its points, and whether a bust ended it."""
        rules = self.rules
        points = rolls = limited_rolls = 0
        dice = rules.dice
        while True:
            rolls += 1
            limited_rolls += 1
            roll = self.throw(current, rolls, dice)
            turn = self.turn(current, roll, points, rolls, limited_rolls)
            if roll.bust:
                if dice < rules.dice or not rules.nothing_scores:
                    return points, True
                points += rules.nothing_scores
                self.tell(NothingScored(points=rules.nothing_scores))
                if not turn.has_rolls:
                    return points, False
                continue
            decision = self.ask(current, turn)
            hold = decision.hold
            if hold is None:
                self.tell(Decided(decision=decision, rolls_on=True))
                continue
            rolls_on = turn.can_roll(hold) and (decision.action == "roll" or turn.must_roll(hold))
            points += hold.points
            dice = hold.dice_left
            if hold.hot and rules.rolls_reset_on_hot_dice:
                limited_rolls = 0
            if self.listener is not None:
                self.tell(Decided(decision=decision, rolls_on=rolls_on))
            if not rolls_on:
                return points, False

    def throw(self, current: int, rolls: int, dice: int) -> Roll:
        seat = self.seats[current]
        seat.rolls += 1
        outcome = self.dice.outcome(seat=current + 1, turn=seat.turns, roll=rolls, dice=dice)
        roll = self.outcomes[dice][outcome]
        if self.listener is not None:
            self.tell(Rolled(roll=roll))
        if roll.instant_win:
            raise _Over(Termination.INSTANT_WIN)
        return roll

    def turn(self, current: int, roll: Roll, points: int, rolls: int, limited_rolls: int) -> Turn:
        """What the player sees."""
        seats = self.seats
        seat = seats[current]
        scores = [other.score for other in seats]
        opponents = (*scores[current + 1 :], *scores[:current])
        seed = self.rng_seed(current + 1, seat.turns, rolls) if self.rng_seed else 0
        return Turn(
            self.rules,
            roll,
            points=points,
            rolls=rolls,
            limited_rolls=limited_rolls,
            score=seat.score,
            opponents=opponents,
            round=self.rounds,
            seat=current + 1,
            last_round=self.leader is not None,
            to_beat=max(opponents),
            busts=seat.busts_in_a_row,
            open=seat.open,
            rng_seed=seed,
        )

    def ask(self, current: int, turn: Turn) -> Decision:
        seat = self.seats[current]
        seat.decisions += 1
        try:
            decision = seat.player.decide(turn)
            legal = is_legal(decision, turn)
        except (GameStopped, KeyboardInterrupt):
            raise
        except BaseException as error:  # whatever a player raises is its own fault
            raise _Over(Termination.FORFEIT, _forfeit(current, turn, error, "")) from None
        if not legal:
            answer = _short(decision)
            raise _Over(Termination.FORFEIT, _forfeit(current, turn, None, answer))
        return decision


def is_legal(decision: object, turn: Turn) -> bool:
    """Whether it is a decision of this very roll."""
    if type(decision) is not Decision:
        return False
    if decision is REROLL:
        return turn.can_reroll
    return any(decision is hold.bank() or decision is hold.roll() for hold in turn.holds)


def _forfeit(current: int, turn: Turn, error: BaseException | None, answer: str) -> Forfeit:
    return Forfeit(seat=current + 1, error=error, answer=answer, position=asked_text(turn))


def _short(value: object) -> str:
    try:
        text = repr(value)
    except Exception:  # an answer may be anything, its repr may raise
        text = f"an object of {type(value).__name__} that cannot be shown"
    return text if len(text) <= 200 else text[:197] + "..."

"""`LocalAsker`: one bot of this process, asked in batches.

An ordinary bot is asked twice about each position: first with plain integers, whose answer counts,
then with observed numbers, which give the notes under which the answer may be remembered. A bot
that remembers, or that turned out to be unrepeatable, is asked once, with plain integers.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.bots.asking_faults import (
    AskFault,
    AskFaultKind,
    NoDecision,
    author_file,
    raised,
    wrong_answer,
)
from arena.bots.bot import Bot
from arena.bots.discovery_import import captured_output
from arena.bots.notebook import Desk, Notebook, Weights
from arena.bots.traced_turn import TracedTurn
from arena.game.questions import FAULT, Answers, Feature, Questions, feature_count
from arena.game.turn import Turn
from arena.rules import MAX_ROLLS_PER_TURN, REROLL, Decision, Roll, Ruleset, RuleTables

if TYPE_CHECKING:
    from numpy.typing import NDArray

KEPT_FAULTS: Final = 20
"""Faults that are kept with all their details; more are only counted."""

KEPT_WHOLE: Final = 1000
"""Answers noted with their whole position because observed numbers failed; later ones are not
repeatable, since whole positions seldom come again and would only fill the memory."""

Decide = Callable[[Turn], object]


class LocalAsker:
    """A bot of this process that answers batches; see `arena.game.Asked`.

    Args:
        bot_factory: makes a new instance of the bot; what it raises at once is passed on.
        tables: of the ruleset.
        seats: players in the game.

    Attributes:
        remembers: whether the bot keeps notes during a game.
        mismatches: answers that came out otherwise, or not at all, with observed numbers.
        faults: the first `KEPT_FAULTS`; fault_count: how many there were.
    """

    def __init__(self, bot_factory: Callable[[], Bot], tables: RuleTables, seats: int) -> None:
        self._factory = bot_factory
        self._bot = bot_factory()
        self._path = author_file(self._bot)
        self._rules = tables.ruleset
        self._rolls = tables.rolls
        self._legal: list[dict[Decision, int]] = [{} for _ in range(len(tables.rolls))]
        self._seats = seats
        self._desk = Desk()
        self._games: dict[int, Decide] = {}
        self._printed: Callable[[], str] = str
        self._batch = -1
        self._audits = 0
        self._repeatable = not self._bot.remembers
        self.remembers = bool(self._bot.remembers)
        self.mismatches = 0
        self.faults: list[AskFault] = []
        self.fault_count = 0

    @property
    def repeatable(self) -> bool:
        """Whether answers may be remembered; once False it stays False."""
        return self._repeatable

    def answer(self, questions: Questions) -> Answers:
        """Answer all questions, in order."""
        return self.taken(questions).answers(feature_count(self._seats))

    def taken(self, questions: Questions) -> Taken:
        """Answer all questions, in order; as lists."""
        self._batch += 1
        taken = Taken()
        with captured_output() as output:
            self._printed = output.getvalue
            if self.remembers:
                self._remembering(questions, taken)
            else:
                self._ordinary(questions, taken)
        if not self._repeatable:
            taken.disbelieve()
        return taken

    def audit(self, questions: Questions) -> NDArray[np.int64]:
        """int64[N]: decision codes of a fresh instance, asked with plain integers in other order.

        Used to check remembered answers; faults are not recorded.
        """
        return np.array(self.audited(questions), dtype=np.int64)

    def audited(self, questions: Questions) -> list[int]:
        """The same as a list."""
        self._audits += 1
        codes = [FAULT] * len(questions)
        asked = list(enumerate(_positions(questions)))
        random.Random(self._audits).shuffle(asked)
        kept = []  # all turns stay alive, so that no two have the same id()
        with captured_output():
            try:
                decide = self._new().decide
            except NoDecision:
                return codes
            for i, (roll, features, seed) in asked:
                turn = self._turn(roll, features, seed)
                kept.append(turn)
                try:
                    codes[i] = self._code(decide, turn, roll, features)
                except NoDecision:
                    continue
        return codes

    def distrust(self, question: Questions) -> None:
        """Take down that the bot answered this one question differently when asked again.

        From then on `repeatable` is False and the bot is asked every time.
        """
        roll, features, seed = next(iter(_positions(question)))
        self._distrust(
            "asked the same again, the bot answered otherwise", self._turn(roll, features, seed)
        )

    def fault_at(self, question: int) -> AskFault | None:
        """The fault behind a FAULT of the last batch, if it was kept."""
        found = [f for f in self.faults if (f.batch, f.question) == (self._batch, question)]
        return found[0] if found else None

    # Asking with plain integers

    def _remembering(self, questions: Questions, taken: Taken) -> None:
        slots = zip(questions.slots.tolist(), questions.fresh.tolist(), strict=True)
        for (roll, features, seed), (slot, fresh) in zip(_positions(questions), slots, strict=True):
            turn = self._turn(roll, features, seed)
            try:
                if fresh or slot not in self._games:
                    self._games[slot] = self._new().decide
                taken.code(self._code(self._games[slot], turn, roll, features))
            except NoDecision as failure:
                taken.code(self._failed(failure, len(taken.codes), turn))

    def _ordinary(self, questions: Questions, taken: Taken) -> None:
        for roll, features, seed in _positions(questions):
            self._desk.stale = False
            turn = self._turn(roll, features, seed)
            try:
                code = self._code(self._bot.decide, turn, roll, features)
            except NoDecision as failure:
                taken.code(self._second_chance(failure, len(taken.codes), turn, roll, features))
                continue
            book = None
            if self._repeatable and turn._rng is None:
                book = self._trace(code, roll, features, seed)
            if book is None:
                taken.code(code)
            else:
                taken.noted(code, book)

    def _turn(self, roll: int, features: list[int], seed: int) -> Turn:
        return plain_turn(self._rules, self._rolls[roll], features, seed)

    def _code(self, decide: Decide, turn: Turn, roll: int, features: list[int]) -> int:
        """Code of what a bot decides.

        Raises:
            NoDecision: it raised, or decided what is no legal decision.
        """
        try:
            decision = decide(turn)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever a bot raises is its own fault
            raise raised(error, self._path) from None
        code = self._legal_code(decision, roll)
        if code is None and decision is REROLL and self._turn(roll, features, 0).can_reroll:
            code = REROLL.code
        if code is None:
            raise wrong_answer(decision)
        return code

    def _legal_code(self, decision: object, roll: int) -> int | None:
        """Code of a decision for one of the roll's holds; None for anything else."""
        if type(decision) is not Decision:
            return None
        legal = self._legal[roll]
        if not legal:
            for hold in self._rolls[roll].holds:
                legal[hold.bank()] = hold.bank().code
                legal[hold.roll()] = hold.roll().code
        return legal.get(decision)

    def _new(self) -> Bot:
        """A new instance.

        Raises:
            NoDecision: it cannot be made.
        """
        try:
            return self._factory()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever a bot's __init__ raises is its own fault
            raise raised(error, self._path) from None

    # Asking with observed numbers

    def _trace(self, code: int, roll: int, features: list[int], seed: int) -> Notebook | None:
        """The notes under which the answer `code` may be remembered; None if it may not."""
        if features[Feature.ROLLS] >= MAX_ROLLS_PER_TURN:
            return None
        book = Notebook(features, self._seats, self._desk)
        turn = TracedTurn(self._rules, self._rolls[roll], book, seats=self._seats, rng_seed=seed)
        traced: int | None
        try:
            decision = self._bot.decide(turn)
            traced = self._legal_code(decision, roll)
            if decision is REROLL and turn.can_reroll:
                traced = REROLL.code
        except KeyboardInterrupt:
            raise
        except BaseException:  # an odd library, a strict type check: the plain answer counts
            traced = None
        if traced is None:
            self.mismatches += 1
            book.repeatable = self.mismatches <= KEPT_WHOLE
            book.whole()
        elif traced != code:
            self.mismatches += 1
            self._explain(code, roll, features, seed)
            book.repeatable = False
        book.close()
        return book if book.repeatable and not self._desk.stale else None

    def _explain(self, code: int, roll: int, features: list[int], seed: int) -> None:
        """Distrust a bot that decided otherwise with observed numbers, whatever the reason.

        Its notes cannot be believed, and neither can those of earlier answers.
        """
        turn = self._turn(roll, features, seed)
        try:
            again = self._code(self._bot.decide, turn, roll, features)
        except NoDecision:
            again = FAULT
        self._distrust(
            "asked the same again, the bot answered otherwise"
            if again != code
            else "the bot tells the numbers of `turn` from plain integers by more than their value",
            turn,
        )

    def _second_chance(
        self, failure: NoDecision, question: int, turn: Turn, roll: int, features: list[int]
    ) -> int:
        """Code of a fresh instance, where the bot failed over what it kept from earlier questions.

        That may have been observed numbers, so it would not be just to blame the bot. It is asked
        with plain integers from then on.
        """
        if self._repeatable:
            try:
                fresh = self._new()
                again = self._turn(roll, features, turn._rng_seed)
                code = self._code(fresh.decide, again, roll, features)
            except NoDecision:
                pass
            else:
                self._bot = fresh
                self._distrust(f"a new instance answered, the old one failed ({failure})", turn)
                return code
        return self._failed(failure, question, turn)

    # Faults

    def _failed(self, failure: NoDecision, question: int, turn: Turn) -> int:
        self._record(failure.kind, failure.message, question, turn, failure.traceback)
        return FAULT

    def _distrust(self, what: str, turn: Turn) -> None:
        if not self._repeatable:
            return
        self._repeatable = False
        message = (
            f"{what}: it is asked every time from now on, which is slower; a bot has to answer "
            "from `turn` alone, or use turn.rng, or be declared with remembers=True"
        )
        self._record("unrepeatable", message, -1, turn)

    def _record(
        self, kind: AskFaultKind, message: str, question: int, turn: Turn, trace: str = ""
    ) -> None:
        self.fault_count += 1
        if len(self.faults) < KEPT_FAULTS or kind == "unrepeatable":
            self.faults.append(
                AskFault(
                    batch=self._batch,
                    question=question,
                    kind=kind,
                    message=message,
                    traceback=trace,
                    output=self._printed(),
                    position=repr(turn),
                )
            )


class Taken:
    """The answers of a batch, as they come in; see `arena.game.Answers`."""

    __slots__ = ("codes", "first", "high", "low", "repeatable", "weights")

    def __init__(self) -> None:
        self.codes: list[int] = []
        self.repeatable: list[bool] = []
        self.first: list[int] = [0]
        self.weights: list[Weights] = []
        self.low: list[int] = []
        self.high: list[int] = []

    def code(self, code: int) -> None:
        """An answer that may not be remembered."""
        self.codes.append(code)
        self.repeatable.append(False)
        self.first.append(len(self.low))

    def noted(self, code: int, book: Notebook) -> None:
        """An answer that may be remembered under the notes of the book."""
        self.codes.append(code)
        self.repeatable.append(True)
        self.weights += book.weights
        self.low += book.low
        self.high += book.high
        self.first.append(len(self.low))

    def disbelieve(self) -> None:
        """Drop all notes: no answer may be remembered."""
        count = len(self.codes)
        self.repeatable, self.first = [False] * count, [0] * (count + 1)
        self.weights, self.low, self.high = [], [], []

    def answers(self, features: int) -> Answers:
        """All answers as arrays."""
        return Answers(
            codes=np.array(self.codes, dtype=np.int64),
            repeatable=np.array(self.repeatable, dtype=np.bool_),
            note_first=np.array(self.first, dtype=np.int64),
            note_weights=np.array(self.weights, dtype=np.int64).reshape(-1, features),
            note_low=np.array(self.low, dtype=np.int64),
            note_high=np.array(self.high, dtype=np.int64),
        )


def plain_turn(rules: Ruleset, roll: Roll, features: list[int], rng_seed: int) -> Turn:
    """The turn that shows a position in plain integers; `features` see `arena.game.Feature`."""
    points, rolls, limited, score, number, seat, last, to_beat, busts, is_open, *others = features
    return Turn(
        rules,
        roll,
        points=points,
        rolls=rolls,
        limited_rolls=limited,
        score=score,
        opponents=tuple(others),
        round=number,
        seat=seat,
        last_round=last == 1,
        to_beat=to_beat,
        busts=busts,
        open=is_open == 1,
        rng_seed=rng_seed,
    )


def _positions(questions: Questions) -> Iterable[tuple[int, list[int], int]]:
    """Roll, features and seed of `turn.rng` of each question."""
    return zip(
        questions.rolls.tolist(),
        questions.features.tolist(),
        questions.rng_seeds.tolist(),
        strict=True,
    )

"""`LocalAsker`: one bot of this process, asked in batches.

An ordinary bot is asked twice about each position: first with plain integers, whose answer counts,
then with observed numbers, which give the notes under which the answer may be remembered. A bot
that remembers, or that turned out to be unrepeatable, is asked once, with plain integers.
"""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.bots.asking_batches import BatchAsker
from arena.bots.asking_faults import (
    COSTLY,
    AskFault,
    AskFaultKind,
    NoDecision,
    author_file,
    raised,
    wrong_answer,
)
from arena.bots.asking_taken import Taken
from arena.bots.batch import BatchBot
from arena.bots.bot import Bot
from arena.bots.discovery_import import MAX_OUTPUT, captured_output
from arena.bots.faces import Eye, WatchedRolls
from arena.bots.notebook import Desk, Notebook
from arena.bots.positions import again, turns_of
from arena.bots.spec import BotSpec
from arena.bots.traced_turn import TracedTurn
from arena.game.position import asked_text, decision_text
from arena.game.questions import FAULT, Answers, Questions, feature_count
from arena.game.rng import RngShelf
from arena.game.turn import Turn
from arena.rules import MAX_ROLLS_PER_TURN, REROLL, Decision, Roll, RuleTables

if TYPE_CHECKING:
    from numpy.typing import NDArray

KEPT_FAULTS: Final = 20
"""Faults that are kept with all their details; more are only counted."""

KEPT_WHOLE: Final = 1000
"""Where a bot fails on observed numbers more often than this, and more often than not, they are no
longer tried: answers for whole positions are seldom used again and only fill the memory."""

ASKED_AGAIN: Final = 8
"""How often a bot is asked the same again to see whether it ever answers otherwise."""

COLLECT_AFTER: Final = 20_000
"""New objects after which Python looks for garbage while a bot is asked."""

SPREAD: Final = 2_654_435_761
"""Odd and large: its multiples fall everywhere in batches of any length."""

Decide = Callable[[Turn], object]


def asker_of(spec: BotSpec, tables: RuleTables, seats: int, *, batched: bool = False) -> LocalAsker:
    """The asker of a bot that was found.

    Args:
        spec: the bot.
        tables: of the ruleset; seats: players in the game.
        batched: whether a `BatchBot` is asked whole batches.

    Raises:
        BotError: its file has changed or is gone, or it cannot be made.
    """
    from arena.bots.loader import instantiate  # brings along what finding bots needs

    first = instantiate(spec)
    factory = partial(type(first), **dict(spec.parameters))
    return LocalAsker(factory, tables, seats, batched=batched)


class LocalAsker:
    """A bot of this process that answers batches; see `arena.game.Asked`.

    Args:
        bot_factory: makes a new instance of the bot; what it raises at once is passed on.
        tables: of the ruleset.
        seats: players in the game.
        traced: whether answers shall be noted, so that they may be remembered.
        batched: whether a `BatchBot` is asked whole batches, which are never noted.
        max_output: characters that the bot may print while it makes one decision.

    Attributes:
        remembers: whether the bot keeps notes during a game.
        in_batches: whether it is asked whole batches; False once they differ from `decide`.
        mismatches: answers that came out otherwise, or not at all, with observed numbers.
        faults: the first `KEPT_FAULTS`; fault_count: how many there were. As many of each batch
            are kept until the next one, see `fault_at`.
    """

    def __init__(
        self,
        bot_factory: Callable[[], Bot],
        tables: RuleTables,
        seats: int,
        *,
        traced: bool = True,
        batched: bool = False,
        max_output: int = MAX_OUTPUT,
    ) -> None:
        self._factory = bot_factory
        self._bot = bot_factory()
        self._path = author_file(self._bot)
        self._eye = Eye()
        self._rules = tables.ruleset
        self._legal: list[dict[Decision, int]] = [{} for _ in range(len(tables.rolls))]
        self._seats = seats
        self._desk = Desk()
        self._shelf = RngShelf()
        self._games: dict[int, Decide] = {}
        self._printed: Callable[[], str] = str
        self._renew: Callable[[], object] = str
        self._batch = -1
        self._at_fault: dict[int, AskFault] = {}
        self._audits = 0
        self._traced = 0
        self.in_batches = batched and isinstance(self._bot, BatchBot)
        self._repeatable = traced and not self._bot.remembers and not self.in_batches
        self._rolls: Sequence[Roll] | Mapping[int, Roll] = tables.rolls
        if self._repeatable:
            self._rolls = WatchedRolls(tables.rolls, self._eye)
        self._max_output = max_output
        self._many: BatchAsker | None = None
        if self.in_batches:
            assert isinstance(self._bot, BatchBot)
            rules, rolls = tables.ruleset, tables.rolls
            self._many = BatchAsker(self._bot, self._path, rules, rolls, self._failed)
        self.remembers = bool(self._bot.remembers)
        self.mismatches = 0
        self.faults: list[AskFault] = []
        self.fault_count = 0

    @property
    def repeatable(self) -> bool:
        """Whether answers may be remembered; once False it stays False."""
        return self._repeatable

    @property
    def awake(self) -> bool:
        """Whether it can be asked at once."""
        return True

    @property
    def sees_dice(self) -> bool:
        """Whether an answer may depend on the faces of the dice, and not only on what each hold
        is worth and leaves; once True it stays True."""
        return self._eye.looked or not self._repeatable

    def answer(self, questions: Questions) -> Answers:
        """Answer all questions, in order."""
        return self.taken(questions).answers(feature_count(self._seats))

    def taken(self, questions: Questions, *, singly: bool = False) -> Taken:
        """Answer all questions, in order; as lists.

        Args:
            questions: the positions.
            singly: whether batches are taken apart, so that it can be seen at which question a
                process was lost.
        """
        self._batch += 1
        self._at_fault = {}
        taken = Taken()
        with captured_output(self._max_output) as output, _few_collections():
            self._printed, self._renew = output.getvalue, output.renew
            if self.in_batches and self._many is not None:
                taken.codes.frombytes(self._many.ask(questions, singly=singly).tobytes())
                self._compare(self._many, questions, taken)
            elif self.remembers:
                self._ask_players(questions, taken)
            elif self._repeatable:
                self._ask_twice(questions, taken)
            else:
                self._ask_once(questions, taken)
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
        # All turns are alive together, so that no two have the same id().
        asked = list(enumerate(turns_of(questions, self._rules, self._rolls, self._shelf)))
        random.Random(self._audits).shuffle(asked)
        with captured_output(self._max_output) as output:
            self._renew = output.renew
            try:
                decide = self._new().decide
            except NoDecision:
                return codes
            for i, turn in asked:
                try:
                    codes[i] = self._ask(decide, turn)
                except NoDecision:
                    continue
        return codes

    def distrust(self, question: Questions) -> None:
        """Take down that the bot answered this one question differently when asked again.

        From then on `repeatable` is False and the bot is asked every time.
        """
        turn = next(turns_of(question, self._rules, self._rolls, self._shelf))
        self._distrust("asked the same again, the bot answered otherwise", turn)

    def ask_every_time(self) -> None:
        """Note no answers any more, as they were hardly ever used again; it is no fault."""
        self._repeatable = False

    def fault_at(self, question: int) -> AskFault | None:
        """The fault behind a FAULT of the last batch, if it was kept."""
        return self._at_fault.get(question)

    # Asking with plain integers

    def _ask_players(self, questions: Questions, taken: Taken) -> None:
        """Ask a bot that remembers: the instance in each slot, new ones where a game begins."""
        games, codes = self._games, taken.codes
        slots, fresh = questions.slots.tolist(), questions.fresh.tolist()
        turns = turns_of(questions, self._rules, self._rolls, self._shelf)
        for turn, slot, begins in zip(turns, slots, fresh, strict=True):
            try:
                if begins or slot not in games:
                    games[slot] = self._new().decide
                codes.append(self._ask(games[slot], turn))
            except NoDecision as failure:
                codes.append(self._failed(failure, len(codes), turn))

    def _ask_once(self, questions: Questions, taken: Taken) -> None:
        codes, decide = taken.codes, self._bot.decide
        for turn in turns_of(questions, self._rules, self._rolls, self._shelf):
            try:
                codes.append(self._ask(decide, turn))
            except NoDecision as failure:
                codes.append(self._failed(failure, len(codes), turn))

    def _ask(self, decide: Decide, turn: Turn) -> int:
        """Code of what a bot decides.

        Raises:
            NoDecision: it raised, or decided what is no legal decision.
        """
        self._renew()
        try:
            decision = decide(turn)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever a bot raises is its own fault
            raise raised(error, self._path) from None
        if type(decision) is Decision:
            roll = turn._roll
            code = (self._legal[roll.id] or self._look_up(roll)).get(decision)
            if code is not None:
                return code
            if decision is REROLL and turn.can_reroll:
                return REROLL.code
        raise wrong_answer(decision)

    def _look_up(self, roll: Roll) -> dict[Decision, int]:
        """The codes of all decisions for holds of a roll."""
        legal = self._legal[roll.id]
        for hold in roll.holds:
            legal[hold.bank()] = hold.bank().code
            legal[hold.roll()] = hold.roll().code
        return legal

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

    def _compare(self, many: BatchAsker, questions: Questions, taken: Taken) -> None:
        """Ask one question of a batch again, through `decide`; which one changes all the time."""
        if not taken.codes:
            return
        i = self._batch * SPREAD % len(taken.codes)
        turn = many.turn(questions, i)
        try:
            code = self._ask(self._bot.decide, turn)
        except NoDecision:
            code = FAULT
        if code != taken.codes[i] != FAULT:
            self.in_batches = False
            message = (
                f"decide_many() answered {taken.codes[i]} where decide() answers {code}: it is "
                "asked by decide() from now on, which is slower; both have to answer the same, "
                "whatever else is in the batch"
            )
            self._record("unrepeatable", message, -1, turn)

    # Asking with observed numbers

    def _ask_twice(self, questions: Questions, taken: Taken) -> None:
        """Ask with plain integers and with observed ones, as long as the bot is believed."""
        turns = turns_of(questions, self._rules, self._rolls, self._shelf)
        for turn, features in zip(turns, questions.features.tolist(), strict=True):
            self._desk.stale = False
            try:
                code = self._ask(self._bot.decide, turn)
            except NoDecision as failure:
                taken.code(self._second_chance(failure, len(taken.codes), turn))
                continue
            book = None
            if self._repeatable and turn._rng is None and turn.rolls < MAX_ROLLS_PER_TURN:
                book = self._trace(code, turn, features)
            if book is None:
                taken.code(code)
            else:
                taken.noted(code, book)

    def _trace(self, code: int, turn: Turn, features: list[int]) -> Notebook | None:
        """The notes under which the answer `code` may be remembered; None if it may not."""
        if self.mismatches >= KEPT_WHOLE and self.mismatches > self._traced // 2:
            return None
        self._traced += 1
        book = Notebook(features, self._seats, self._desk)
        try:
            traced = self._ask(self._bot.decide, TracedTurn(turn, book, self._seats))
        except NoDecision:  # an odd library, a strict type check: the plain answer counts
            self.mismatches += 1
            book.whole()
        else:
            if traced != code:
                self.mismatches += 1
                self._explain(code, turn)
        finally:
            book.close()
        trusted = self._repeatable and book.repeatable and not self._desk.stale
        return book if trusted else None

    def _explain(self, code: int, turn: Turn) -> None:
        """Distrust a bot that decided otherwise with observed numbers, whatever the reason.

        Its notes cannot be believed, and neither can those of earlier answers.
        """
        second = code
        for _ in range(ASKED_AGAIN):
            try:
                second = self._ask(self._bot.decide, again(turn))
            except NoDecision:
                second = FAULT
            if second != code:
                break
        once, twice = decision_text(turn, code), decision_text(turn, second)
        self._distrust(
            f"asked the same again, the bot answered {twice} instead of {once}"
            if second != code
            else "the bot sees more in the numbers of `turn` than their values",
            turn,
        )

    def _second_chance(self, failure: NoDecision, question: int, turn: Turn) -> int:
        """Code of a fresh instance, where the bot failed over what it kept from earlier questions.

        That may have been observed numbers, so it would not be just to blame the bot. It is asked
        with plain integers from then on.
        """
        if self._repeatable:
            try:
                fresh = self._new()
                code = self._ask(fresh.decide, again(turn))
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
        looked = self._eye.looked
        keep = len(self.faults) < KEPT_FAULTS or kind == "unrepeatable"
        if keep or kind in COSTLY or len(self._at_fault) < KEPT_FAULTS:
            fault = AskFault(
                batch=self._batch,
                question=question,
                kind=kind,
                message=message,
                traceback=trace,
                output=self._printed(),
                position=asked_text(turn),
            )
            if keep:
                self.faults.append(fault)
            if question >= 0:
                self._at_fault[question] = fault
        self._eye.looked = looked  # it was not the bot that looked at the faces just now


@contextmanager
def _few_collections() -> Iterator[None]:
    """Let Python look for garbage in circles less often.

    While thousands of games wait, their bots are alive, and to look through them every 700 new
    objects costs as much as asking them.
    """
    before = gc.get_threshold()
    if before[0]:
        gc.set_threshold(max(before[0], COLLECT_AFTER), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)

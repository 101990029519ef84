"""`HostedAsker`: a bot in a process of its own that is asked like one of this process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.bots.asking import KEPT_FAULTS
from arena.bots.asking_faults import COSTLY, AskFault, AskFaultKind
from arena.bots.host_frames import BadFrame, Kind, Way, counts, from_json
from arena.bots.host_rules import tables_text
from arena.bots.isolation_answers import (
    Heard,
    Told,
    most_bytes,
    question_body,
    read_answers,
    read_codes,
)
from arena.bots.isolation_host import Failure, Host
from arena.bots.positions import turns_of
from arena.game.position import asked_text
from arena.game.questions import FAULT, Answers, Questions, feature_count
from arena.game.rng import RngShelf
from arena.rules import RuleTables

PIECE: Final = 256
"""Questions that are sent at a time; what a lost process had answered is asked again."""

BATCH: Final = 4096
"""The same for a bot that answers batches: arrays are the better the longer they are."""


class HostedAsker:
    """A bot that answers batches from its own process; see `arena.game.Asked`.

    Never raises for what the bot does, and never waits longer than its limits allow. A process
    that is lost costs the question it was at; the others are asked again in a new one.

    Args:
        host: the bot's process.
        tables: of the ruleset.
        seats: players in the game.
        traced: whether answers shall be noted, so that they may be remembered.
        batched: whether a `BatchBot` is asked whole batches, which are never noted.

    Attributes:
        number: tells the askers of one host apart.
        patient: whether a batch is asked to its end even where the bot takes its process down.
        mismatches, faults, fault_count: see `LocalAsker`.
    """

    def __init__(
        self,
        host: Host,
        tables: RuleTables,
        seats: int,
        *,
        number: int = 0,
        traced: bool = True,
        batched: bool = False,
    ) -> None:
        self._host = host
        self._tables = tables
        self._seats = seats
        self._number = number
        self._generation = 0
        self._repeatable = traced and not host.spec.remembers
        self._batched = batched
        self._in_batches = False
        self._sees_dice = False
        self._batch = -1
        self._at_fault: dict[int, AskFault] = {}
        self._silent_from = 0
        self._costly_at = -1  # question of this batch that cost much
        self._length = 1  # of pieces; grows while nothing happens
        self.patient = True
        self.remembers = host.spec.remembers
        self.mismatches = 0
        self.faults: list[AskFault] = []
        self.fault_count = 0

    @property
    def repeatable(self) -> bool:
        """Whether answers may be remembered; once False it stays False."""
        return self._repeatable

    @property
    def sees_dice(self) -> bool:
        """Whether an answer may depend on the faces of the dice, and not only on what each hold
        is worth and leaves; once True it stays True."""
        return self._sees_dice or not self._repeatable

    @property
    def awake(self) -> bool:
        """Whether its process runs; else a question has to wait until it is started."""
        return self._host.running

    @property
    def unloadable(self) -> bool:
        """Whether the bot cannot be loaded, so that it will never answer."""
        return self._host.failure is not None

    def start(self) -> AskFault | None:
        """Start the process and make the bot; why that cannot be done.

        Raises:
            BotError: the bot's file has changed or is gone.
            RunError: no process can be started.
        """
        try:
            self._take_seat()
        except Failure as failure:
            return AskFault(
                batch=-1,
                question=-1,
                kind=failure.kind,
                message=failure.message,
                traceback=failure.traceback,
                output=failure.output,
            )
        return None

    def answer(self, questions: Questions) -> Answers:
        """Answer all questions, in order.

        Raises:
            BotError: the bot's file has changed or is gone.
            RunError: no process can be started.
        """
        self._batch += 1
        self._at_fault = {}
        self._costly_at = -1
        self._silent_from = len(questions)  # from here on the bot was not asked any more
        parts: list[Answers] = []
        begin = 0
        while begin < len(questions):
            if self._costly_at >= 0 and not self.patient:
                self._silent_from = min(self._silent_from, self._costly_at)
                parts.append(_no_answers(len(questions) - begin, feature_count(self._seats)))
                break
            length = BATCH if self._in_batches else self._length
            end = min(begin + length, len(questions))
            whole = end - begin == len(questions)  # which spares a copy
            piece = questions if whole else questions.only(np.arange(begin, end))
            parts.append(self._piece(piece, begin))
            self._length = 1 if self._costly_at >= begin else min(2 * length, PIECE)
            begin += len(parts[-1].codes)
        answers = joined(parts or [_no_answers(0, feature_count(self._seats))])
        return answers if self._repeatable else _once(answers)

    def audit(self, questions: Questions) -> NDArray[np.int64]:
        """int64[N]: decision codes of a fresh instance, asked with plain integers in other order.

        Used to check remembered answers; faults are not recorded.
        """
        codes = np.full(len(questions), FAULT, dtype=np.int64)
        for begin in range(0, len(questions), PIECE):
            which = np.arange(begin, min(begin + PIECE, len(questions)))
            piece = questions.only(which)
            try:
                self._take_seat()
                body = question_body(self._number, piece)
                most = most_bytes(len(piece), 0)
                answer = self._host.ask(Kind.AUDIT, body, questions=len(piece), most=most)
                codes[which] = read_codes(answer, piece, self._tables)
            except BadFrame as bad:
                self._host.nonsense(bad)
            except Failure:
                continue
        return codes

    def distrust(self, question: Questions) -> None:
        """Take down that the bot answered this one question differently when asked again.

        From then on `repeatable` is False and the bot is asked every time.
        """
        self._distrust("asked the same again, the bot answered otherwise", question)

    def ask_every_time(self) -> None:
        """Note no answers any more, as they were hardly ever used again; it is no fault."""
        self._repeatable = self._batched = False
        self._generation = 0  # it is seated anew, and not traced any more

    def fault_at(self, question: int) -> AskFault | None:
        """The fault behind a FAULT of the last batch, if it was kept."""
        return self._at_fault.get(min(question, self._silent_from))

    # Asking

    def _piece(self, piece: Questions, begin: int, *, singly: bool = False) -> Answers:
        """Answers to the first questions of a piece, all of them if nothing goes wrong.

        Args:
            piece: the questions.
            begin: index of the first of them in the batch.
            singly: whether a bot that answers batches is to be asked one after the other.
        """
        try:
            heard = self._heard(piece, singly=singly)
        except Failure as failure:
            if self._in_batches and not singly and self._host.failure is None:
                # Nobody knows at which question the process was lost.
                short = piece.only(np.arange(min(len(piece), PIECE)))
                return self._piece(short, begin, singly=True)
            self._sees_dice = True  # nobody knows what it looked at
            return self._without(failure, piece, begin)
        self._take(heard, piece, begin)
        return heard.answers

    def _without(self, failure: Failure, piece: Questions, begin: int) -> Answers:
        """What remains of a piece when the process failed: up to the question that it was at."""
        features = feature_count(self._seats)
        if failure is self._host.failure:
            self._record(failure.kind, failure.message, begin, piece, failure)
            self._silent_from = min(self._silent_from, begin)
            self.fault_count += len(piece) - 1
            return _no_answers(len(piece), features)
        at = failure.question if 0 <= failure.question < len(piece) else 0
        if at:  # those before it were answered, but the answers are lost
            before = self._piece(piece.only(np.arange(at)), begin, singly=self._in_batches)
            if len(before.codes) < at:
                return before
        self._record(failure.kind, failure.message, begin + at, piece, failure, at)
        lost = _no_answers(1, features)
        return joined([before, lost]) if at else lost

    def _heard(self, piece: Questions, *, singly: bool = False) -> Heard:
        """What the process answers.

        Raises:
            Failure: nothing.
        """
        self._take_seat()
        body = question_body(self._number, piece, singly=singly)
        most = most_bytes(len(piece), feature_count(self._seats))
        answer = self._host.ask(Kind.ASK, body, questions=len(piece), most=most)
        try:
            return read_answers(answer, piece, self._tables)
        except BadFrame as bad:
            raise self._host.nonsense(bad) from None

    def _take_seat(self) -> None:
        """Tell the process the ruleset, if it has not been told.

        Raises:
            Failure: it does not get ready.
        """
        generation = self._host.ready()
        if generation == self._generation:
            return
        text = tables_text(self._tables)
        way = Way.TRACED if self._repeatable else Way.PLAIN
        if self._batched:
            way = Way.BATCHED
        head = counts(self._number, self._seats, way, len(text))
        reply = self._host.ask(Kind.SEAT, head + text, questions=1)
        self._generation = generation
        self._in_batches = self._batched and _says_batches(reply)
        if self._in_batches:
            self._host.widen()
        self._repeatable &= not self._in_batches

    def _take(self, heard: Heard, piece: Questions, begin: int) -> None:
        """Take down what went wrong in the process."""
        self.mismatches = heard.mismatches
        self._sees_dice |= heard.sees_dice
        told = {fault.question: fault for fault in heard.told}
        for i in np.flatnonzero(heard.answers.codes == FAULT).tolist():
            self._count(told.get(i), bool(heard.illegal[i]), i, piece, begin)
        if self._in_batches and not heard.in_batches:
            self._batched = self._in_batches = False
            self._record("unrepeatable", _why(told), -1, piece)
        if self._repeatable and not heard.repeatable:
            self._repeatable = self._batched = False
            self._record("unrepeatable", _why(told), -1, piece)

    def _count(
        self, told: Told | None, illegal: bool, i: int, piece: Questions, begin: int
    ) -> None:
        """Take down one question without a decision."""
        if illegal:
            message = "its process answered with a decision that is not legal here"
            self._record("illegal decision", message, begin + i, piece, None, i)
        elif told is None:
            self.fault_count += 1
        else:
            kind: AskFaultKind = told.kind  # type: ignore[assignment]  # one of TOLD_KINDS
            self._record(kind, told.message, begin + i, piece, told, i)

    def _distrust(self, what: str, question: Questions) -> None:
        if not self._repeatable:
            return
        self._repeatable = self._batched = False
        self._generation = 0  # it is seated anew, and not traced any more
        message = (
            f"{what}: it is asked every time from now on, which is slower; a bot has to answer "
            "from `turn` alone, or use turn.rng, or be declared with remembers=True"
        )
        self._record("unrepeatable", message, -1, question)

    def _record(
        self,
        kind: AskFaultKind,
        message: str,
        question: int,
        piece: Questions,
        said: Told | Failure | None = None,
        at: int = 0,
    ) -> None:
        self.fault_count += 1
        lost = isinstance(said, Failure) and said is not self._host.failure
        keep = len(self.faults) < KEPT_FAULTS or kind == "unrepeatable"
        costly = lost or kind in COSTLY
        if costly:
            self._costly_at = question
        if not keep and not costly and len(self._at_fault) >= KEPT_FAULTS:
            return
        one = piece.only(np.array([at]))
        fault = AskFault(
            batch=self._batch,
            question=question,
            kind=kind,
            message=message,
            traceback=said.traceback if said else "",
            output=said.output if said else "",
            lost=lost,
            position=asked_text(
                next(turns_of(one, self._tables.ruleset, self._tables.rolls, RngShelf()))
            ),
        )
        if keep:
            self.faults.append(fault)
        if question >= 0:
            self._at_fault[question] = fault


def _why(told: dict[int, Told]) -> str:
    """Why a bot is asked otherwise from now on."""
    return told[-1].message if -1 in told else "said so itself"


def _says_batches(reply: bytes) -> bool:
    """Whether a process that was told a ruleset answers batches; it harms only itself by lying."""
    try:
        said = from_json(reply)
    except BadFrame:
        return False
    return isinstance(said, dict) and said.get("in_batches") is True


def joined(parts: Sequence[Answers]) -> Answers:
    """Answers of several batches, of one at least, as those of one."""
    if len(parts) == 1:
        return parts[0]
    notes = np.cumsum([0, *(len(part.note_low) for part in parts)])
    first = [part.note_first[:-1] + note for part, note in zip(parts, notes, strict=False)]
    return Answers(
        codes=np.concatenate([part.codes for part in parts]),
        repeatable=np.concatenate([part.repeatable for part in parts]),
        note_first=np.concatenate([*first, notes[-1:]]),
        note_weights=np.concatenate([part.note_weights for part in parts]),
        note_low=np.concatenate([part.note_low for part in parts]),
        note_high=np.concatenate([part.note_high for part in parts]),
    )


def _no_answers(count: int, features: int) -> Answers:
    """No decision to so many questions."""
    return Answers(
        codes=np.full(count, FAULT, dtype=np.int64),
        repeatable=np.zeros(count, dtype=np.bool_),
        note_first=np.zeros(count + 1, dtype=np.int64),
        note_weights=np.zeros((0, features), dtype=np.int64),
        note_low=np.zeros(0, dtype=np.int64),
        note_high=np.zeros(0, dtype=np.int64),
    )


def _once(answers: Answers) -> Answers:
    """The same answers, none of which may be remembered."""
    empty = _no_answers(len(answers.codes), answers.note_weights.shape[1])
    return Answers(
        codes=answers.codes,
        repeatable=empty.repeatable,
        note_first=empty.note_first,
        note_weights=empty.note_weights,
        note_low=empty.note_low,
        note_high=empty.note_high,
    )

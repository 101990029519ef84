"""The steps of a check, one after the other."""

from __future__ import annotations

import ast
import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.bots.asking import LocalAsker
from arena.bots.asking_faults import AskFault
from arena.bots.check_advice import problem_line, return_lines, special_advice
from arena.bots.check_answers import Answered, batch_of, wasted_banks
from arena.bots.check_findings import (
    FIX_CLASS,
    FIX_IMPORT,
    FIX_PARAMETERS,
    FIXES,
    Finding,
    StepFailed,
    StepName,
    finding_of,
    syntax_finding,
    unrepeatable,
)
from arena.bots.check_habits import Habit, find_habits
from arena.bots.check_positions import Situation, awkward_positions, played_positions
from arena.bots.describing import describe_apart
from arena.bots.discovery import FileDescription, describe_file
from arena.bots.discovery_source import source_of
from arena.bots.isolation import Isolation, Level
from arena.bots.isolation_asker import HostedAsker
from arena.bots.isolation_hosts import Hosts
from arena.bots.loader import spec_of
from arena.bots.spec import BotSpec, seats_text
from arena.errors import BotError
from arena.game import FAULT, MAX_SEATS, MIN_SEATS
from arena.rules import Ruleset, rule_tables

FUZZED: Final = 1_000
"""Positions of games that a bot is asked about, over all rulesets and seats."""

FIRST: Final = 20
TIMED: Final = 200
AWKWARD: Final = 17
"""Awkward positions of a ruleset, at the most."""

REMEMBERED: Final = 3
"""Rulesets on which a bot that keeps notes plays whole games; any other plays on the first."""

DECISIONS: Final = 300
"""In the whole games of a check, about."""

SEED: Final = 20_000
SLOW_S: Final = 0.002
"""Seconds a decision above which a bot is called slow."""

OTHER_HASHES: Final = 1
"""Seed of Python's hashes of text in the process that is asked the second time."""


class Check:
    """The steps of one check, and what they have found out so far; see `check_bot`.

    A step raises `StepFailed` where the bot fails it.
    """

    def __init__(
        self,
        path: Path,
        rulesets: Sequence[Ruleset],
        isolation: Isolation,
        chosen: str,
        resolve: Callable[[], BotSpec] | None,
        solved: Callable[[Ruleset], bool],
        played: Callable[[BotSpec, Sequence[Ruleset], int], Finding | None],
    ) -> None:
        self.path = path
        self.rulesets = rulesets
        self.isolation = isolation
        self.chosen = chosen
        self.resolve = resolve
        self.solved = solved
        self.played = played
        self.seats: Sequence[int] = range(MIN_SEATS, MAX_SEATS + 1)
        self.spec: BotSpec | None = None
        self.habits: tuple[Habit, ...] = ()
        self._content = b""
        self._found = FileDescription(path=str(path))
        self._hosts = Hosts(isolation)
        self._answered: list[Answered] = []

    def close(self) -> None:
        """End the bot's processes."""
        self._hosts.close()

    def steps(self) -> Iterator[tuple[StepName, Callable[[], str]]]:
        """All steps in order; each returns a few words on what it found, or raises."""
        yield StepName.SYNTAX, self.syntax
        yield StepName.IMPORT, self.imports
        yield StepName.CLASS, self.classes
        yield StepName.PARAMETERS, self.parameters
        yield StepName.FIRST, self.first
        yield StepName.GAMES, self.games
        yield StepName.AWKWARD, self.awkward
        yield StepName.REPEATS, self.repeats
        yield StepName.SPEED, self.speed
        yield StepName.MEMORY, self.memory
        yield StepName.WHOLE, self.whole

    def most_s(self, step: StepName) -> float:
        """Seconds that a step may take until its bot is given up; infinite where nobody does.

        Time in which the bot's process waits for a processor does not count.
        """
        limits = self.isolation.limits
        asked = {
            StepName.FIRST: FIRST,
            StepName.GAMES: FUZZED,
            StepName.AWKWARD: AWKWARD * len(self.rulesets),
            StepName.REPEATS: sum(len(each.codes) for each in self._answered),
            StepName.SPEED: 3 * TIMED,
            StepName.WHOLE: DECISIONS,
        }
        if step in (StepName.SYNTAX, StepName.CLASS, StepName.MEMORY):
            return 0.0  # the bot does not run
        if self.isolation.level is Level.NONE:
            return math.inf
        if step not in asked:
            return limits.load_cpu_s
        return limits.stall_s + limits.question_cpu_s * asked[step]

    # What stands in the file

    def syntax(self) -> str:
        """Whether it is Python."""
        try:
            self._content = source_of(self.path).content
            ast.parse(self._content, str(self.path))
        except OSError as error:
            raise StepFailed(
                Finding(what=f"cannot be read: {error.strerror}", fix="give a file (*.py)")
            ) from None
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise StepFailed(syntax_finding(error)) from None
        return f"{len(self._content.splitlines())} lines"

    def imports(self) -> str:
        """Whether the file can be imported."""
        self._found = _described(self.path, self.isolation)
        if not self._found.imported:
            raise StepFailed(self._file_finding(self._found.problems, FIX_IMPORT))
        return ""

    def classes(self) -> str:
        """Whether there is a bot in it."""
        problems = [text for text in self._found.problems if ": parameter " not in text]
        if problems:
            raise StepFailed(self._file_finding(problems, FIX_CLASS))
        names = [bot.class_name for bot in self._found.bots]
        return ", ".join(names)

    def parameters(self) -> str:
        """Whether the bot can be made with its parameters."""
        if self._found.problems:
            raise StepFailed(self._file_finding(self._found.problems, FIX_PARAMETERS))
        self.spec = self._chosen_spec()
        self.habits = find_habits(self._content, remembers=self.spec.remembers)
        self._keep_to_what_it_plays(self.spec)
        asker = self._asker(self.rulesets[0], self.seats[0])
        if isinstance(asker, HostedAsker):
            failure = asker.start()
            if failure is not None:
                raise StepFailed(finding_of(failure, None))
        return ", ".join(f"{name}={value}" for name, value in self.spec.parameters) or "none"

    def _keep_to_what_it_plays(self, spec: BotSpec) -> None:
        """Leave out the numbers of players and the rulesets that the bot says it does not play."""
        self.seats = [seats for seats in self.seats if spec.plays(seats)]
        if spec.solved_only:
            self.rulesets = [each for each in self.rulesets if self.solved(each)]
        if not self.rulesets:
            raise StepFailed(
                Finding(
                    what="plays solved rulesets only (solved_only = True), and none is solved yet",
                    fix="solve one, for example with `arena solve zehntausend-2`",
                )
            )

    def _chosen_spec(self) -> BotSpec:
        fitting = [bot for bot in self._found.bots if self.chosen in ("", bot.name, bot.class_name)]
        if len(fitting) != 1:
            choices = " or ".join(f"{self.path}:{bot.class_name}" for bot in self._found.bots)
            no_such = f"there is no bot {self.chosen!r}"
            what = no_such if self.chosen else "there is more than one bot"
            raise StepFailed(Finding(what=what, fix=f"name the one that you mean: {choices}"))
        if self.resolve is not None:
            try:
                return self.resolve()
            except BotError as error:
                raise StepFailed(Finding(what=str(error), fix="correct what you wrote")) from None
        return spec_of(fitting[0], self._found)

    def _file_finding(self, problems: Sequence[str], fix: str) -> Finding:
        what, trace = "; ".join(problems) or "cannot be looked into", self._found.traceback
        lines = [problem_line(self._content, problem) for problem in problems]
        return Finding(
            what=what,
            fix=special_advice(what, trace) or fix,
            traceback=trace or "\n".join(filter(None, lines)),
            output=self._found.output,
        )

    # What the bot decides

    def first(self) -> str:
        """The first decisions of games."""
        ruleset, seats = self.rulesets[0], self.seats[0]
        generator = random.Random(SEED)
        met = played_positions(rule_tables(ruleset), seats, 10 * FIRST, generator)
        begin = sorted(met, key=lambda situation: (situation.turn.round, situation.turn.rolls))
        return self._ask(ruleset, seats, begin[:FIRST])

    def games(self) -> str:
        """Positions of all rulesets and numbers of players."""
        tables = [(each, seats) for each in self.rulesets for seats in self.seats]
        count = -(-FUZZED // len(tables))
        for number, (ruleset, seats) in enumerate(tables):
            generator = random.Random(SEED + number)
            met = played_positions(rule_tables(ruleset), seats, count, generator)
            self._ask(ruleset, seats, met)
        self.habits = (*self.habits, *wasted_banks(self._answered))
        number = len(self.rulesets)
        rulesets = f"{number} ruleset{'' if number == 1 else 's'}"
        return f"{count * len(tables):,} on {rulesets}, {seats_text(self.seats)} players"

    def awkward(self) -> str:
        """The edges of the rules."""
        asked = 0
        for ruleset in self.rulesets:
            by_seats: dict[int, list[Situation]] = {}
            for situation in awkward_positions(rule_tables(ruleset)):
                seats = len(situation.turn.opponents) + 1
                by_seats.setdefault(seats, []).append(situation)
            for seats in by_seats.keys() & self.seats:
                situations = by_seats[seats]
                self._ask(ruleset, seats, situations)
                asked += len(situations)
        return f"{asked} of them"

    def repeats(self) -> str:
        """Whether a fresh process, asked in another order, decides the same."""
        assert self.spec is not None
        hosts = Hosts(replace(self.isolation, hash_seed=OTHER_HASHES))
        try:
            for each in self._answered:
                tables = rule_tables(each.ruleset)
                asker = _impatient(hosts.asker(self.spec, tables, each.seats, traced=False))
                count = len(each.codes)
                order = np.array(random.Random(SEED).sample(range(count), count))
                again = np.empty_like(each.codes)
                again[order] = asker.answer(batch_of(each.situations).only(order)).codes
                self._see_to_faults(asker, again[order], [each.situations[i] for i in order])
                differs = np.flatnonzero(again != each.codes)
                if len(differs):
                    i = int(differs[0])
                    turn = each.situations[i].turn
                    once, twice = int(each.codes[i]), int(again[i])
                    lines = self._doubtful_lines()
                    raise StepFailed(unrepeatable(turn, once, twice, where=lines))
        finally:
            hosts.close()
        return f"{sum(len(each.codes) for each in self._answered):,} decisions the same again"

    def whole(self) -> str:
        """Whether it plays games with itself to the end.

        A bot that keeps notes may fail over what it kept, which single positions do not show.
        """
        assert self.spec is not None
        rulesets = self.rulesets[:REMEMBERED] if self.spec.remembers else self.rulesets[:1]
        finding = self.played(self.spec, rulesets, self.seats[0])
        if finding is not None:
            raise StepFailed(finding)
        return "with itself, to their ends"

    def speed(self) -> str:
        """How long a decision takes."""
        assert self.spec is not None
        ruleset, seats = self.rulesets[0], self.seats[0]
        met = played_positions(rule_tables(ruleset), seats, TIMED, random.Random(SEED))
        self._ask(ruleset, seats, met)
        asker = self._hosts.asker(self.spec, rule_tables(ruleset), seats, traced=False)
        questions = batch_of(met)
        asker.answer(questions)
        before, began = self._cpu_seconds(), time.perf_counter()
        asker.answer(questions)
        spent = self._cpu_seconds() - before or time.perf_counter() - began
        each = spent / len(questions)
        slow = "; that is slow, a big tournament will take long" if each > SLOW_S else ""
        return f"{1000 * each:.2g} ms a decision{slow}"

    def memory(self) -> str:
        """How much memory the process has needed."""
        assert self.spec is not None
        if self.isolation.level is Level.NONE:
            return "not measured in this process"
        peak = self._hosts.host(self.spec).peak_mib()
        most = self.isolation.limits.memory_mib
        return f"{peak:.0f} MiB of {most} MiB" if peak else "cannot be measured on this system"

    def _cpu_seconds(self) -> float:
        """Computing time of the bot's process so far; 0 where it is not known."""
        assert self.spec is not None
        return 0.0 if self.isolation.level is Level.NONE else self._hosts.host(self.spec).cpu_s()

    def _where(self, fault: AskFault) -> str:
        """The lines of the source that a fault without a traceback may come from."""
        if fault.kind not in ("wrong type", "illegal decision") or self.spec is None:
            return ""
        nothing = "answered None" in fault.message
        return return_lines(self._content, self.spec.class_name, nothing=nothing)

    def _doubtful_lines(self) -> str:
        """The lines of the source that make answers unrepeatable, as far as can be seen."""
        doubtful = [habit for habit in self.habits if habit.unrepeatable]
        return "\n".join(f"line {habit.line}: {habit.source}" for habit in doubtful)

    def _asker(self, ruleset: Ruleset, seats: int) -> LocalAsker | HostedAsker:
        assert self.spec is not None
        try:
            tables = rule_tables(ruleset)
            return _impatient(self._hosts.asker(self.spec, tables, seats, batched=True))
        except BotError as error:
            raise StepFailed(Finding(what=str(error), fix=FIXES["load error"])) from None

    def _ask(self, ruleset: Ruleset, seats: int, situations: Sequence[Situation]) -> str:
        """Ask about positions of one ruleset and number of players."""
        asker = self._asker(ruleset, seats)
        questions = batch_of(situations)
        codes = asker.answer(questions).codes
        self._see_to_faults(asker, codes, situations)
        odd = [fault for fault in asker.faults if fault.question < 0]
        if odd:
            raise StepFailed(finding_of(odd[0], None, where=self._doubtful_lines()))
        self._answered.append(
            Answered(ruleset=ruleset, seats=seats, situations=situations, codes=codes)
        )
        return f"{len(codes)} of them"

    def _see_to_faults(
        self,
        asker: LocalAsker | HostedAsker,
        codes: NDArray[np.int64],
        situations: Sequence[Situation],
    ) -> None:
        """End the step if there is no decision to one of the positions that were just asked."""
        wrong = np.flatnonzero(codes == FAULT)
        if len(wrong):
            i = int(wrong[0])
            fault = asker.fault_at(i) or _UNTOLD
            raise StepFailed(finding_of(fault, situations[i], where=self._where(fault)))


def _impatient(asker: LocalAsker | HostedAsker) -> LocalAsker | HostedAsker:
    """The same asker, but the first time-out ends a batch, as it ends the check."""
    if isinstance(asker, HostedAsker):
        asker.patient = False
    return asker


_UNTOLD: Final = AskFault(batch=0, question=0, kind="exception", message="no decision")


def _described(path: Path, isolation: Isolation) -> FileDescription:
    if isolation.level is Level.NONE:
        return describe_file(path)
    return describe_apart(path, isolation)

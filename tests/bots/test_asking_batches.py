"""Bots that answer batches: what they see, and what becomes of their mistakes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from arena import BatchBot, Bot, Decision, Positions, Turn
from arena.bots.asking import LocalAsker
from arena.bots.check import check_bot
from arena.bots.check_answers import batch_of
from arena.bots.check_positions import played_positions
from arena.bots.isolation import Isolation, Level, choose_isolation
from arena.bots.isolation_hosts import Hosts
from arena.bots.loader import find_bots, resolve
from arena.bots.positions import turns_of
from arena.game import FAULT, Questions
from arena.game.rng import RngShelf
from arena.rules import REROLL_CODE, rule_tables
from arena.tournament import EngineName
from arena.tournament.worker import play_chunk
from tests.rules.loading import tables
from tests.tournament.playing import planned, task

TABLES = tables("tienduizend")
TURNS = [each.turn for each in played_positions(TABLES, 3, 300, random.Random(4))]
QUESTIONS = batch_of(played_positions(TABLES, 3, 300, random.Random(4)))

SOURCE = '''
import numpy as np
from arena import BatchBot

class Careful(BatchBot):
    """Banks 300 points, in batches."""

    def decide_many(self, positions):
        worth = positions.points + positions.table.points[positions.roll, 0]
        {wrong}
        return np.where(worth >= 300, 0, 1)

    def decide(self, turn):
        hold = turn.holds[0]
        return hold.bank() if turn.points + hold.points >= 300 else hold.roll()
'''

Many = Callable[[Positions], Any]


def asker(many: Many, decide: Callable[[Turn], Decision] | None = None) -> LocalAsker:
    """A bot of this process that answers as these functions do."""

    class Batched(BatchBot):
        def decide_many(self, positions: Positions) -> NDArray[np.int64]:
            return many(positions)  # type: ignore[no-any-return]  # anything, that is the point

        def decide(self, turn: Turn) -> Decision:
            return decide(turn) if decide else super().decide(turn)

    return LocalAsker(Batched, TABLES, 3, batched=True)


def first_hold(positions: Positions) -> NDArray[np.int64]:
    worth = positions.points + positions.table.points[positions.roll, 0]
    return np.where(worth >= 300, 0, 1)


def decide_first_hold(turn: Turn) -> Decision:
    hold = turn.holds[0]
    return hold.bank() if turn.points + hold.points >= 300 else hold.roll()


def test_positions_show_what_turns_show() -> None:
    def look(positions: Positions) -> NDArray[np.int64]:
        for i, turn in enumerate(TURNS):
            for name in ("points", "rolls", "limited_rolls", "score", "round", "seat", "to_beat",
                         "busts", "last_round", "open", "can_reroll"):  # fmt: skip
                assert getattr(positions, name)[i] == getattr(turn, name), name
            assert tuple(positions.opponents[i]) == turn.opponents
            row = positions.roll[i]
            table = positions.table
            assert [int(table.faces[row][face - 1]) for face in range(1, 7)] == [
                turn.dice.count(face) for face in range(1, 7)
            ]
            held = [(hold.points, hold.dice_left, hold.hot) for hold in turn.holds]
            count = table.holds[row]
            shown = zip(table.points[row], table.dice_left[row], table.hot[row], strict=True)
            assert list(shown)[:count] == held
            assert repr(positions.turn(i)) == repr(turn)
            assert positions.turn(i).rng.random() == turns[i].rng.random()
        with pytest.raises(ValueError, match="read-only"):
            positions.points[0] = 1
        return first_hold(positions)

    turns = list(turns_of(QUESTIONS, TABLES.ruleset, TABLES.rolls, RngShelf()))
    answering = asker(look, decide_first_hold)
    assert answering.in_batches
    assert not answering.repeatable
    answers = answering.answer(QUESTIONS)
    assert answering.faults == []
    assert not answers.repeatable.any()
    single = LocalAsker(lambda: Plain(), TABLES, 3, traced=False).answer(QUESTIONS)
    assert answers.codes.tolist() == single.codes.tolist()


class Plain(Bot):
    """The same, one at a time."""

    def decide(self, turn: Turn) -> Decision:
        return decide_first_hold(turn)


def test_a_batch_of_one_is_the_default_of_decide() -> None:
    class OnlyMany(BatchBot):
        def decide_many(self, positions: Positions) -> NDArray[np.int64]:
            return first_hold(positions)

    for turn in TURNS[:50]:
        assert OnlyMany().decide(turn) == decide_first_hold(turn)
    # Where batches are not wanted it is traced like any other bot.
    traced = LocalAsker(OnlyMany, TABLES, 3)
    assert traced.repeatable
    assert traced.answer(QUESTIONS).codes.tolist() == [
        decide_first_hold(turn).code for turn in TURNS
    ]
    with pytest.raises(TypeError, match="cannot keep notes"):
        type("Forgetful", (OnlyMany,), {}, remembers=True)


@pytest.mark.parametrize("code", [-1, -7, 40, 254, REROLL_CODE])
def test_an_illegal_code_is_a_fault_of_that_position_only(code: int) -> None:
    wrong = next(i for i, turn in enumerate(TURNS) if not turn.can_reroll)

    def many(positions: Positions) -> NDArray[np.int64]:
        codes = first_hold(positions)
        codes[(positions.features == QUESTIONS.features[wrong]).all(axis=1)
              & (positions.roll == QUESTIONS.rolls[wrong])] = code  # fmt: skip
        return codes

    answering = asker(many, decide_first_hold)
    codes = answering.answer(QUESTIONS).codes
    assert np.flatnonzero(codes == FAULT).tolist() == [wrong]
    fault = answering.fault_at(wrong)
    assert fault is not None
    assert fault.kind == "illegal decision"
    assert f"answered {code}, which is no decision of this roll" in fault.message
    assert str(TURNS[wrong].score) in fault.position


def test_who_raises_is_found_position_by_position() -> None:
    hated = [i for i, turn in enumerate(TURNS) if turn.score == TURNS[7].score]

    def many(positions: Positions) -> NDArray[np.int64]:
        if (positions.score == TURNS[7].score).any():
            raise ZeroDivisionError("I hate this score")
        return first_hold(positions)

    answering = asker(many, decide_first_hold)
    codes = answering.answer(QUESTIONS).codes
    assert np.flatnonzero(codes == FAULT).tolist() == hated
    assert [fault.question for fault in answering.faults] == hated[:20]
    assert answering.fault_count == len(hated)
    assert "ZeroDivisionError: I hate this score" in answering.faults[0].message


@pytest.mark.parametrize(
    "answer", [None, "roll", 1, [0.5], np.zeros((3, 3), dtype=np.int64), np.array([True])]
)
def test_an_answer_of_the_wrong_shape_is_a_fault_of_all(answer: object) -> None:
    answering = asker(lambda positions: answer, decide_first_hold)
    few = QUESTIONS.only(np.arange(5))
    assert (answering.answer(few).codes == FAULT).all()
    assert {fault.kind for fault in answering.faults} == {"wrong type"}
    assert "it has to return 1 whole numbers, one for each position" in answering.faults[0].message


def test_a_bot_that_decides_otherwise_one_at_a_time_is_told() -> None:
    answering = asker(first_hold, lambda turn: turn.holds[-1].bank())
    for _ in range(20):
        answering.answer(QUESTIONS)
    told = [fault for fault in answering.faults if fault.kind == "unrepeatable"]
    assert len(told) == 1
    assert told[0].question == -1
    assert "where decide() answers" in told[0].message
    assert not answering.in_batches
    expected = [turn.holds[-1].bank().code for turn in TURNS]
    assert answering.answer(QUESTIONS).codes.tolist() == expected


@pytest.fixture(params=[Level.LIMITS, Level.STRICT])
def hosts(request: pytest.FixtureRequest) -> Iterator[Hosts]:
    isolation = choose_isolation()
    if request.param is Level.STRICT and isolation.level is not Level.STRICT:
        pytest.skip("no bubblewrap here")
    started = Hosts(choose_isolation(request.param))
    yield started
    started.close()


def written(folder: Path, wrong: str = "pass") -> Any:
    file = folder / "careful.py"
    file.write_text(SOURCE.format(wrong=wrong))
    return resolve(str(file), find_bots([], entry_points=False))


def test_a_process_of_its_own_answers_the_same(hosts: Hosts, tmp_path: Path) -> None:
    spec = written(tmp_path)
    hosted = hosts.asker(spec, TABLES, 3, batched=True)
    codes = hosted.answer(QUESTIONS).codes  # in pieces, as nobody knows yet that it is batched
    assert codes.tolist() == hosted.answer(QUESTIONS).codes.tolist()
    assert codes.tolist() == asker(first_hold).answer(QUESTIONS).codes.tolist()
    assert not hosted.repeatable
    assert hosted.faults == []


def test_a_process_that_is_lost_costs_one_position(hosts: Hosts, tmp_path: Path) -> None:
    hated = [i for i, turn in enumerate(TURNS) if turn.score == TURNS[7].score]
    wrong = f"if (positions.score == {TURNS[7].score}).any(): import os; os._exit(3)"
    hosted = hosts.asker(written(tmp_path, wrong), TABLES, 3, batched=True)
    some = QUESTIONS.only(np.array([0, 1, 2, *hated[:1], *range(20, 25)]))
    codes = hosted.answer(some).codes
    expected = [at for at, turn in enumerate(turns_in(some)) if turn.score == TURNS[7].score]
    assert np.flatnonzero(codes == FAULT).tolist() == expected
    assert hosted.faults[0].kind == "silent death"


def turns_in(questions: Questions) -> list[Turn]:
    return list(turns_of(questions, TABLES.ruleset, TABLES.rolls, RngShelf()))


@pytest.mark.parametrize(("isolation", "blocks"), [(Level.NONE, 40), (Level.LIMITS, 3)])
def test_a_game_is_the_same_in_batches(tmp_path: Path, isolation: Level, blocks: int) -> None:
    written(tmp_path)
    found = find_bots([tmp_path, Path(__file__).parents[2] / "bots"], entry_points=False)
    match = planned("careful", "hold:points=300", rules="zehntausend-2", blocks=blocks, found=found)
    apart = choose_isolation(isolation)
    digests = {
        play_chunk(replace(task(match, engine=engine), isolation=apart)).stats.digest
        for engine in (EngineName.KERNEL, EngineName.REFEREE)
    }
    assert len(digests) == 1


def test_arena_check_compares_batches_with_single_answers(tmp_path: Path) -> None:
    rulesets = [rule_tables(TABLES.ruleset).ruleset]
    isolation = Isolation(level=Level.NONE)
    good = written(tmp_path)
    checked = check_bot(Path(good.path), rulesets, isolation)
    assert checked.steps[-1].finding is None
    bad = written(tmp_path, "worth = worth + (positions.score > 4000)")
    assert bad.source_hash != good.source_hash
    steps = check_bot(Path(bad.path), rulesets, isolation).steps
    finding = steps[-1].finding
    assert finding is None or "decide" in finding.what

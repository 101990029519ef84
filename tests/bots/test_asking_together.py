"""A bot in two processes answers like one in one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from arena.bots.asking_together import FEWEST, AskedTogether
from arena.bots.isolation import Level
from arena.bots.isolation_hosts import Hosts
from arena.bots.spec import BotSpec
from arena.game import FAULT
from arena.rules import RuleTables
from tests.bots.bad_bots import isolation
from tests.bots.test_isolation_asker import (
    INDEX,
    assert_equal,
    hosted,
    questions_of,
    tables_of,
    written,
)


@pytest.fixture
def pair() -> Iterator[tuple[Hosts, Hosts]]:
    found = Hosts(isolation(Level.LIMITS)), Hosts(isolation(Level.LIMITS))
    yield found
    for each in found:
        each.close()


def together(pair: tuple[Hosts, Hosts], spec: BotSpec, tables: RuleTables) -> AskedTogether:
    return AskedTogether([hosted(each, spec, tables) for each in pair])


@pytest.mark.parametrize("name", ["hold", "expected", "moody"])
@pytest.mark.parametrize("count", [0, 1, 2 * FEWEST - 1, 2 * FEWEST, 3 * FEWEST + 1])
def test_the_answers_are_those_of_one_process(
    pair: tuple[Hosts, Hosts], name: str, count: int
) -> None:
    tables = tables_of("tienduizend")
    questions = questions_of(tables, 2, 900).only(np.arange(count))
    both = together(pair, INDEX.bots[name], tables)
    alone = hosted(pair[0], INDEX.bots[name], tables)
    assert_equal(both.answer(questions), alone.answer(questions))
    assert both.repeatable
    assert both.sees_dice == alone.sees_dice
    assert np.array_equal(both.audit(questions), alone.audit(questions))


def test_faults_are_found_in_either_half(pair: tuple[Hosts, Hosts], tmp_path: Path) -> None:
    tables = tables_of("greed")
    questions = questions_of(tables, 2, 3 * FEWEST)
    score = int(np.median(questions.features[:, 3]))
    lines = f"if turn.score >= {score}:\n    raise ValueError(turn.score)\n"
    both = together(pair, written(tmp_path, lines + "return turn.holds[0].bank()"), tables)
    codes = both.answer(questions).codes
    found = np.flatnonzero(codes == FAULT)
    assert np.array_equal(found, np.flatnonzero(questions.features[:, 3] >= score))
    middle = len(questions) // 2
    first = found[0], found[found >= middle][0]
    for question in first:
        fault = both.fault_at(int(question))
        assert fault is not None
        assert fault.message == f"ValueError: {questions.features[question, 3]}"


def test_distrust_reaches_both(pair: tuple[Hosts, Hosts]) -> None:
    tables = tables_of("greed")
    questions = questions_of(tables, 2, 2 * FEWEST)
    both = together(pair, INDEX.bots["hold"], tables)
    both.distrust(questions.only(np.array([3])))
    assert not both.repeatable
    assert not both.answer(questions).repeatable.any()

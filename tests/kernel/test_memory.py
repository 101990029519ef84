"""What is remembered of bots, across lineups, and what is forgotten: results never depend on it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import arena.kernel.memory
import arena.kernel.trees
from arena import Bot, Decision, Turn
from arena.bots.asking import LocalAsker, asker_of
from arena.bots.loader import instantiate, resolve
from arena.game import Counts, Questions
from arena.kernel import FaultAt, Kernel, Memory
from arena.kernel.layout import SET_WORDS
from arena.rules import load_ruleset, rule_tables
from arena.rules.places import rules_folders
from tests.kernel.test_twin import SHIPPED, differences

TABLES = rule_tables(load_ruleset("zehntausend-2:target=3000", rules_folders()))


class Peculiar(Bot):
    """Comes to a new position with nearly every roll, as it looks at all numbers."""

    def decide(self, turn: Turn) -> Decision:
        """Bank by a mixture of everything."""
        mixture = int(turn.points) * 7 + int(turn.score) * 13 + max(turn.opponents) * 17
        hold = turn.holds[0]
        return hold.bank() if (mixture // 50 + turn.round) % 3 == 0 else hold.roll()


class Audited(LocalAsker):
    """Counts the answers that it was asked for again, and may be asleep."""

    awake: bool = True

    def __init__(self) -> None:
        super().__init__(lambda: instantiate(resolve("greedy", SHIPPED)), TABLES, 2)
        self.asked_again = 0

    def audit(self, questions: Questions) -> NDArray[np.int64]:
        """Count, and answer."""
        self.asked_again += len(questions)
        return super().audit(questions)


def asker(name: str) -> LocalAsker:
    return asker_of(resolve(name, SHIPPED), TABLES, 2)


def played(bots: list[LocalAsker], memory: Memory | None = None) -> tuple[Counts, list[int]]:
    """Counts of some blocks, and how often each bot was asked."""
    counts, asked = Kernel(TABLES, bots, memory=memory).play(11, 0, 60, no_fault)
    return counts, asked.tolist()


def no_fault(at: FaultAt) -> None:
    raise AssertionError(at)


def test_lineups_share_what_a_bot_answered() -> None:
    memory = Memory(TABLES, 2)
    bots = {name: asker(name) for name in ("hold", "chaser", "greedy")}
    _, first = played([bots["hold"], bots["chaser"]], memory)
    counts, asked = played([bots["greedy"], bots["hold"]], memory)
    alone, asked_alone = played([asker("greedy"), asker("hold")])
    assert differences(counts, alone) == []
    assert first[0] > 0
    assert asked_alone[1] > 5 * asked[1]


def test_the_bot_that_played_longest_ago_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena.kernel.memory, "SETS_MIB", 0)  # room for one lineup only
    memory = Memory(TABLES, 2)
    names = ["hold", "chaser", "greedy", "few-dice"]
    bots = {name: asker(name) for name in names}
    for one, other in [(0, 1), (1, 2), (2, 3), (3, 0), (0, 1)]:
        pair = [names[one], names[other]]
        counts, _ = played([bots[name] for name in pair], memory)
        alone, _ = played([asker(name) for name in pair])
        assert differences(counts, alone) == []
    assert len(memory.trees.sets) == 2 * SET_WORDS


def test_where_there_is_no_room_all_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena.kernel.trees, "FIRST_WORDS", 1 << 11)
    monkeypatch.setattr(arena.kernel.trees, "MAX_WORDS", 1 << 11)
    memory = Memory(TABLES, 2)
    bots = {name: asker(name) for name in ("planner", "expected", "hold", "greedy")}
    for pair, full in [
        (("planner", "expected"), True),
        (("hold", "greedy"), False),
        (("greedy", "planner"), True),
        (("planner", "greedy"), True),
    ]:
        counts, _ = played([bots[name] for name in pair], memory)
        alone, _ = played([asker(name) for name in pair])
        assert differences(counts, alone) == []
        assert memory.trees.full == full


def test_answers_that_nobody_uses_are_noted_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    expected, _ = played([LocalAsker(Peculiar, TABLES, 2), asker("hold")])
    monkeypatch.setattr(arena.kernel.memory, "TRIAL", 300)
    peculiar = LocalAsker(Peculiar, TABLES, 2)
    memory = Memory(TABLES, 2)
    counts, asked = played([peculiar, asker("hold")], memory)
    assert differences(counts, expected) == []
    assert not peculiar.repeatable
    assert peculiar.fault_count == 0
    assert asked[0] == counts.decisions[0]


def test_a_bot_that_was_audited_often_is_not_started_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(arena.kernel.memory, "AUDITED", 20)
    memory = Memory(TABLES, 2)
    bot = Audited()
    kernel = Kernel(TABLES, [bot, asker("hold")], memory=memory)
    for chunk in range(6):
        kernel.play(11, 1000 * chunk, 1000, no_fault)
    before = bot.asked_again
    bot.awake = False
    for chunk in range(6, 12):
        kernel.play(11, 1000 * chunk, 1000, no_fault)
    assert before >= 20
    assert bot.asked_again == before


def test_a_bot_that_needs_many_answers_first_is_noted_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena.kernel.memory, "TRIAL", 300)
    planner = asker("planner")
    kernel = Kernel(TABLES, [planner, asker("hold")])
    asked = np.zeros(2, dtype=np.int64)
    for chunk in range(4):
        asked = kernel.play(11, 500 * chunk, 500, no_fault)[1]
    assert planner.repeatable
    assert 0 < asked[0] < 10_000


@pytest.mark.parametrize("name", ["chaser", "closing-time", "planner"])
def test_answers_are_put_in_anew_as_they_were(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever predicates are chosen, all that was answered before is put in once more."""
    results = []
    for lessons in [(1_000_000,), (10, 30, 100, 300, 1000)]:
        monkeypatch.setattr(arena.kernel.trees, "LEARNING", lessons)
        results.append(Kernel(TABLES, [asker(name)] * 2).play(11, 0, 1000, no_fault)[0])
    assert differences(*results) == []

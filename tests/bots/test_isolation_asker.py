"""A bot in its own process answers like one of this process, and is replaced when it is lost."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from arena.bots.asking import asker_of
from arena.bots.check_answers import batch_of
from arena.bots.check_positions import played_positions
from arena.bots.discovery_source import source_of
from arena.bots.isolation import Level
from arena.bots.isolation_asker import HostedAsker
from arena.bots.isolation_bwrap import find_sandbox
from arena.bots.isolation_hosts import KEPT_PROCESSES, Hosts
from arena.bots.loader import find_bots
from arena.bots.spec import BotSpec
from arena.errors import BotError
from arena.game import FAULT, Answers, Questions
from arena.rules import RuleTables, load_ruleset, rule_tables
from tests.bots.bad_bots import isolation

ROOT = Path(__file__).parents[2]
INDEX = find_bots([ROOT / "bots"], entry_points=False)
HEAD = "import os\nfrom arena import Bot\n\n\nclass Written(Bot):\n    asked = 0\n\n"


@pytest.fixture(
    params=[
        Level.LIMITS,
        pytest.param(
            Level.STRICT,
            marks=pytest.mark.skipif(bool(find_sandbox().missing), reason=find_sandbox().missing),
        ),
    ]
)
def hosts(request: pytest.FixtureRequest) -> Iterator[Hosts]:
    found = Hosts(isolation(request.param))
    yield found
    found.close()


def tables_of(rules: str) -> RuleTables:
    return rule_tables(load_ruleset(rules, [ROOT / "configs" / "rules"]))


def questions_of(tables: RuleTables, seats: int, count: int) -> Questions:
    return batch_of(played_positions(tables, seats, count, random.Random(5)))


def written(folder: Path, decide: str) -> BotSpec:
    """A bot whose `decide` has these lines."""
    path = folder / "written.py"
    lines = ["def decide(self, turn):", *(f"    {line}" for line in decide.splitlines())]
    path.write_text(HEAD + "".join(f"    {line}\n" for line in lines))
    return BotSpec(
        name="written",
        class_name="Written",
        path=str(path),
        parameters=(),
        source_hash=source_of(path).hash,
    )


def hosted(hosts: Hosts, spec: BotSpec, tables: RuleTables, seats: int = 2) -> HostedAsker:
    asker = hosts.asker(spec, tables, seats)
    assert isinstance(asker, HostedAsker)
    return asker


def assert_equal(one: Answers, other: Answers) -> None:
    for name in ("codes", "repeatable", "note_first", "note_weights", "note_low", "note_high"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


@pytest.mark.parametrize("name", ["hold", "closing-time", "moody", "notebook", "reroller"])
@pytest.mark.parametrize("seats", [2, 4])
def test_a_hosted_bot_answers_like_a_local_one(hosts: Hosts, name: str, seats: int) -> None:
    tables = tables_of("tienduizend")
    questions = questions_of(tables, seats, 600)
    here = asker_of(INDEX.bots[name], tables, seats)
    there = hosts.asker(INDEX.bots[name], tables, seats)
    assert_equal(there.answer(questions), here.answer(questions))
    assert_equal(there.answer(questions), here.answer(questions))
    if not here.remembers:  # whose answers depend on the order of questions, which audits change
        assert np.array_equal(there.audit(questions), here.audit(questions))
    assert there.repeatable == here.repeatable
    assert there.remembers == here.remembers
    assert not there.faults


def test_several_rulesets_share_a_process(hosts: Hosts) -> None:
    spec = INDEX.bots["hold"]
    for rules in ("greed", "zehntausend-1", "greed"):
        tables = tables_of(rules)
        questions = questions_of(tables, 2, 40)
        assert (hosted(hosts, spec, tables).answer(questions).codes != FAULT).all()
        pids = {hosts.host(spec).pid}
    assert len(pids) == 1


def test_a_distrusted_bot_is_asked_without_notes(hosts: Hosts) -> None:
    tables = tables_of("greed")
    questions = questions_of(tables, 2, 40)
    asker = hosted(hosts, INDEX.bots["hold"], tables)
    assert asker.answer(questions).repeatable.all()
    asker.distrust(questions.only(np.array([3])))
    assert not asker.repeatable
    answers = asker.answer(questions)
    assert not answers.repeatable.any()
    assert len(answers.note_low) == 0
    assert [fault.kind for fault in asker.faults] == ["unrepeatable"]


def test_only_the_question_that_kills_is_lost(hosts: Hosts, tmp_path: Path) -> None:
    tables = tables_of("greed")
    questions = questions_of(tables, 2, 300)
    score = int(questions.features[217, 3])
    points = int(questions.features[217, 0])
    same = (questions.features[:, 3] == score) & (questions.features[:, 0] == points)
    deadly = f"if turn.score == {score} and turn.points == {points}:\n    os._exit(7)\n"
    asker = hosted(hosts, written(tmp_path, deadly + "return turn.holds[0].bank()"), tables)
    codes = asker.answer(questions.only(np.flatnonzero(~same))).codes
    assert (codes != FAULT).all()
    one = np.sort(np.concatenate([np.flatnonzero(~same), [217]]))
    codes = asker.answer(questions.only(one)).codes
    [lost] = np.flatnonzero(codes == FAULT)
    assert one[lost] == 217
    fault = asker.fault_at(int(lost))
    assert fault is not None
    assert fault.kind == "silent death"
    assert "exit code 7" in fault.message
    assert f"score {score}," in fault.position


def test_every_lost_process_costs_one_question_and_is_told(hosts: Hosts, tmp_path: Path) -> None:
    tables = tables_of("greed")
    questions = questions_of(tables, 2, 6)
    asker = hosted(hosts, written(tmp_path, "os._exit(1)"), tables)
    assert (asker.answer(questions).codes == FAULT).all()
    assert not asker.unloadable
    assert [fault.kind for fault in asker.faults] == ["silent death"] * 6
    assert all(fault.lost for fault in asker.faults)
    assert (asker.audit(questions) == FAULT).all()


def test_exceptions_cost_a_game_each_and_no_process(hosts: Hosts, tmp_path: Path) -> None:
    tables = tables_of("greed")
    questions = questions_of(tables, 2, 400)
    spec = written(tmp_path, "return turn.holds[3].bank()")
    asker = hosted(hosts, spec, tables)
    codes = asker.answer(questions).codes
    assert (codes == FAULT).any()
    assert (codes != FAULT).any()
    assert asker.fault_count == (codes == FAULT).sum()
    pid = hosts.host(spec).pid
    asker.answer(questions)
    assert hosts.host(spec).pid == pid
    assert "line 9, in decide" in asker.faults[0].traceback


def test_what_is_open_here_decides_nothing_in_there(hosts: Hosts, tmp_path: Path) -> None:
    tables = tables_of("greed")
    told = []
    here = [os.open(os.devnull, os.O_RDONLY) for _ in range(80)]
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        spec = written(folder, "raise ValueError([os.dup(n) for n in range(3, 7)])")
        asker = hosted(hosts, spec, tables)
        asker.answer(questions_of(tables, 2, 1))
        told.append(asker.faults[0].message)
        for descriptor in here:  # the second one starts without them
            os.close(descriptor)
        here.clear()
    assert told[0] == told[1]
    assert "ValueError: [" in told[0]


def test_a_process_that_is_killed_between_batches_is_replaced(hosts: Hosts) -> None:
    tables = tables_of("greed")
    questions = questions_of(tables, 2, 40)
    asker = hosted(hosts, INDEX.bots["hold"], tables)
    before = asker.answer(questions)
    os.kill(hosts.host(INDEX.bots["hold"]).pid, signal.SIGKILL)
    time.sleep(0.05)
    after = asker.answer(questions)
    assert_equal(after, before)


def test_a_changed_file_stops_the_run(hosts: Hosts, tmp_path: Path) -> None:
    tables = tables_of("greed")
    spec = written(tmp_path, "return turn.holds[0].bank()")
    Path(spec.path).write_text(HEAD + "    decide = None\n")
    with pytest.raises(BotError, match="has changed since it was found"):
        hosted(hosts, spec, tables).answer(questions_of(tables, 2, 3))


def test_processes_make_room_and_come_back(hosts: Hosts, tmp_path: Path) -> None:
    tables = tables_of("greed")
    questions = questions_of(tables, 2, 5)
    specs = []
    for number in range(KEPT_PROCESSES + 3):
        folder = tmp_path / str(number)
        folder.mkdir()
        specs.append(written(folder, f"x = {number}\nreturn turn.holds[0].bank()"))
    askers = [hosted(hosts, spec, tables) for spec in specs]
    for asker in [*askers, askers[0]]:  # most of them are started a second time
        assert (asker.answer(questions).codes != FAULT).all()
        assert asker.awake
        assert sum(hosts.host(spec).running for spec in specs) <= KEPT_PROCESSES
    assert all(asker.awake for asker in askers[-8:])


def test_numpy_stays_out_of_a_process_that_does_not_want_it(hosts: Hosts, tmp_path: Path) -> None:
    tables = tables_of("greed")
    loaded = "import sys\nassert 'numpy._core' not in sys.modules\n"
    asker = hosted(hosts, written(tmp_path, loaded + "return turn.holds[0].bank()"), tables)
    assert (asker.answer(questions_of(tables, 2, 20)).codes != FAULT).all()
    wanted = "import numpy\nassert numpy.array([turn.points]).sum() >= 0\n"
    other = tmp_path / "other"
    other.mkdir()
    asker = hosted(hosts, written(other, wanted + "return turn.holds[0].bank()"), tables)
    assert (asker.answer(questions_of(tables, 2, 20)).codes != FAULT).all()


def test_a_bot_that_cannot_be_loaded_is_not_tried_again(hosts: Hosts, tmp_path: Path) -> None:
    tables = tables_of("greed")
    questions = questions_of(tables, 2, 6)
    path = tmp_path / "broken.py"
    path.write_text(HEAD + "    raise ValueError('never')\n")
    spec = BotSpec(
        name="broken",
        class_name="Written",
        path=str(path),
        parameters=(),
        source_hash=source_of(path).hash,
    )
    asker = hosted(hosts, spec, tables)
    for _ in range(2):
        assert (asker.answer(questions).codes == FAULT).all()
    assert asker.unloadable
    first = asker.faults[0]
    assert (first.kind, first.lost) == ("load error", False)

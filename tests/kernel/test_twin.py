"""The two twins: from the same address referee and kernel play the same game to the last die."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from arena.bots.loader import BotIndex, find_bots, resolve
from arena.bots.places import bot_folders
from arena.game import Counts
from arena.records import Chunk, Match
from arena.rules import Ruleset, load_ruleset
from arena.rules.checking import ruleset_from
from arena.rules.places import rules_folders
from arena.tournament.kernel_engine import KernelEngine
from arena.tournament.referee_engine import RefereeEngine
from arena.tournament.tasks import ChunkTask, EngineName
from tests.bots.generated import bot_source
from tests.kernel.random_rules import random_ruleset

SHIPPED = find_bots(bot_folders(), entry_points=False)
NAMES = sorted(name for name, spec in SHIPPED.bots.items() if not spec.by_name_only)


def task(
    ruleset: Ruleset,
    names: list[str],
    *,
    blocks: int,
    fixed: bool,
    seed: int,
    index: BotIndex = SHIPPED,
) -> ChunkTask:
    specs = tuple(resolve(name, index) for name in names)
    match = Match(
        rules=ruleset.name,
        rules_key=ruleset.key,
        bots=tuple(names),
        bot_keys=tuple(spec.key for spec in specs),
        seed=seed,
        fixed_seats=fixed,
    )
    chunk = Chunk(match=match, first_block=seed % 7, blocks=blocks)
    return ChunkTask(chunk=chunk, ruleset=ruleset, specs=specs, engine=EngineName.KERNEL)


def differences(one: Counts, other: Counts) -> list[str]:
    return [
        field.name
        for field in fields(Counts)
        if not np.array_equal(getattr(one, field.name), getattr(other, field.name))
    ]


def check_twins(work: ChunkTask) -> None:
    by_referee = RefereeEngine().play(work)
    by_kernel = KernelEngine().play(work)
    assert differences(by_referee.counts, by_kernel.counts) == [], (
        work.ruleset,
        work.chunk.match.bots,
    )


@pytest.mark.parametrize("rules", ["tienduizend", "zehntausend-1", "zehntausend-2"])
def test_twins_on_the_documents(rules: str) -> None:
    ruleset = load_ruleset(rules, rules_folders())
    for seed, pair in enumerate(
        [["hold", "planner"], ["chaser", "notebook"], ["moody", "expected"]]
    ):
        check_twins(task(ruleset, pair, blocks=15, fixed=False, seed=seed))


@pytest.mark.parametrize("seed", range(60))
def test_twins_on_random_rulesets(seed: int) -> None:
    rng = random.Random(seed)
    ruleset = random_ruleset(rng)
    # planner needs a second for each new ruleset; it plays on the rulesets of the documents
    names = [rng.choice([n for n in NAMES if n != "planner"]) for _ in range(rng.randint(2, 5))]
    if seed % 10 == 0:
        names = (names * 4)[:8]
    check_twins(task(ruleset, names, blocks=3, fixed=rng.random() < 0.3, seed=seed))


@pytest.mark.parametrize("seed", range(12))
def test_twins_with_generated_programs(seed: int, tmp_path: Path) -> None:
    rng = random.Random(1000 + seed)
    for number in range(2):
        source = bot_source(2 * seed + number).replace("class Generated", f"class Program{number}")
        (tmp_path / f"program{number}.py").write_text(source, encoding="utf-8")
    index = find_bots([tmp_path], entry_points=False)
    ruleset = random_ruleset(rng)
    names = ["program0", "program1", "program0"][: rng.randint(2, 3)]
    check_twins(task(ruleset, names, blocks=2, fixed=False, seed=seed, index=index))


def test_twins_where_the_kernel_is_not_compiled() -> None:
    chosen = " or ".join(f"random_rulesets[{seed}]" for seed in (3, 7, 10, 21, 34))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", __file__, "-k", chosen],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "5 passed" in done.stdout


def test_twins_at_the_last_roll_that_a_turn_can_have(tmp_path: Path) -> None:
    source = """
from arena import Bot

class Endless(Bot):
    def decide(self, turn):
        holds = turn.holds
        return holds[0].roll() if turn.can_roll(holds[0]) else holds[-1].bank()
"""
    (tmp_path / "endless.py").write_text(source, encoding="utf-8")
    ruleset = ruleset_from(
        {"dice": 2, "target": 10_000_000, "rounds": 2, "combinations": {"a": 50}},
        name="endless",
        where="test",
    )
    index = find_bots([tmp_path], entry_points=False)
    check_twins(task(ruleset, ["endless"] * 2, blocks=2, fixed=False, seed=1, index=index))

"""Bad bots in a real tournament beside honest ones: nobody else notices, and authors are told."""

from __future__ import annotations

import multiprocessing
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from arena.bots.isolation import TRUST, Isolation, Level
from arena.bots.isolation_bwrap import find_sandbox
from arena.bots.loader import find_bots, resolve
from arena.bots.spec import BotSpec
from arena.records import Fault, FaultKind, Match, MatchStats
from arena.rules import load_ruleset
from arena.tournament import EngineName, MemoryLedger, PlannedMatch, run_matches
from tests.bots.bad_bots import FOLDER, BadBot, bad_bots, isolation

ROOT = Path(__file__).parents[2]
RULESET = load_ruleset("zehntausend-2:target=1500", [ROOT / "configs" / "rules"])
HONEST = ("hold:points=350", "greedy", "moody")
CORPUS = {bad.spec.name: bad for bad in bad_bots()}
LEVELS = [
    Level.LIMITS,
    pytest.param(
        Level.STRICT,
        marks=pytest.mark.skipif(bool(find_sandbox().missing), reason=find_sandbox().missing),
    ),
]
CASES = [
    pytest.param(level.values[0] if hasattr(level, "values") else level, bad, marks=marks, id=bad)
    for level in LEVELS
    for marks in [getattr(level, "marks", ())]
    for bad in CORPUS
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A tournament that was played."""

    stats: dict[tuple[str, ...], MatchStats]
    faults: dict[str, list[Fault]]


def _specs() -> list[BotSpec]:
    index = find_bots([ROOT / "bots"], entry_points=False)
    return [resolve(text, index) for text in HONEST]


def _match(*specs: BotSpec, blocks: int) -> PlannedMatch:
    match = Match(
        rules=RULESET.name,
        rules_key=RULESET.key,
        bots=tuple(spec.name for spec in specs),
        bot_keys=tuple(spec.key for spec in specs),
        seed=11,
    )
    return PlannedMatch(match=match, ruleset=RULESET, specs=specs, blocks=blocks)


def _play(bad: list[BadBot], apart: Isolation) -> Played:
    """Honest bots against each other, and every bad one against an honest one."""
    first, second, third = _specs()
    planned = [_match(bot.spec, first, blocks=2) for bot in bad]
    planned += [_match(first, second, blocks=30), _match(second, third, first, blocks=10)]
    ledger = MemoryLedger()
    list(
        run_matches(
            planned,
            ledger,
            engine=EngineName.KERNEL,
            workers=2,
            chunk_blocks=10,
            isolation=apart,
        )
    )
    stats = {each.match.bots: ledger.stats(each.match.id) for each in planned}
    assert None not in stats.values()
    faults: dict[str, list[Fault]] = {}
    for fault in ledger.faults:
        faults.setdefault(fault.bot, []).append(fault)
    return Played(stats=stats, faults=faults)  # type: ignore[arg-type]  # none is None


@cache
def _honest_alone() -> Played:
    return _play([], TRUST)


@cache
def _tournament(level: Level) -> Played:
    bad = [bot for bot in CORPUS.values() if level in bot.levels]
    return _play(bad, isolation(level))


@pytest.fixture(scope="module", autouse=True)
def _nothing_stays_behind() -> Iterator[None]:
    yield
    assert not multiprocessing.active_children()
    assert not list(FOLDER.glob("*.txt"))
    assert not list(Path("/tmp").glob("arena-bad-bot-*"))


def test_the_corpus_is_large() -> None:
    assert len(CORPUS) >= 40


@pytest.mark.parametrize("level", LEVELS)
def test_honest_bots_play_as_if_the_bad_ones_were_not_there(level: Level) -> None:
    alone, beside = _honest_alone(), _tournament(level)
    for bots, stats in alone.stats.items():
        assert beside.stats[bots].digest == stats.digest
    for honest in HONEST:
        assert honest not in beside.faults


@pytest.mark.parametrize(("level", "name"), CASES)
def test_a_bad_bot(level: Level, name: str) -> None:
    bad, played = CORPUS[name], _tournament(level)
    if level not in bad.levels:
        pytest.skip(f"only under {bad.levels[0]}")
    [stats] = [stats for bots, stats in played.stats.items() if bots[0] == name]
    faults = played.faults.get(name, [])
    assert stats.games == 4  # every game has come to an end
    expected = bad.faults[level]
    kinds = {fault.kind.value for fault in faults}
    if expected is not None:
        assert kinds & expected or ("none" in expected and not kinds), faults
    assert not any("ESCAPED" in fault.message for fault in faults) or expected is None
    lost = any(fault.forfeits for fault in faults)
    assert bool(stats.forfeits[0]) == lost
    for fault in faults:
        _check_words(fault, name)


def _check_words(fault: Fault, name: str) -> None:
    """An author can read it: short, clean, and about the author's own lines."""
    assert fault.message
    assert len(fault.message) < 800
    assert "\n" not in fault.message
    for text in (fault.message, fault.traceback, fault.output):
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text)
        assert len(text) <= 8_000
    for place in re.findall(r'File "(.*?)"', fault.traceback):
        assert place == str(FOLDER / f"{name}.py"), fault.traceback
    if fault.block >= 0 and fault.kind is not FaultKind.WITHDRAWN:
        assert fault.position.startswith("rules: ")


def test_under_strict_nothing_escapes() -> None:
    if find_sandbox().missing:
        pytest.skip(find_sandbox().missing)
    played = _tournament(Level.STRICT)
    told = [fault.message for faults in played.faults.values() for fault in faults]
    assert not [message for message in told if "ESCAPED" in message]

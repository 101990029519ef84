"""The bots that come with arena: they play every ruleset without a fault, and repeatably."""

from __future__ import annotations

import ast
import random
import sys
from pathlib import Path

import pytest

from arena import Bot, Decision, Turn
from arena.bots.loader import find_bots, instantiate, resolve
from arena.bots.spec import BotSpec
from arena.game import AddressedDice, GameResult, Termination, play_game
from arena.rules import RuleTables, load_ruleset, rule_tables, ruleset_files
from arena.rules.places import shipped_folder

FOLDER = shipped_folder("bots") or Path("bots")
INDEX = find_bots([FOLDER], entry_points=False)
NAMES = sorted(name for name, spec in INDEX.bots.items() if not spec.by_name_only)
"""Bots that play everywhere; the perfect ones need computed tables and have their own tests."""

DOCUMENTS = ["tienduizend", "zehntausend-1", "zehntausend-2"]
VARIANTS = [
    "tienduizend:hot_dice=must,nothing_scores=500",
    "tienduizend:hot_dice=end,max_rolls=2,opening_minimum=300",
    "tienduizend:max_rolls=4,rolls_reset_on_hot_dice=true,continue_faces=[1,5],rounds=12",
    "tienduizend:bust=keep,tie=draw,target=4000,instant_win=[]",
    "tienduizend:reroll_all=false,bust_penalty={after=3,points=1000,resets=false,floor=0}",
    "tienduizend:bank_minimum=700,target=5000,dice=5,instant_win=[],combinations.aabbcc=0,"
    "combinations.111111=0,combinations.222222=0,combinations.333333=0,combinations.444444=0,"
    "combinations.555555=0,combinations.666666=0,combinations.123456=0",
    "zehntausend-1:max_rolls=1,bank_minimum=0,target=2000",
    "zehntausend-1:rolls_reset_on_hot_dice=true,bust=forfeit",
    "zehntausend-2:hot_dice=must,continue_faces=[1,5],combinations.1=1,combinations.5=1",
    "zehntausend-2:bust_penalty={after=2,points=500},rounds=15,target=20000",
]
SHIPPED_RULES = (shipped_folder("configs") or Path("configs")) / "rules"
RULESETS = [*sorted(ruleset_files([SHIPPED_RULES])), *VARIANTS]


def tables_of(rules: str) -> RuleTables:
    return rule_tables(load_ruleset(rules, [SHIPPED_RULES]))


def play(tables: RuleTables, bots: list[Bot], block: int) -> GameResult:
    dice = AddressedDice(20_260, block)

    def rng_seed(seat: int, turn: int, roll: int) -> int:
        return dice.rng_seed(seat=seat, turn=turn, roll=roll)

    return play_game(tables, bots, dice, rng_seed=rng_seed)


def test_at_least_ten_bots_and_no_problem() -> None:
    assert not INDEX.problems
    assert len(NAMES) >= 10
    assert {"hold", "random", "greedy"} <= set(NAMES)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_a_shipped_bot_is_a_good_example(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {
        alias.name for n in ast.walk(tree) if isinstance(n, ast.Import) for alias in n.names
    }
    assert "arena" in imported
    allowed = {"arena", *sys.stdlib_module_names}
    if "BatchBot" in path.read_text(encoding="utf-8"):
        allowed |= {"numpy", "numpy.typing"}  # batches are its arrays
    assert imported <= allowed
    bots = [spec for spec in INDEX.bots.values() if Path(spec.path).name == path.name]
    assert len(bots) == (2 if path.stem == "perfect" else 1)
    assert bots[0].summary.endswith(".")
    doc = type(instantiate(bots[0])).__doc__ or ""
    assert len(doc.split()) > 30, "the idea is explained to a beginner"


@pytest.mark.parametrize("rules", RULESETS)
def test_every_bot_plays_every_ruleset_without_a_fault(rules: str) -> None:
    tables = tables_of(rules)
    chance = random.Random(len(rules))
    for number, name in enumerate(NAMES):
        for block, seats in enumerate((2, 2, chance.randint(3, 8))):
            others = [chance.choice(NAMES) for _ in range(seats - 1)]
            lineup = [instantiate(INDEX.bots[each]) for each in (name, *others)]
            result = play(tables, lineup, 100 * number + block)
            assert result.forfeit is None, f"{name} with {others}: {result.forfeit}"
            assert result.termination is not Termination.FORFEIT


@pytest.mark.parametrize("rules", DOCUMENTS)
def test_games_of_a_bot_with_itself_end_by_the_target(rules: str) -> None:
    tables = tables_of(rules)
    for name in NAMES:
        result = play(tables, [instantiate(INDEX.bots[name]) for _ in range(2)], 7)
        assert result.termination in (Termination.TARGET, Termination.INSTANT_WIN), name


class Recorder(Bot):
    """Notes the questions to a bot and its answers."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.asked: list[tuple[Turn, Decision]] = []

    def decide(self, turn: Turn) -> Decision:
        decision = self.bot.decide(turn)
        self.asked.append((turn, decision))
        return decision


@pytest.mark.parametrize("name", [n for n in NAMES if not INDEX.bots[n].remembers])
def test_answers_depend_on_the_turn_alone(name: str) -> None:
    spec = INDEX.bots[name]
    asked: list[tuple[Turn, Decision]] = []
    for rules in (*DOCUMENTS, VARIANTS[0]):
        recorder = Recorder(instantiate(spec))
        play(tables_of(rules), [recorder, instantiate(INDEX.bots["hold"])], 3)
        asked += recorder.asked
    random.Random(1).shuffle(asked)
    fresh = instantiate(spec)
    for turn, decision in asked:
        turn.rng.seed(0)
        again = fresh.decide(turn)
        turn.rng.seed(0)
        assert fresh.decide(turn) is again
        assert name in ("random", "moody") or again is decision


def won_by(name: str, other: str, rules: str, blocks: int) -> float:
    tables = tables_of(rules)
    points = 0.0
    for block in range(blocks):
        for seat in (1, 2):
            bots = [instantiate(resolve(each, INDEX)) for each in (name, other)]
            winners = play(tables, bots if seat == 1 else bots[::-1], block).winners
            points += (seat in winners) / len(winners)
    return points / (2 * blocks)


@pytest.mark.parametrize(
    ("name", "rules", "least"),
    [
        ("reroller", "tienduizend", 0.9),
        ("expected", "tienduizend", 0.9),
        ("planner", "tienduizend", 0.9),
        ("planner", "zehntausend-1", 0.5),
        ("planner", "zehntausend-2", 0.55),
    ],
)
def test_bots_that_know_more_beat_hold(name: str, rules: str, least: float) -> None:
    """With fixed dice this is no matter of luck; the true shares are well above `least`."""
    assert won_by(name, "hold:points=300", rules, 60) > least


def test_parameters_of_shipped_bots_can_be_set() -> None:
    values = {"hold": "points=500,dice=2", "moody": "low=1,high=9", "planner": "most=2000"}
    for name, value in values.items():
        spec: BotSpec = resolve(f"{name}:{value}", INDEX)
        assert instantiate(spec)

"""What a player sees, and what happens to one that answers what it may not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from arena.errors import UsageError
from arena.game import (
    AddressedDice,
    GameStopped,
    Termination,
    Turn,
    event_line,
    match_key,
    play_game,
)
from arena.rules import REROLL, Decision, Hold
from tests.game.players import Says, banker, game
from tests.rules.loading import tables


def says(answer: Callable[[Turn], Any]) -> Says:
    return Says(answer)


def test_everything_that_a_turn_shows() -> None:
    first = banker()
    second = says(lambda turn: turn.holds[-1].roll() if turn.rolls < 3 else turn.holds[0].bank())
    third = banker()
    spec = "zehntausend-2:target=5000,max_rolls=5,bust_penalty={after=2,points=100}"
    rolls = ["11115", "22346", "11116", "22346", "12345", "1123", "123", "22346", "55556"]
    game(spec, rolls, [first, second, third])
    turn = second.seen[2]
    assert turn.rules.name == spec
    assert turn.dice == (1, 2, 3)
    assert [hold.dice for hold in turn.holds] == [(1,)]
    assert (turn.points, turn.rolls, turn.limited_rolls) == (150, 3, 3)
    assert (turn.score, turn.opponents, turn.to_beat) == (0, (1000, 1050), 1050)
    assert (turn.round, turn.seat, turn.last_round) == (2, 2, False)
    assert (turn.busts, turn.open, turn.minimum) == (1, False, 350)
    assert [seen.opponents for seen in first.seen] == [(0, 0), (0, 1000)]
    assert [seen.opponents for seen in third.seen] == [(1050, 0)]
    assert [(seen.seat, seen.open) for seen in first.seen] == [(1, False), (1, True)]
    assert repr(turn).startswith("Turn(dice=(1, 2, 3), points=150, rolls=3, score=0, ")


def test_limited_rolls_start_anew_but_rolls_do_not() -> None:
    player = says(lambda turn: turn.holds[0].roll() if turn.rolls < 3 else turn.holds[0].bank())
    spec = "zehntausend-1:rolls_reset_on_hot_dice=true,target=4050"
    game(spec, ["12345", "12345", "12356"], [player, banker()])
    assert [(turn.rolls, turn.limited_rolls) for turn in player.seen] == [(1, 1), (2, 1), (3, 1)]


def turn_of(spec: str, dice: list[int], **changed: Any) -> Turn:
    values: dict[str, Any] = {
        "points": 0,
        "rolls": 1,
        "limited_rolls": 1,
        "score": 0,
        "opponents": (0,),
        "round": 1,
        "seat": 1,
        "last_round": False,
        "to_beat": 0,
        "busts": 0,
        "open": False,
    }
    return Turn(tables(spec).ruleset, tables(spec).roll(dice), **(values | changed))


def test_can_bank_means_that_points_would_be_written() -> None:
    dutch = turn_of("tienduizend", [1, 1, 1, 2, 3, 4])
    assert [hold.points for hold in dutch.holds] == [1000, 200, 100]
    assert [dutch.can_bank(hold) for hold in dutch.holds] == [True, False, False]
    opened = turn_of("tienduizend", [1, 1, 1, 2, 3, 4], open=True)
    assert all(opened.can_bank(hold) for hold in opened.holds)
    gathered = turn_of("tienduizend", [1, 1, 1, 2, 3, 4], points=850)
    assert [gathered.can_bank(hold) for hold in gathered.holds] == [True, True, False]


def test_can_and_must_roll() -> None:
    straight = [1, 2, 3, 4, 5]
    for spec, rolls, can, must, bank in [
        ("zehntausend-2", 1, True, False, True),
        ("zehntausend-2:hot_dice=must", 1, True, True, False),
        ("zehntausend-2:hot_dice=end", 1, False, False, True),
        ("zehntausend-1", 2, True, True, False),
        ("zehntausend-1", 3, False, False, True),
        ("zehntausend-1:rolls_reset_on_hot_dice=true", 3, True, True, False),
        ("zehntausend-2", 1000, False, False, True),
        ("zehntausend-1:rolls_reset_on_hot_dice=true", 1000, False, False, True),
        ("zehntausend-2:continue_faces=[6],hot_dice=must", 1, False, False, True),
    ]:
        turn = turn_of(spec, straight, rolls=rolls, limited_rolls=min(rolls, 3))
        hold = turn.holds[0]
        assert (turn.can_roll(hold), turn.must_roll(hold), turn.can_bank(hold)) == (can, must, bank)


def test_reroll_says_when_it_is_not_possible() -> None:
    assert turn_of("tienduizend", [1, 2, 3, 3, 4, 6]).reroll() is REROLL
    for spec, changed in [("tienduizend", {"points": 100}), ("tienduizend:reroll_all=false", {})]:
        turn = turn_of(spec, [1, 2, 3, 3, 4, 6], **changed)
        assert not turn.can_reroll
        with pytest.raises(UsageError, match="it needs a ruleset with reroll_all"):
            turn.reroll()


def test_a_turn_cannot_be_changed() -> None:
    turn: Any = turn_of("tienduizend", [1, 2, 3])
    with pytest.raises(AttributeError, match="a Turn cannot be changed; keep points in a variable"):
        turn.points = 5000
    with pytest.raises(AttributeError):
        turn.note = "mine"
    with pytest.raises(AttributeError):
        del turn.score


def test_rng_is_seeded_by_the_address() -> None:
    key = match_key(1, "test")
    numbers: list[list[float]] = []

    def answer(turn: Turn) -> Decision:
        drawn.append(turn.rng.random())
        assert turn.rng.random() != drawn[-1]
        return turn.holds[0].bank()

    for block in (0, 0, 1):
        drawn: list[float] = []
        dice = AddressedDice(key, block)
        play_game(tables("die"), [says(answer), says(answer)], dice, rng_seed=dice.rng_seed)
        numbers.append(drawn)
    assert numbers[0] == numbers[1] != numbers[2]
    assert len(set(numbers[0])) == len(numbers[0])


class Odd:
    """Raises wherever it is looked at."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("never compare me")

    __hash__ = None  # type: ignore[assignment]  # part of what makes it odd

    def __repr__(self) -> str:
        raise RuntimeError("never show me")


def another_roll() -> Hold:
    return tables("tienduizend").roll([1, 1, 1, 2, 3, 4]).holds[0]


def forged(turn: Turn) -> Decision:
    return Decision("bank", Hold(dice=(1,), points=9999, dice_left=5, hot=False, index=0), 0)


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (lambda turn: None, "None"),
        (lambda turn: "bank", "'bank'"),
        (lambda turn: turn.holds[0], "Hold(2 3 4 5 6 = 500, 1 left)"),
        (lambda turn: another_roll().bank(), "bank 1 1 1"),
        (forged, "bank 1"),
        (lambda turn: Decision("reroll", None, 255), "reroll"),
        (lambda turn: REROLL, "reroll"),
        (lambda turn: Odd(), "an object of Odd that cannot be shown"),
        (lambda turn: "x" * 1000, "'" + "x" * 196 + "..."),
    ],
)
def test_an_illegal_answer_forfeits(answer: Callable[[Turn], Any], shown: str) -> None:
    result, events = game(
        "tienduizend:reroll_all=false", ["223346", "234645"], [banker(), says(answer)]
    )
    assert (result.winners, result.termination) == ((1,), Termination.FORFEIT)
    assert result.forfeit is not None
    assert (result.forfeit.seat, result.forfeit.error) == (2, None)
    assert result.forfeit.answer == shown
    assert "roll 2 3 4 4 5 6\n" in result.forfeit.position
    assert event_line(events[-1]) == "end: seat 1 wins by forfeit, scores 0 0"


@pytest.mark.parametrize("error", [ZeroDivisionError, SystemExit, RecursionError, GeneratorExit])
def test_whatever_is_raised_forfeits(error: type[BaseException]) -> None:
    def answer(turn: Turn) -> Decision:
        raise error("my fault")

    players = [banker(), says(answer), banker()]
    result, _ = game("tienduizend", ["223346", "234645"], players)
    assert (result.winners, result.termination) == ((1, 3), Termination.FORFEIT)
    assert result.forfeit is not None
    assert type(result.forfeit.error) is error
    assert result.tallies[1].decisions == 1


@pytest.mark.parametrize("stop", [KeyboardInterrupt, GameStopped])
def test_what_stops_a_game_is_nobodys_fault(stop: type[BaseException]) -> None:
    def answer(turn: Turn) -> Decision:
        raise stop

    with pytest.raises(stop):
        game("tienduizend", ["234645"], [says(answer), banker()])


def test_a_player_that_changes_its_turn_forfeits() -> None:
    def answer(turn: Turn) -> Decision:
        changed: Any = turn
        changed.rolls = 0
        return turn.holds[0].roll()

    result, _ = game("zehntausend-1", ["12345"], [says(answer), banker()])
    assert result.winners == (2,)


def test_tallies() -> None:
    player = says(lambda turn: turn.holds[0].roll() if turn.points < 1000 else turn.holds[0].bank())
    rolls = ["112234", "2334", "223346", "123456", "112345", "123456"]
    result, _ = game("tienduizend:target=1500", rolls, [player, banker()])
    first, second = result.tallies
    assert (result.winners, result.scores) == ((1,), (2100, 1500))
    assert (first.turns, first.rolls, first.busts, first.decisions) == (2, 4, 1, 3)
    assert (second.turns, second.rolls, second.busts, second.decisions) == (2, 2, 1, 1)
    assert (first.written, second.written) == result.scores

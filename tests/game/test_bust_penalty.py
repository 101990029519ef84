"""What a row of busts costs."""

from __future__ import annotations

import pytest

from arena.game import GameResult
from arena.game.events import Busted
from tests.game.players import banker, game, told

PENALTY = "die:target=2000,bust_penalty={after=3,points=500"


def penalties(spec: str, faces: str) -> tuple[list[int], int, GameResult]:
    """What each bust of seat 1 cost, its final score, and the game; seat 2 writes 500 a turn."""
    rolls = [face + "5" for face in faces]
    players = [banker(), banker()]
    result, events = game(spec + f",rounds={len(faces)}", list("".join(rolls)), players)
    costs = [event.penalty for event in events if isinstance(event, Busted)]
    return costs, result.scores[0], result


@pytest.mark.parametrize(
    ("more", "faces", "costs", "score"),
    [
        ("}", "5566", [0, 0], 1000),
        ("}", "5666", [0, 0, 500], 0),
        ("}", "6665", [0, 0, 500], 0),
        ("}", "666", [0, 0, 500], -500),
        ("}", "6656", [0, 0, 0], 500),  # writing ends the row
        ("}", "666666", [0, 0, 500, 0, 0, 500], -1000),  # the row starts anew
        (",resets=false}", "66666", [0, 0, 500, 500, 500], -1500),  # every further bust costs
        (",resets=false}", "666566", [0, 0, 500, 0, 0], 0),
        (",floor=0}", "666", [0, 0, 0], 0),
        (",floor=0}", "3666", [0, 0, 300], 0),
        (",floor=-200}", "666666", [0, 0, 200, 0, 0, 0], -200),
        (",floor=400}", "5666", [0, 0, 100], 400),
        (",floor=400}", "2666", [0, 0, 0], 200),  # below the floor already: nothing is given
    ],
)
def test_penalty(more: str, faces: str, costs: list[int], score: int) -> None:
    spec = PENALTY.replace("2000", "100000") + more
    seen, final, result = penalties(spec, faces)
    assert (seen, final) == (costs, score)
    assert result.tallies[0].busts == faces.count("6")
    assert result.tallies[0].written == 100 * sum(int(face) for face in faces if face != "6")


def test_one_bust_is_a_row_of_one() -> None:
    assert penalties("die:bust_penalty={after=1,points=50},target=9000", "666")[1] == -150


def test_banking_nothing_neither_ends_the_row_nor_adds_to_it() -> None:
    spec = "die:target=9000,bank_minimum=300,bust_penalty={after=2,points=100}"
    assert penalties(spec, "626")[0] == [0, 100]
    assert penalties(spec, "636")[0] == [0, 0]


def test_a_bust_that_writes_ends_the_row() -> None:
    told(
        "zehntausend-1:bust_penalty={after=2,points=1000}",
        """
round 1, seat 1
  roll 2 2 3 4 6
  bust
  writes 0, score 0
round 1, seat 2
  roll 2 2 3 4 6
  bust
  writes 0, score 0
round 2, seat 1
  roll 1 2 3 3 3
  keep 1 3 3 3 = 400, roll on
  roll 2
  bust
  writes 400, score 400
round 2, seat 2
  roll 1 2 2 3 3
  keep 1 = 100, roll on
  roll 2 2 3 3
  bust, penalty 1000
  writes 0, score -1000
round 3, seat 1
  roll 2 2 3 4 6
  bust
  writes 0, score 400
""",
    )


@pytest.mark.parametrize(
    ("faces", "seen"),
    [("6615", [2, 0]), ("6665", [0]), ("6555", [1, 0, 0])],  # the third bust begins a new row
)
def test_players_see_the_row(faces: str, seen: list[int]) -> None:
    players = [banker(), banker()]
    game(PENALTY + "},rounds=4", [die for face in faces for die in (face, "1")], players)
    assert [turn.busts for turn in players[0].seen] == seen
    assert [turn.busts for turn in players[1].seen] == [0, 0, 0, 0]


def test_a_player_below_zero_plays_on() -> None:
    _, score, result = penalties("die:target=500,bust_penalty={after=1,points=400}", "65")
    assert score == 100
    assert result.winners == (2,)

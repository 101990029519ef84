"""How a game ends: target, last round, ties, rounds, instant win; with 2 to 8 seats."""

from __future__ import annotations

import pytest

from arena.game import Termination
from arena.rules import MAX_ROUNDS
from tests.game.players import banker, dice_game, game, told

FIRST = "die:end=first_to_target"


def test_exactly_the_target_wins_at_once_and_once() -> None:
    result = dice_game(FIRST, "5 1 5")
    assert (result.winners, result.scores) == ((1,), (1000, 100))
    assert result.termination is Termination.TARGET
    assert [tally.turns for tally in result.tallies] == [2, 1]
    assert result.rounds == 2


def test_fifty_below_the_target_is_not_enough() -> None:
    result = dice_game(FIRST + ",target=1050", "55 55 11")
    assert result.scores == (1100, 1000)


def test_all_start_at_zero() -> None:
    players = [banker(), banker(), banker()]
    game(FIRST, "1235555", players)
    assert [player.seen[0].score for player in players] == [0, 0, 0]
    assert [player.seen[0].opponents for player in players] == [(0, 0), (0, 100), (100, 200)]


@pytest.mark.parametrize(("seats", "leader"), [(s, k) for s in range(2, 9) for k in range(s)])
def test_the_last_round_gives_everybody_else_one_more_turn(seats: int, leader: int) -> None:
    first = "1" * leader + "5" + "1" * (seats - leader - 1)
    second = "1" * leader + "5"
    result = dice_game("die", first + second + "1" * (seats - 1), seats)
    turns = [3 if seat < leader else 2 for seat in range(seats)]
    assert result.winners == (leader + 1,)
    assert [tally.turns for tally in result.tallies] == turns
    assert result.rounds == max(turns)
    assert result.termination is Termination.TARGET


@pytest.mark.parametrize("seats", range(2, 9))
@pytest.mark.parametrize("leader", [0, 1])
def test_first_to_target_gives_nobody_another_turn(seats: int, leader: int) -> None:
    first = "1" * leader + "5" + "1" * (seats - leader - 1)
    result = dice_game(FIRST, first + "1" * leader + "5", seats)
    assert result.winners == (leader + 1,)
    assert sum(tally.turns for tally in result.tallies) == seats + leader + 1


def test_the_last_round_happens_once() -> None:
    result = dice_game("die", "525 525", 3)  # seat 3 reaches the target too: no further turns
    assert [tally.turns for tally in result.tallies] == [2, 2, 2]
    assert result.rounds == 2


def test_players_see_the_last_round() -> None:
    players = [banker(), banker(), banker()]
    game("die", "1551552", players)
    assert [turn.last_round for turn in players[0].seen] == [False, False, True]
    assert [turn.last_round for turn in players[1].seen] == [False, False]
    assert [turn.last_round for turn in players[2].seen] == [False, True]
    assert players[0].seen[-1].to_beat == 1000


@pytest.mark.parametrize(
    ("faces", "seats", "leader_wins", "drawn"),
    [
        ("55 55", 2, (1,), (1, 2)),  # seat 2 equals the leader
        ("45 45 2", 2, (2,), (1, 2)),  # seat 1 equals the leader
        ("15 15 2", 2, (2,), (2,)),
        ("54 25 35", 2, (2,), (2,)),  # 1400 against 1000
        ("544 255 355", 3, (2, 3), (2, 3)),  # two are equal, both above the leader
        ("554 225 335", 3, (3,), (3,)),  # one equals the leader, one is above
        ("555 555", 3, (1,), (1, 2, 3)),
        ("5545 5555", 4, (1,), (1, 2, 4)),
    ],
)
def test_equal_scores(
    faces: str, seats: int, leader_wins: tuple[int, ...], drawn: tuple[int, ...]
) -> None:
    for tie, winners in (("leader", leader_wins), ("draw", drawn)):
        result = dice_game(f"die:tie={tie}", faces, seats)
        assert result.winners == winners
        assert result.termination is Termination.TARGET


@pytest.mark.parametrize(
    ("spec", "faces", "seats", "winners", "scores"),
    [
        ("die:rounds=1", "23", 2, (2,), (200, 300)),
        ("die:rounds=2", "235 231", 3, (2, 3), (400, 600, 600)),  # nobody leads: drawn
        ("die:rounds=2,tie=draw", "66 66", 2, (1, 2), (0, 0)),
        # The target is reached in the last of the rounds; who sat before has had his turn.
        ("die:rounds=2", "455 455", 3, (2,), (800, 1000, 1000)),
        ("die:rounds=2,tie=draw", "455 455", 3, (2, 3), (800, 1000, 1000)),
    ],
)
def test_rounds(
    spec: str, faces: str, seats: int, winners: tuple[int, ...], scores: tuple[int, ...]
) -> None:
    result = dice_game(spec, faces, seats)
    assert (result.winners, result.scores) == (winners, scores)
    assert result.termination is Termination.ROUNDS
    assert result.rounds == int(spec.partition("rounds=")[2][0])


def test_the_target_within_the_rounds_ends_the_game_as_ever() -> None:
    result = dice_game("die:rounds=2", "55 55")
    assert (result.termination, result.rounds) == (Termination.TARGET, 2)
    assert dice_game("die:rounds=2,end=first_to_target", "55 5").winners == (1,)


def test_no_game_is_endless() -> None:
    result = dice_game("die", "66" * MAX_ROUNDS)
    assert (result.winners, result.scores, result.rounds) == ((1, 2), (0, 0), MAX_ROUNDS)
    assert result.termination is Termination.ROUNDS


def test_six_ones_win_at_once_for_a_player_who_is_not_open() -> None:
    result, _ = game("tienduizend", ["222333", "111111"])
    assert (result.winners, result.scores) == ((2,), (0, 0))
    assert result.termination is Termination.INSTANT_WIN
    assert result.tallies[1].decisions == 0


def test_instant_win_in_the_last_round_beats_the_leader() -> None:
    result, _ = game("tienduizend:target=1500", ["123456", "111111"])
    assert (result.winners, result.scores) == ((2,), (1500, 0))
    assert result.termination is Termination.INSTANT_WIN


def test_six_ones_in_two_rolls_do_not_win() -> None:
    told(
        "tienduizend",
        """
round 1, seat 1
  roll 1 1 1 2 3 4
  keep 1 1 1 = 1000, roll on
  roll 1 1 1
  keep 1 1 1 = 1000, bank
  writes 2000, score 2000
""",
    )


def test_instant_win_with_fewer_dice_needs_exactly_these_dice() -> None:
    result, _ = game('die:instant_win=["6"]', ["1", "6"])
    assert (result.winners, result.scores) == ((2,), (100, 0))


def test_six_ones_are_eight_thousand_where_they_do_not_win() -> None:
    result, _ = game("tienduizend:instant_win=[],target=8000", ["111111", "223346"])
    assert (result.winners, result.scores) == ((1,), (8000, 0))


@pytest.mark.parametrize("seats", [0, 1, 9])
def test_number_of_players(seats: int) -> None:
    with pytest.raises(ValueError, match=f"2 to 8 players, not {seats}"):
        dice_game("die", "", seats) if seats else game("die", [], ())

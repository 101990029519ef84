"""What a turn may do and what it writes, key by key; every example is a replayed transcript."""

from __future__ import annotations

import pytest

from arena.errors import TranscriptError
from arena.game import Termination, play_game
from arena.rules import MAX_ROLLS_PER_TURN
from tests.game.players import WrittenDice, banker, game, roller, told
from tests.rules.loading import tables


def refused(spec: str, text: str, possible: str) -> None:
    """The last line of the text is no decision; these are."""
    with pytest.raises(TranscriptError) as caught:
        told(spec, text)
    assert str(caught.value).endswith(f"possible are: {possible}")


def test_the_opening_exactly_suffices() -> None:
    told(
        "tienduizend",
        """
round 1, seat 1
  roll 1 1 1 2 3 4
  keep 1 1 1 = 1000, bank
  writes 1000, score 1000
round 1, seat 2
  roll 1 2 3 4 5 5
  keep 1 2 3 4 5 5 = 550, roll on
  roll 1 2 2 5 5 5
  keep 1 5 5 5 = 600, bank
  writes 1150, score 1150
round 2, seat 1
  roll 2 2 3 4 5 6
  keep 2 3 4 5 6 = 500, bank
  writes 500, score 1500
""",
    )


def test_below_the_opening_nothing_is_written_and_nobody_is_open() -> None:
    told(
        "tienduizend",
        """
round 1, seat 1
  roll 1 2 3 4 5 5
  keep 1 2 3 4 5 5 = 550, bank
  writes 0, score 0
round 1, seat 2
  roll 2 2 3 3 4 6
  bust
  writes 0, score 0
round 2, seat 1
  roll 1 1 1 2 3 4
  keep 1 1 = 200, bank
  writes 0, score 0
""",
    )


def test_both_minimums_count_for_the_opening() -> None:
    spec = "zehntausend-2:opening_minimum=500,bank_minimum=300"
    told(
        spec,
        """
round 1, seat 1
  roll 1 1 1 1 6
  keep 1 1 1 = 300, bank
  writes 0, score 0
round 1, seat 2
  roll 2 3 5 5 5
  keep 5 5 5 = 500, bank
  writes 500, score 500
round 2, seat 1
  roll 2 3 5 5 5
  keep 5 5 = 100, bank
  writes 0, score 0
round 2, seat 2
  roll 2 3 3 3 6
  keep 3 3 3 = 300, bank
  writes 300, score 800
""",
    )
    told(
        "zehntausend-2:opening_minimum=200",
        """
round 1, seat 1
  roll 1 1 1 1 6
  keep 1 1 1 = 300, bank
  writes 0, score 0
""",
    )


def test_the_minimum_of_the_germans_exactly_suffices() -> None:
    told(
        "zehntausend-2",
        """
round 1, seat 1
  roll 1 3 3 3 6
  keep 3 3 3 = 300, roll on
  roll 5 6
  keep 5 = 50, bank
  writes 350, score 350
""",
    )


HOT = """
round 1, seat 1
  roll 1 2 3 4 5
"""
ALL = "keep 1 2 3 4 5 = 2000"


def test_hot_dice_may() -> None:
    told("zehntausend-2", HOT + f"  {ALL}, roll on\n  roll 1 1 2 2 3\n  keep 1 = 100, bank\n")
    told("zehntausend-2", HOT + f"  {ALL}, bank\n  writes 2000, score 2000\n")


def test_hot_dice_must() -> None:
    told("zehntausend-2:hot_dice=must", HOT + f"  {ALL}, roll on\n  roll 1 1 2 2 3\n")
    with pytest.raises(TranscriptError, match="possible are: keep 1 2 3 4 5 = 2000, roll on;"):
        told("zehntausend-2:hot_dice=must", HOT + f"  {ALL}, bank\n")


def test_hot_dice_end() -> None:
    told("zehntausend-2:hot_dice=end", HOT + f"  {ALL}, bank\n  writes 2000, score 2000\n")
    with pytest.raises(TranscriptError, match="possible are: keep 1 2 3 4 5 = 2000, bank;"):
        told("zehntausend-2:hot_dice=end", HOT + f"  {ALL}, roll on\n")


def test_hot_dice_after_several_rolls() -> None:
    told(
        "tienduizend:hot_dice=must",
        """
round 1, seat 1
  roll 1 2 3 3 4 6
  keep 1 = 100, roll on
  roll 2 2 2 3 4
  keep 2 2 2 = 200, roll on
  roll 1 5
  keep 1 5 = 150, roll on
  roll 2 2 3 3 4 6
  bust
  writes 0, score 0
""",
    )


def test_where_one_way_is_left_the_game_takes_it() -> None:
    _, events = game(
        "zehntausend-2:hot_dice=must,target=2000", ["12345", "11123", "22334", "12345"]
    )
    assert len(events) > 4  # a banker rolled on after hot dice
    result = play_game(
        tables("zehntausend-2:hot_dice=end,target=2000"),
        [roller(), roller()],
        WrittenDice(["12345"]),
    )
    assert (result.winners, result.forfeit) == ((1,), None)


THREE_ROLLS = """
round 1, seat 1
  roll 1 2 2 3 4
  keep 1 = 100, roll on
  roll 1 2 2 3
  keep 1 = 100, roll on
  roll 5 5 6
"""


def test_three_rolls() -> None:
    told("zehntausend-1", THREE_ROLLS + "  keep 5 5 = 100, bank\n  writes 0, score 0\n")
    refused(
        "zehntausend-1",
        THREE_ROLLS + "  keep 5 5 = 100, roll on\n",
        "keep 5 5 = 100, bank; keep 5 = 50, bank",
    )
    told("zehntausend-1:max_rolls=4", THREE_ROLLS + "  keep 5 5 = 100, roll on\n  roll 1\n")


HOT_IN_THREE = """
round 1, seat 1
  roll 1 1 2 3 6
  keep 1 1 = 200, roll on
  roll 2 2 2
  keep 2 2 2 = 200, roll on
  roll 1 1 5 5 5
"""


def test_the_count_of_rolls_goes_on_after_hot_dice() -> None:
    told(
        "zehntausend-1",
        HOT_IN_THREE + "  keep 1 1 5 5 5 = 700, bank\n  writes 1100, score 1100\n",
    )


def test_the_count_of_rolls_may_start_anew_after_hot_dice() -> None:
    told(
        "zehntausend-1:rolls_reset_on_hot_dice=true",
        HOT_IN_THREE
        + """  keep 1 1 5 5 5 = 700, roll on
  roll 1 2 2 3 4
  keep 1 = 100, roll on
  roll 1 2 2 3
  keep 1 = 100, roll on
  roll 5 5 6
  keep 5 5 = 100, bank
  writes 1400, score 1400
""",
    )


def test_hot_dice_in_the_last_roll_need_no_further_one() -> None:
    told(
        "zehntausend-1:max_rolls=1",
        HOT + "  keep 1 2 3 4 5 = 2000, bank\n  writes 2000, score 2000\n",
    )


KEPT = """
round 1, seat 1
  roll 1 2 3 3 3
  keep 1 3 3 3 = 400, roll on
  roll 2
"""


def test_bust_keeps_what_reaches_the_minimum() -> None:
    told("zehntausend-1", KEPT + "  bust\n  writes 400, score 400\n")
    told("zehntausend-1:bust=forfeit", KEPT + "  bust\n  writes 0, score 0\n")
    told("zehntausend-1:bank_minimum=450", KEPT + "  bust\n  writes 0, score 0\n")
    told("zehntausend-1:opening_minimum=450", KEPT + "  bust\n  writes 0, score 0\n")


def test_a_kept_bust_can_win() -> None:
    result, _ = game("zehntausend-1:target=1000", ["12345", "22346"])
    assert (result.winners, result.scores) == ((1,), (2000, 0))
    assert result.tallies[0].busts == 1


def test_the_free_reroll() -> None:
    told(
        "tienduizend",
        """
round 1, seat 1
  roll 1 2 2 3 4 6
  re-roll all
  roll 1 1 1 5 5 6
  re-roll all
  roll 2 2 3 3 4 6
  bust
  writes 0, score 0
round 1, seat 2
  roll 1 1 1 2 3 4
  keep 1 1 1 = 1000, bank
  writes 1000, score 1000
""",
    )


AGAIN = """
round 1, seat 1
  roll 1 2 2 3 4 6
  re-roll all
"""


def test_no_reroll_where_the_ruleset_has_none() -> None:
    refused("tienduizend:reroll_all=false", AGAIN, "keep 1 = 100, roll on; keep 1 = 100, bank")


def test_no_reroll_once_something_was_kept() -> None:
    kept = AGAIN.replace("re-roll all", "keep 1 = 100, roll on\n  roll 1 2 3 3 4\n  re-roll all")
    refused("tienduizend", kept, "keep 1 = 100, roll on; keep 1 = 100, bank")
    hot = AGAIN.replace(
        "1 2 2 3 4 6\n  re-roll all",
        "1 2 3 4 5 6\n  keep 1 2 3 4 5 6 = 1500, roll on\n  roll 1 2 2 3 4 6\n  re-roll all",
    )
    refused("tienduizend", hot, "keep 1 = 100, roll on; keep 1 = 100, bank")


def test_the_reroll_counts_as_a_roll() -> None:
    told("tienduizend:max_rolls=2,opening_minimum=0", AGAIN + "  roll 1 2 2 3 4 6\n")
    refused(
        "tienduizend:max_rolls=2,opening_minimum=0",
        AGAIN + "  roll 1 2 2 3 4 6\n  re-roll all\n",
        "keep 1 = 100, bank",
    )
    refused("tienduizend:max_rolls=1,opening_minimum=0", AGAIN, "keep 1 = 100, bank")


def test_the_reroll_needs_a_face_that_goes_on() -> None:
    told("tienduizend:continue_faces=[1]", AGAIN)
    refused("tienduizend:continue_faces=[5]", AGAIN, "keep 1 = 100, bank")


TWOS = """
round 1, seat 1
  roll 2 2 2 3 4
"""


def test_rolling_on_needs_one_of_the_faces() -> None:
    told("zehntausend-2", TWOS + "  keep 2 2 2 = 200, roll on\n  roll 1 2\n")
    refused(
        "zehntausend-2:continue_faces=[1,5]",
        TWOS + "  keep 2 2 2 = 200, roll on\n",
        "keep 2 2 2 = 200, bank",
    )
    fives = TWOS.replace("3 4", "4 5")
    told("zehntausend-2:continue_faces=[1,5]", fives + "  keep 2 2 2 = 200, roll on\n  roll 1 2\n")


def test_hot_dice_need_the_faces_too() -> None:
    straight = "\nround 1, seat 1\n  roll 2 3 4 5 6\n"
    for hot_dice in ("may", "must"):
        refused(
            f"zehntausend-2:continue_faces=[1],hot_dice={hot_dice}",
            straight + "  keep 2 3 4 5 6 = 2000, roll on\n",
            "keep 2 3 4 5 6 = 2000, bank; keep 5 = 50, bank",
        )


NOTHING = """
round 1, seat 1
  roll 2 2 3 3 4 6
  nothing scores: 500, all dice roll on
  roll 1 2 2 3 4 6
"""
ZILCH = "tienduizend:nothing_scores=500,opening_minimum=0"


def test_a_roll_of_all_dice_that_scores_nothing() -> None:
    told(ZILCH, NOTHING + "  keep 1 = 100, bank\n  writes 600, score 600\n")
    told(
        ZILCH, NOTHING + "  keep 1 = 100, roll on\n  roll 2 3 3 4 6\n  bust\n  writes 0, score 0\n"
    )


def test_no_reroll_after_nothing_scored() -> None:
    refused(ZILCH, NOTHING + "  re-roll all\n", "keep 1 = 100, roll on; keep 1 = 100, bank")


def test_nothing_scores_after_hot_dice_too_and_again() -> None:
    told(
        ZILCH,
        """
round 1, seat 1
  roll 1 2 3 4 5 6
  keep 1 2 3 4 5 6 = 1500, roll on
  roll 2 2 3 3 4 6
  nothing scores: 500, all dice roll on
  roll 2 2 3 3 4 6
  nothing scores: 500, all dice roll on
  roll 2 2 3 4 5 5
  keep 5 5 = 100, bank
  writes 2600, score 2600
""",
    )


def test_nothing_scores_in_the_last_roll() -> None:
    told(
        ZILCH + ",max_rolls=2,bank_minimum=500",
        """
round 1, seat 1
  roll 2 2 3 3 4 6
  nothing scores: 500, all dice roll on
  roll 2 2 3 3 4 6
  nothing scores: 500, all dice roll on
  writes 1000, score 1000
""",
    )


def test_no_turn_is_endless() -> None:
    spec = "die:hot_dice=may,combinations={1=1,2=1},target=900"
    result, _ = game(spec, ["1"] * MAX_ROLLS_PER_TURN + ["1", "3"], [roller(), banker()])
    assert result.scores == (MAX_ROLLS_PER_TURN, 1)
    assert result.tallies[0].rolls == MAX_ROLLS_PER_TURN
    spec = "die:hot_dice=must,combinations={1=1,2=1},target=900"
    reset = spec + ",rolls_reset_on_hot_dice=true,max_rolls=5,bust=keep"
    result, _ = game(reset, ["1"] * MAX_ROLLS_PER_TURN + ["1", "3"], [roller(), banker()])
    assert result.scores == (MAX_ROLLS_PER_TURN, 1)


def test_exactly_the_target_in_one_turn() -> None:
    text = "\nround 1, seat 1\n  roll 1 1 1 2 2 2\n  keep 1 1 1 2 2 2 = 1200, bank\n"
    told("tienduizend:target=1200", text + "  writes 1200, score 1200, last round\n")
    told(
        "tienduizend:target=1200,end=first_to_target",
        text + "  writes 1200, score 1200\nend: seat 1 wins by target, scores 1200 0\n",
    )
    told("tienduizend:target=1201", text + "  writes 1200, score 1200\nround 1, seat 2\n")


def test_dice_of_two_rolls_never_combine() -> None:
    text = """
round 1, seat 1
  roll 2 3 4 4 5 5
  keep 5 5 = 100, roll on
  roll 2 3 4 5
"""
    told("tienduizend", text + "  keep 5 = 50, roll on\n  roll 2 2 2\n  keep 2 2 2 = 200, bank\n")
    refused(
        "tienduizend", text + "  keep 5 = 400, bank\n", "keep 5 = 50, roll on; keep 5 = 50, bank"
    )


def test_termination_words() -> None:
    assert [str(word) for word in Termination] == ["target", "instant win", "rounds", "forfeit"]

"""Random games on random rulesets: what always holds, and that transcripts replay."""

from __future__ import annotations

import random

import pytest

from arena.game import (
    AddressedDice,
    Event,
    GameResult,
    Player,
    Recorder,
    Termination,
    Transcript,
    Turn,
    event_line,
    match_key,
    play_game,
    read_transcript,
    replay,
)
from arena.game.events import Busted, Rolled, TurnBegins, TurnEnds
from arena.rules import Decision, RuleTables, rule_tables
from tests.rules.random_rulesets import random_ruleset

SEEDS = range(60)


class Chance:
    """Takes any legal decision, banks more often the more it has."""

    def decide(self, turn: Turn) -> Decision:
        if turn.can_reroll and turn.rng.random() < 0.2:
            return turn.reroll()
        hold = turn.rng.choice(turn.holds)
        return hold.bank() if turn.rng.random() * 500 < turn.points + hold.points else hold.roll()


def random_game(seed: int) -> tuple[RuleTables, GameResult, list[Event]]:
    tables = rule_tables(random_ruleset(seed))
    players: list[Player] = [Chance() for _ in range(random.Random(seed).randint(2, 8))]
    dice = AddressedDice(match_key(seed, "random games"), 0)
    events: list[Event] = []
    result = play_game(tables, players, dice, rng_seed=dice.rng_seed, listener=events.append)
    return tables, result, events


@pytest.mark.parametrize("seed", SEEDS)
def test_what_always_holds(seed: int) -> None:
    tables, result, events = random_game(seed)
    rules, seats = tables.ruleset, len(result.scores)
    assert result.forfeit is None
    turns = [event for event in events if isinstance(event, TurnBegins)]
    ends = [event for event in events if isinstance(event, TurnEnds)]
    penalties = sum(event.penalty for event in events if isinstance(event, Busted))
    assert [(turn.round, turn.seat) for turn in turns] == [
        (number // seats + 1, number % seats + 1) for number in range(len(turns))
    ]
    assert result.rounds == turns[-1].round
    assert sum(result.scores) == sum(end.written for end in ends) - penalties
    assert sum(tally.written for tally in result.tallies) == sum(end.written for end in ends)
    assert sum(tally.rolls for tally in result.tallies) == sum(
        isinstance(event, Rolled) for event in events
    )
    assert sum(tally.turns for tally in result.tallies) == len(turns)
    assert all(end.written == 0 or end.written >= rules.bank_minimum for end in ends)
    assert sum(end.last_round for end in ends) <= (rules.end == "last_round")
    best = max(result.scores)
    if result.termination is not Termination.INSTANT_WIN:
        assert all(result.scores[seat - 1] == best for seat in result.winners)
    if result.termination is Termination.TARGET:
        assert best >= rules.target
    if rules.rounds:
        assert result.rounds <= rules.rounds


@pytest.mark.parametrize("seed", SEEDS)
def test_its_transcript_replays(seed: int) -> None:
    tables, result, events = random_game(seed)
    names = tuple(f"chance {seat}" for seat in range(len(result.scores)))
    lines = tuple(map(event_line, events))
    transcript = Transcript(rules="random", players=names, address="chance", lines=lines)
    again = read_transcript(transcript.text())
    assert again == transcript
    assert tuple(map(event_line, replay(again, tables))) == lines
    for part in (0, 1, len(lines) // 2, len(lines) - 1):
        begun = Transcript(rules="random", players=names, lines=lines[:part])
        assert tuple(map(event_line, replay(begun, tables))) == lines[:part]


@pytest.mark.parametrize("seed", range(10))
def test_the_same_address_gives_the_same_game(seed: int) -> None:
    assert random_game(seed)[1:] == random_game(seed)[1:]


def test_a_listener_changes_nothing() -> None:
    tables = rule_tables(random_ruleset(3))
    dice = AddressedDice(5, 7)
    alone = play_game(tables, [Chance(), Chance()], dice, rng_seed=dice.rng_seed)
    heard = play_game(
        tables, [Chance(), Chance()], dice, rng_seed=dice.rng_seed, listener=Recorder()
    )
    assert alone == heard


def test_every_key_occurs() -> None:
    rulesets = [random_ruleset(seed) for seed in SEEDS]
    for key in (
        "opening_minimum",
        "bank_minimum",
        "max_rolls",
        "rolls_reset_on_hot_dice",
        "reroll_all",
        "continue_faces",
        "instant_win",
        "rounds",
        "nothing_scores",
    ):
        assert 5 < sum(bool(getattr(ruleset, key)) for ruleset in rulesets) < 55, key
    assert {ruleset.dice for ruleset in rulesets} == {1, 2, 3, 4, 5, 6}
    assert {ruleset.hot_dice for ruleset in rulesets} == {"may", "must", "end"}
    assert any(ruleset.bust_penalty.after for ruleset in rulesets)

"""From the words of a command line to a match that can be played."""

from __future__ import annotations

from collections.abc import Sequence

from arena.bots.loader import BotIndex, resolve
from arena.bots.spec import BotSpec
from arena.cli.options import PlayingChoice
from arena.cli.preflight import prepare_bots
from arena.errors import BotError, UsageError
from arena.game import MAX_SEATS, MIN_SEATS
from arena.records import Match
from arena.rules import load_ruleset
from arena.rules.places import rules_folders
from arena.tournament import PlannedMatch


def ready_to_play(planned: PlannedMatch, how: PlayingChoice) -> None:
    """See to it that all bots of a match can play; see `prepare_bots`.

    Raises:
        UsageError: one cannot.
    """
    prepare_bots(
        planned.specs,
        [planned.ruleset],
        seats=planned.match.seats,
        workers=how.workers,
        quiet=how.quiet,
        solve=how.solve,
    )


def without_rules(bots: Sequence[str], index: BotIndex) -> UsageError:
    """What is wrong with a match that lacks its ruleset, its bots included."""
    problems = ["missing option --rules: a ruleset such as tienduizend; `arena rules` lists them"]
    return UsageError("\n".join([*problems, *_found(bots, index)[1]]))


def _found(bots: Sequence[str], index: BotIndex) -> tuple[dict[str, BotSpec], list[str]]:
    """The bots that are meant, as they were written, and what is wrong with the others."""
    specs: dict[str, BotSpec] = {}
    problems = []
    for text in dict.fromkeys(bots):
        try:
            specs[text] = resolve(text, index)
        except BotError as error:
            problems.append(str(error))
    return specs, problems


def planned_match(
    bots: Sequence[str],
    rules: str,
    *,
    index: BotIndex,
    seed: int,
    blocks: int,
    fixed_seats: bool = False,
) -> PlannedMatch:
    """The match of these bots.

    Raises:
        UsageError: too few or too many bots.
        RulesetError: there is no such ruleset.
        BotError: there are no such bots; names all of them.
    """
    if not MIN_SEATS <= len(bots) <= MAX_SEATS:
        raise UsageError(f"a match needs {MIN_SEATS} to {MAX_SEATS} bots, not {len(bots)}")
    ruleset = load_ruleset(rules, rules_folders())
    found, problems = _found(bots, index)
    if problems:
        raise BotError("\n".join(problems))
    specs = tuple(found[text] for text in bots)
    match = Match(
        rules=ruleset.name,
        rules_key=ruleset.key,
        bots=tuple(spec.name for spec in specs),
        bot_keys=tuple(spec.key for spec in specs),
        seed=seed,
        fixed_seats=fixed_seats,
        limits=index.isolation.limits_text if index.isolation else "",
    )
    return PlannedMatch(match=match, ruleset=ruleset, specs=specs, blocks=blocks)

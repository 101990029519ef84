"""The matches of one tournament on one ruleset, and how they stand."""

from __future__ import annotations

from dataclasses import dataclass

from arena.bots.spec import BotSpec
from arena.records import Match, MatchStats
from arena.rules import Ruleset
from arena.tournament.rounds import PrefixLedger
from arena.tournament.tasks import PlannedMatch

Lineup = tuple[BotSpec, ...]
"""Bots of a match; their order in it is that of their keys, so that the id of a match does not
depend on the order in which bots stand in a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Who takes part, and the numbers that formats go by; see `TournamentConfig`.

    Attributes:
        bots: all of them, in the order of the file.
        heroes: those who run the gauntlet.
        players: bots in a game.
    """

    bots: Lineup
    heroes: Lineup
    players: int
    rounds: int
    groups: int
    advance: int


class Table:
    """Makes the matches of one ruleset, and knows how far they were asked for and how they stand.

    Args:
        ruleset: what is played.
        seed: of all dice.
        blocks: of one meeting.
        ledger: where the results are.
        limits: see `Match.limits`.

    Attributes:
        lines: what there is to tell about the course of the tournament, in order.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        *,
        seed: int,
        blocks: int,
        ledger: PrefixLedger,
        limits: str = "",
    ) -> None:
        self.ruleset = ruleset
        self.blocks = blocks
        self.lines: list[str] = []
        self._rules_key = ruleset.key
        self._seed = seed
        self._ledger = ledger
        self._limits = limits
        self._matches: dict[tuple[str, ...], Match] = {}  # by keys of bots
        self._asked: dict[str, int] = {}  # match id -> blocks
        self._stands: dict[str, MatchStats] = {}

    def meet(self, *bots: BotSpec) -> PlannedMatch:
        """One meeting of these bots; when they have met before, they play on."""
        return self.play_to(bots, self.asked(bots) + self.blocks)

    def play_to(self, bots: Lineup, blocks: int) -> PlannedMatch:
        """Their match up to so many blocks."""
        specs = canonical(bots)
        match = self._match(specs)
        self._asked[match.id] = blocks
        return PlannedMatch(match=match, ruleset=self.ruleset, specs=specs, blocks=blocks)

    def asked(self, bots: Lineup) -> int:
        """Blocks that were asked for so far."""
        return self._asked.get(self._match(canonical(bots)).id, 0)

    def stands(self, bots: Lineup) -> MatchStats | None:
        """Their match after the blocks that were asked for; places are those of `canonical`."""
        match_id = self._match(canonical(bots)).id
        asked = self._asked.get(match_id, 0)
        known = self._stands.get(match_id)
        if asked and (known is None or known.blocks < asked):
            known = self._ledger.prefix(match_id, asked)
            if known is not None:
                self._stands[match_id] = known
        return known

    def withdrawn(self, bots: Lineup) -> Lineup:
        """Those of these bots that were tried in vain before their match."""
        specs = canonical(bots)
        match = self._match(specs)
        trials = map(self._ledger.trial, match.trial_ids)
        pairs = zip(specs, trials, strict=True)
        return tuple(spec for spec, trial in pairs if trial is not None and trial.withdrawn)

    def share(self, bot: BotSpec, other: BotSpec) -> float:
        """Share of the points that a bot took in all its games with another; 1/2 without games."""
        stats = self.stands((bot, other))
        if stats is None or not stats.blocks:
            return 0.5
        place = canonical((bot, other)).index(bot)
        return int(stats.block_sums[place]) / (stats.games * stats.unit)

    def tell(self, line: str) -> None:
        """Add to what there is to tell."""
        self.lines.append(line)

    def tell_meeting(self, when: str, bot: BotSpec, other: BotSpec) -> None:
        """Add how two bots stand with each other."""
        share = self.share(bot, other)
        if share == 0.5:
            self.tell(f"{when}: {bot.name} and {other.name} are level")
            return
        better, worse = (bot, other) if share > 0.5 else (other, bot)
        doubt = "" if self._sure(better, worse) else ", within chance"
        won = f"{100 * max(share, 1 - share):.1f} %"
        self.tell(f"{when}: {better.name} beats {worse.name} with {won}{doubt}")

    def _sure(self, better: BotSpec, worse: BotSpec) -> bool:
        from arena.stats import BlockMoments, estimate_moments  # takes long to import

        stats = self.stands((better, worse))
        if stats is None:
            return False
        place = canonical((better, worse)).index(better)
        best = stats.unit * stats.rotations
        moments = BlockMoments(
            blocks=stats.blocks,
            total=int(stats.block_sums[place]) / best,
            squares=int(stats.block_products[place, place]) / best**2,
        )
        return estimate_moments(moments).score.low > 0.5

    def _match(self, specs: Lineup) -> Match:
        keys = tuple(spec.key for spec in specs)
        known = self._matches.get(keys)
        if known is None:
            known = self._matches[keys] = Match(
                rules=self.ruleset.name,
                rules_key=self._rules_key,
                bots=tuple(spec.name for spec in specs),
                bot_keys=keys,
                seed=self._seed,
                limits=self._limits,
            )
        return known


def canonical(bots: Lineup) -> Lineup:
    """The bots in the order that they have in a match."""
    return tuple(sorted(bots, key=lambda spec: spec.key))

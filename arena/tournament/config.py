"""A tournament file: what is to be played, read from TOML with every mistake named.

title = "Autumn league"
bots = ["hold", "greedy", "expected:risk=0.9"]      # or "all"
rulesets = ["tienduizend", "zehntausend-2:target=20000"]
blocks = 500
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from inspect import cleandoc
from pathlib import Path
from textwrap import dedent
from typing import Final, Literal, get_args

from arena.bots.isolation import TRUST, Isolation
from arena.bots.isolation_limits import LimitChange, Limits, read_limits, with_changes
from arena.bots.loader import BotIndex, find_bots, resolve
from arena.bots.spec import BotSpec
from arena.errors import BotError, ConfigError, Mistake, RulesetError
from arena.game import MAX_SEATS, MIN_SEATS
from arena.rules import Ruleset, load_ruleset
from arena.rules.places import rules_folders
from arena.rules.toml_table import TomlTable, read_toml
from arena.tournament.stopping import Stopping, read_stopping
from arena.tournament.tasks import EngineName

FormatName = Literal["round-robin", "gauntlet", "swiss", "knockout", "ladder", "groups"]

DEFAULT_BLOCKS: Final = 500
DEFAULT_MOST_BLOCKS: Final = 20_000
"""Of a match that may stop before."""
DEFAULT_GROUP: Final = 4
"""Bots of a group, about."""
DEFAULT_ADVANCE: Final = 2
MAX_BLOCKS: Final = 1_000_000_000
MAX_SEED: Final = (1 << 63) - 1
MAX_WORKERS: Final = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentConfig:
    """A tournament that can be played: every bot and ruleset was found.

    Field names are the keys of a tournament file, except those from `path` on.

    Attributes:
        title: one line for people; the file's name by default.
        bots: who plays, a list such as ["hold", "hold:points=500", "mine.py"]; or "all" that are
            found. Needed.
        bot_sources: list of files and folders where bots are looked for, relative to the file;
            by default ./bots and the bots that come with arena.
        rulesets: what is played, a list such as ["tienduizend:target=5000"]; every match is
            played on each. Needed.
        players: bots in a game, 2 to 8; 2 by default.
        format: "round-robin" (every set of bots meets, the default), "gauntlet" (heroes against
            all others), or for games of two: "swiss" (bots with equal points meet), "knockout" (who
            loses is out), "ladder" (neighbours meet, the better one climbs), "groups" (groups, then
            a final of their best). Bots are seeded in the order of `bots`.
        heroes: who runs the gauntlet, a list; the first bot by default.
        rounds: of a swiss or ladder; by default enough that the best one can be found.
        groups: how many groups; by default as many as make groups of about four.
        advance: how many of each group play the final; 2 by default.
        blocks: of each meeting, 500 by default; a block is one game for each rotation of the bots
            through the seats, on the same dice. With stopping, of each match at most; then 20000
            by default.
        stopping: a table with one rule by which a round-robin or gauntlet ends when it knows
            enough: half_width = 5 (every rating is known to plus or minus 5 Elo), ranks = 0.95 (all
            ranks are told apart with this confidence, or are within tie = 10 Elo), or
            sprt = {elo0 = 0, elo1 = 5} (every pair is tested; also alpha, beta, scale). What is
            played next is what helps most.
        seed: of all dice, 1 by default.
        workers: processes that play; 0, the default, is one on each core. Results do not depend
            on it.
        chunk_blocks: blocks that a worker plays at a time; 0, the default, is about a second.
            Results do not depend on it.
        engine: "kernel" or "referee"; the fastest by default. Results do not depend on it.
        limits: a table of what a bot's process may use, see below. Results of bots without faults
            do not depend on it.
        path: the file.
        text: its content.
        limits_text: `Isolation.limits_text`, see `Match.limits`.
        problems: bots that could not be found, as lines for people; they do not stop the others.
    """

    title: str
    bots: tuple[BotSpec, ...]
    bot_sources: tuple[str, ...]
    rulesets: tuple[Ruleset, ...]
    players: int
    format: FormatName
    heroes: tuple[BotSpec, ...]
    rounds: int
    groups: int
    advance: int
    blocks: int
    stopping: Stopping | None
    seed: int
    workers: int
    chunk_blocks: int
    engine: EngineName | None
    limits: Limits
    path: str
    text: str
    limits_text: str
    problems: tuple[str, ...]

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """Every setting as it is played, defaults included."""
        shown: dict[str, object] = {
            key: getattr(self, key) for key in _KEYS if key not in (*WRITTEN_APART, *SPECIAL)
        }
        shown["bots"] = ", ".join(spec.name for spec in self.bots)
        shown["rulesets"] = ", ".join(ruleset.name for ruleset in self.rulesets)
        shown["bot_sources"] = ", ".join(self.bot_sources) or "./bots and those of arena"
        shown["engine"] = self.engine or "the fastest"
        if self.format == "gauntlet":
            shown["heroes"] = ", ".join(spec.name for spec in self.heroes)
        if self.format in ("swiss", "ladder"):
            shown["rounds"] = self.rounds
        if self.format == "groups":
            shown |= {"groups": self.groups, "advance": self.advance}
        if self.stopping is not None:
            shown["stopping"] = self.stopping
        return tuple((key, str(shown[key])) for key in _KEYS if key in shown)


WRITTEN_APART: Final = ("bots", "rulesets", "limits")
"""Keys whose values are not shown as they are; limits stand beside the isolation."""

SPECIAL: Final = ("heroes", "rounds", "groups", "advance", "stopping")
"""Keys that mean something in some tournaments only."""

_KEYS: Final = [each.name for each in fields(TournamentConfig)]
del _KEYS[_KEYS.index("path") :]


_A_RULESET: Final = (
    "this is a ruleset, not a tournament file; play it with `arena match BOT BOT --rules FILE`, or "
    'name it in a tournament file: bots = "all" and rulesets = ["FILE"]'
)


def read_config(
    path: Path, isolation: Isolation = TRUST, changes: Sequence[LimitChange] = ()
) -> TournamentConfig:
    """The tournament of a file.

    Args:
        path: the file.
        isolation: under which bot files are imported to find out what they contain; its limits are
            those of the file.
        changes: limits in the place of those of the file.

    Raises:
        ConfigError: lists all mistakes, those of rulesets and bots included.
    """
    values = read_toml(path, ConfigError)
    if "combinations" in values and "rulesets" not in values:
        raise ConfigError([Mistake(where=str(path), key="", value="", allowed=_A_RULESET)])
    mistakes: list[Mistake] = []
    table = TomlTable(values, "", str(path), mistakes)
    config = _config(table, path, isolation, changes)
    if mistakes:
        raise ConfigError(mistakes)
    return config


def explained_keys() -> str:
    """The keys of a tournament file and what they mean, as lines of text."""
    keys = _explained(TournamentConfig, before="path")
    return f"{keys}\n\nKeys of [limits]:\n\n{_explained(Limits, before='files')}"


def _explained(kind: type, *, before: str) -> str:
    """The attributes of a class up to that one, as its docstring explains them."""
    _, _, attributes = cleandoc(kind.__doc__ or "").partition("Attributes:\n")
    keys, _, _ = attributes.partition(f"    {before}: ")
    return dedent(keys).rstrip()


def _config(
    table: TomlTable, path: Path, isolation: Isolation, changes: Sequence[LimitChange]
) -> TournamentConfig:
    """The tournament, with defaults in place of what is wrong."""
    table.only(_KEYS)
    limits = with_changes(read_limits(table), changes)
    isolation = replace(isolation, limits=limits)
    sources = _texts(table, "bot_sources", required=False)
    index = find_bots([path.parent / source for source in sources], isolation=isolation)
    players = table.number("players", 2, low=MIN_SEATS, high=MAX_SEATS)
    bots = _bots(table, index, players)
    heroes = _heroes(table, index, bots)
    stopping = read_stopping(table)
    if not table.mistakes:
        _check_field(table, bots, heroes, players, index)
    return TournamentConfig(
        title=table.text("title") or path.stem,
        bots=bots,
        bot_sources=tuple(sources),
        rulesets=_rulesets(table),
        players=players,
        format=table.choice("format", get_args(FormatName), "round-robin"),
        heroes=heroes,
        rounds=_rounds(table, len(bots)),
        groups=_groups(table, len(bots)),
        advance=table.number(
            "advance", DEFAULT_ADVANCE, low=1, high=max(len(bots), DEFAULT_ADVANCE)
        ),
        blocks=table.number(
            "blocks",
            DEFAULT_BLOCKS if stopping is None else DEFAULT_MOST_BLOCKS,
            low=1,
            high=MAX_BLOCKS,
        ),
        stopping=stopping,
        seed=table.number("seed", 1, low=-MAX_SEED, high=MAX_SEED),
        workers=table.number("workers", 0, high=MAX_WORKERS),
        chunk_blocks=table.number("chunk_blocks", 0, high=MAX_BLOCKS),
        engine=_engine(table),
        limits=limits,
        limits_text=isolation.limits_text,
        path=str(path),
        text=path.read_text(encoding="utf-8-sig"),
        problems=tuple(map(str, index.problems)),
    )


def _texts(table: TomlTable, key: str, *, required: bool = True) -> list[str]:
    """A list of texts; says so where it is missing, empty or something else."""
    allowed = 'a list of texts, for example ["one", "two"]'
    if required and not table.values.get(key):
        table.wrong(key, table.values.get(key, ""), allowed)
        return []
    found: list[str] = []
    for item in table.items(key, allowed):
        if isinstance(item, str) and item.strip():
            found.append(item.strip())
        else:
            table.wrong(key, item, allowed)
    return found


def _bots(table: TomlTable, index: BotIndex, players: int) -> tuple[BotSpec, ...]:
    if table.values.get("bots") != "all":
        if isinstance(table.values.get("bots"), str):
            table.wrong("bots", table.values["bots"], 'a list of bots, or "all"')
            return ()
        return _resolved(table, "bots", _texts(table, "bots"), index)
    if not index.bots:
        problems = "; ".join(map(str, index.problems)) or "there are none"
        table.wrong("bots", "all", f"no bot was found: {problems}")
    found = [index.bots[name] for name in sorted(index.bots)]
    return tuple(spec for spec in found if not spec.by_name_only and spec.plays(players))


def _heroes(table: TomlTable, index: BotIndex, bots: tuple[BotSpec, ...]) -> tuple[BotSpec, ...]:
    if "heroes" not in table.values:
        return bots[:1]
    if table.values.get("format") != "gauntlet":
        table.wrong("heroes", table.values["heroes"], 'needs format = "gauntlet"')
    heroes = _resolved(table, "heroes", _texts(table, "heroes"), index)
    known = {spec.key for spec in bots}
    for spec in heroes:
        if bots and spec.key not in known:
            table.wrong("heroes", spec.name, "a hero is one of the bots of this file")
    return heroes


def _resolved(
    table: TomlTable, key: str, texts: Sequence[str], index: BotIndex
) -> tuple[BotSpec, ...]:
    found: dict[str, BotSpec] = {}
    for text in texts:
        try:
            spec = resolve(text, index)
        except BotError as error:
            table.wrong(key, text, str(error))
            continue
        same = found.setdefault(spec.key, spec)
        if same is not spec:
            table.wrong(key, text, f"is the same bot as {same.name!r}; name each bot once")
    return tuple(found.values())


def _rulesets(table: TomlTable) -> tuple[Ruleset, ...]:
    found: dict[str, Ruleset] = {}
    for text in _texts(table, "rulesets"):
        try:
            ruleset = load_ruleset(text, rules_folders())
        except RulesetError as error:
            for mistake in error.mistakes:
                table.wrong("rulesets", text, _without(text, mistake))
            continue
        same = found.setdefault(ruleset.key, ruleset)
        if same is not ruleset:
            table.wrong("rulesets", text, f"plays as {same.name!r}; name each ruleset once")
    return tuple(found.values())


def _without(text: str, mistake: Mistake) -> str:
    """A mistake of a ruleset in words that follow its name, which they need not say again."""
    where = mistake.where.replace(f"ruleset {text!r}", "").replace(f" as {text!r}", " so changed")
    return str(replace(mistake, where=where))


def _rounds(table: TomlTable, bots: int) -> int:
    """Rounds of a swiss or ladder; a swiss of enough rounds is a round-robin."""
    if table.values.get("format") == "swiss":
        most = max(bots - 1 + bots % 2, 1)
        return table.number("rounds", min((bots - 1).bit_length() + 1, most), low=1, high=most)
    return table.number("rounds", max(bots // 2 + 1, 1), low=1)


def _groups(table: TomlTable, bots: int) -> int:
    usual = max(round(bots / DEFAULT_GROUP), 1 if bots < 4 else 2)
    return table.number("groups", usual, low=1, high=max(bots // 2, 1))


def _engine(table: TomlTable) -> EngineName | None:
    if "engine" not in table.values:
        return None
    options = [each.value for each in EngineName]
    return EngineName(table.choice("engine", options, EngineName.REFEREE))


_ONLY_FOR: Final = {
    "rounds": ("swiss", "ladder"),
    "groups": ("groups",),
    "advance": ("groups",),
    "stopping": ("round-robin", "gauntlet"),
}
_OF_TWO: Final = ("swiss", "knockout", "ladder", "groups")


def _check_field(
    table: TomlTable,
    bots: Sequence[BotSpec],
    heroes: Sequence[BotSpec],
    players: int,
    index: BotIndex,
) -> None:
    form = table.values.get("format", "round-robin")
    for key, formats in _ONLY_FOR.items():
        if key in table.values and form not in formats:
            named = " or ".join(f'format = "{each}"' for each in formats)
            table.wrong(key, table.values[key], f"needs {named}")
    if players > 2 and form in _OF_TWO:
        table.wrong("players", players, f"format = {form!r} is for games of two")
    if players > 2 and "sprt" in table.values.get("stopping", {}):
        table.wrong("players", players, "sprt is for games of two")
    if form == "groups" and len(bots) < 4:
        table.wrong("bots", table.values["bots"], "at least 4 different bots for groups")
    if len(bots) < players:
        known = ", ".join(sorted(index.bots))
        table.wrong(
            "bots",
            table.values["bots"],
            f"at least {players} different bots for games of {players}; known: {known}",
        )
    elif table.values.get("format") == "gauntlet" and len(bots) - len(heroes) < players - 1:
        table.wrong("heroes", table.values.get("heroes", ""), "leave some bots to play against")

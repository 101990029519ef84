"""A tournament file: what is to be played, read from TOML with every mistake named.

title = "Autumn league"
bots = ["hold", "greedy", "expected:risk=0.9"]      # or "all"
rulesets = ["tienduizend", "zehntausend-2:target=20000"]
blocks = 500
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from inspect import cleandoc
from pathlib import Path
from textwrap import dedent
from typing import Final, Literal, get_args

from arena.bots.isolation import TRUST, Isolation
from arena.bots.loader import BotIndex, find_bots, resolve
from arena.bots.spec import BotSpec
from arena.errors import BotError, ConfigError, Mistake, RulesetError
from arena.game import MAX_SEATS, MIN_SEATS
from arena.rules import Ruleset, load_ruleset
from arena.rules.places import rules_folders
from arena.rules.toml_table import TomlTable, read_toml
from arena.tournament.tasks import EngineName

FormatName = Literal["round-robin", "gauntlet"]

DEFAULT_BLOCKS: Final = 500
MAX_BLOCKS: Final = 1_000_000_000
MAX_SEED: Final = (1 << 63) - 1
MAX_WORKERS: Final = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentConfig:
    """A tournament that can be played: every bot and ruleset was found.

    Field names are the keys of a tournament file, except `path`, `text` and `problems`.

    Attributes:
        title: one line for people; the file's name by default.
        bots: who plays, a list such as ["hold", "hold:points=500", "mine.py"]; or "all" that are
            found. Needed.
        bot_sources: list of files and folders where bots are looked for, relative to the file;
            by default ./bots and the bots that come with arena.
        rulesets: what is played, a list such as ["tienduizend:target=5000"]; every match is
            played on each. Needed.
        players: bots in a game, 2 to 8; 2 by default.
        format: "round-robin" (every set of bots meets, the default) or "gauntlet" (heroes against
            all others).
        heroes: who runs the gauntlet, a list; the first bot by default.
        blocks: of each match, 500 by default; a block is one game for each rotation of the bots
            through the seats, on the same dice.
        seed: of all dice, 1 by default.
        workers: processes that play; 0, the default, is one on each core. Results do not depend
            on it.
        chunk_blocks: blocks that a worker plays at a time; 0, the default, is about a second.
            Results do not depend on it.
        engine: "kernel" or "referee"; the fastest by default. Results do not depend on it.
        path: the file.
        text: its content.
        problems: bots that could not be found, as lines for people; they do not stop the others.
    """

    title: str
    bots: tuple[BotSpec, ...]
    bot_sources: tuple[str, ...]
    rulesets: tuple[Ruleset, ...]
    players: int
    format: FormatName
    heroes: tuple[BotSpec, ...]
    blocks: int
    seed: int
    workers: int
    chunk_blocks: int
    engine: EngineName | None
    path: str
    text: str
    problems: tuple[str, ...]

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """Every setting as it is played, defaults included."""
        shown: dict[str, object] = {
            key: getattr(self, key) for key in _KEYS if key not in ("bots", "heroes", "rulesets")
        }
        shown["bots"] = ", ".join(spec.name for spec in self.bots)
        shown["rulesets"] = ", ".join(ruleset.name for ruleset in self.rulesets)
        shown["bot_sources"] = ", ".join(self.bot_sources) or "./bots and those of arena"
        shown["engine"] = self.engine or "the fastest"
        if self.format == "gauntlet":
            shown["heroes"] = ", ".join(spec.name for spec in self.heroes)
        return tuple((key, str(shown[key])) for key in _KEYS if key in shown)


_KEYS: Final = [
    each.name for each in fields(TournamentConfig) if each.name not in ("path", "text", "problems")
]


def read_config(path: Path, isolation: Isolation = TRUST) -> TournamentConfig:
    """The tournament of a file.

    Args:
        path: the file.
        isolation: under which bot files are imported to find out what they contain.

    Raises:
        ConfigError: lists all mistakes, those of rulesets and bots included.
    """
    values = read_toml(path, ConfigError)
    mistakes: list[Mistake] = []
    table = TomlTable(values, "", str(path), mistakes)
    config = _config(table, path, isolation)
    if mistakes:
        raise ConfigError(mistakes)
    return config


def explained_keys() -> str:
    """The keys of a tournament file and what they mean, as lines of text."""
    text = cleandoc(TournamentConfig.__doc__ or "")
    _, _, attributes = text.partition("Attributes:\n")
    keys, _, _ = attributes.partition("    path: ")
    return dedent(keys).rstrip()


def _config(table: TomlTable, path: Path, isolation: Isolation) -> TournamentConfig:
    """The tournament, with defaults in place of what is wrong."""
    table.only(_KEYS)
    sources = _texts(table, "bot_sources", required=False)
    index = find_bots([path.parent / source for source in sources], isolation=isolation)
    bots = _bots(table, index)
    heroes = _heroes(table, index, bots)
    players = table.number("players", 2, low=MIN_SEATS, high=MAX_SEATS)
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
        blocks=table.number("blocks", DEFAULT_BLOCKS, low=1, high=MAX_BLOCKS),
        seed=table.number("seed", 1, low=-MAX_SEED, high=MAX_SEED),
        workers=table.number("workers", 0, high=MAX_WORKERS),
        chunk_blocks=table.number("chunk_blocks", 0, high=MAX_BLOCKS),
        engine=_engine(table),
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


def _bots(table: TomlTable, index: BotIndex) -> tuple[BotSpec, ...]:
    if table.values.get("bots") != "all":
        if isinstance(table.values.get("bots"), str):
            table.wrong("bots", table.values["bots"], 'a list of bots, or "all"')
            return ()
        return _resolved(table, "bots", _texts(table, "bots"), index)
    if not index.bots:
        problems = "; ".join(map(str, index.problems)) or "there are none"
        table.wrong("bots", "all", f"no bot was found: {problems}")
    return tuple(index.bots[name] for name in sorted(index.bots))


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
            table.mistakes.extend(error.mistakes)
            continue
        same = found.setdefault(ruleset.key, ruleset)
        if same is not ruleset:
            table.wrong("rulesets", text, f"plays as {same.name!r}; name each ruleset once")
    return tuple(found.values())


def _engine(table: TomlTable) -> EngineName | None:
    if "engine" not in table.values:
        return None
    options = [each.value for each in EngineName]
    return EngineName(table.choice("engine", options, EngineName.REFEREE))


def _check_field(
    table: TomlTable,
    bots: Sequence[BotSpec],
    heroes: Sequence[BotSpec],
    players: int,
    index: BotIndex,
) -> None:
    if len(bots) < players:
        known = ", ".join(sorted(index.bots))
        table.wrong(
            "bots",
            table.values["bots"],
            f"at least {players} different bots for games of {players}; known: {known}",
        )
    elif table.values.get("format") == "gauntlet" and len(bots) - len(heroes) < players - 1:
        table.wrong("heroes", table.values.get("heroes", ""), "leave some bots to play against")

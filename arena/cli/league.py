"""The bots of a league: who may put which file into its folder, and under which name.

The folder holds the newest version of every bot that was submitted; earlier ones go to `earlier/`,
and their results stay in the result file. `league.json` says whose bot is whose. A file that was
put into the folder by hand plays as well where the league takes all bots, but nobody knows whose it
is until it is submitted where it lies.
"""

from __future__ import annotations

import getpass
import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from arena.bots.discovery_source import source_of
from arena.bots.loader import BotIndex
from arena.bots.places import is_shipped
from arena.bots.spec import BotSpec
from arena.cli.alike import looks_like
from arena.errors import BotError, UsageError
from arena.rules.places import shipped_folder

LIST: Final = "league.json"
EARLIER: Final = "earlier"


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One version of a bot that was submitted.

    Attributes:
        file: name of its file, in the folder of the league or in `earlier/`; the same one again
            where a new version was written over it.
        source_hash: `BotSpec.source_hash`.
        submitted: when, ISO 8601 with time zone.
    """

    file: str
    source_hash: str
    submitted: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A bot of a league with all its versions, the newest last."""

    name: str
    author: str
    versions: tuple[Version, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placing:
    """What a submission does to the folder.

    Attributes:
        path: where the file will lie, or lies already.
        copied: whether it has to be copied there.
        replaces: the version that it takes the place of; None for a first one.
        entry: the bot as the list has it afterwards; None where it comes with arena.
        entered: whether the list changes.
    """

    path: Path
    copied: bool
    replaces: Version | None
    entry: Entry | None
    entered: bool

    @property
    def earlier(self) -> frozenset[str]:
        """Source hashes of all earlier versions."""
        before = self.entry.versions[:-1] if self.entry else ()
        return frozenset(each.source_hash for each in before)


class LeagueFolder:
    """The folder of a league's bots.

    Raises:
        UsageError: its list cannot be read.

    Args:
        folder: where it is.
        named: words of a command line that name the league, where it is not the usual one.
    """

    def __init__(self, folder: Path, named: Sequence[str] = ()) -> None:
        self.folder = folder
        self._named = named
        self._entries = {entry.name: entry for entry in _read(folder / LIST)}

    def placing(self, spec: BotSpec, author: str | None, index: BotIndex, when: str) -> Placing:
        """Where a submitted bot goes.

        Args:
            spec: the bot as it was submitted.
            author: who submits it, where that was said; else it is the user.
            index: the bots that the league has now.
            when: the time, ISO 8601 with time zone.

        Raises:
            BotError: the name belongs to somebody else, or may do so, or the bot is more than one
                file.
        """
        path = Path(spec.path)
        if len(source_of(path).files) > 1:
            helpers = ", ".join(file.name for file in source_of(path).files[1:])
            raise BotError(
                f"{path}: imports {helpers} from beside it; a bot of a league is a single file, "
                "so write what it needs into it"
            )
        entry = self._entries.get(spec.name)
        owner = author or user()
        if entry is not None and entry.author != owner:
            raise BotError(
                f"the bot {spec.name!r} of this league is {entry.author}'s; give yours another "
                f"name: name = {spec.name + '-2'!r} in its class, or use --author if it is you"
            )
        if entry is not None and entry.versions[-1].source_hash == spec.source_hash:
            known = self.folder / entry.versions[-1].file
            return Placing(path=known, copied=False, replaces=None, entry=entry, entered=False)
        lies_here = path.resolve().parent == self.folder.resolve()
        if lies_here and author is None and comes_with_arena(path):
            return Placing(path=path, copied=False, replaces=None, entry=None, entered=False)
        if entry is None:
            self._check_free(spec, index, owner)
        name = path.name if lies_here else f"{spec.name}-{spec.source_hash[:8]}.py"
        version = Version(file=name, source_hash=spec.source_hash, submitted=when)
        before = entry.versions if entry else ()
        return Placing(
            path=path if lies_here else self.folder / name,
            copied=not lies_here,
            replaces=before[-1] if before else None,
            entry=Entry(name=spec.name, author=owner, versions=(*before, version)),
            entered=True,
        )

    def _check_free(self, spec: BotSpec, index: BotIndex, owner: str) -> None:
        """Whether a name that nobody has submitted is free.

        Raises:
            BotError: another file defines a bot of this name, or it looks like another one's.
        """
        self._check_plain(spec, index, owner)
        known = index.bots.get(spec.name)
        if known is None or Path(known.path).resolve() == Path(spec.path).resolve():
            return
        other = f"give yours another name: name = {spec.name + '-2'!r} in its class"
        there = Path(known.path)
        here = there.resolve().parent == self.folder.resolve()
        if not here or (comes_with_arena(there) and not is_shipped(there)):
            whose = "comes with arena" if comes_with_arena(there) else "is there already"
            raise BotError(f"the bot {spec.name!r} {whose} ({there}); {other}")
        enter = shlex.join(["arena", "submit", str(there), "--author", owner, *self._named])
        maybe = " or comes with arena" if comes_with_arena(there) else ""
        raise BotError(
            f"the league has a bot {spec.name!r} already, in {there}, which was never submitted"
            f"{maybe}; so whose it is is not known, and it is not replaced.\n"
            f"  If it is yours: enter it under your name with  {enter}  and then submit the new "
            f"version again; or write the new version over {there} and submit that.\n"
            f"  If it is not: {other}."
        )

    def _check_plain(self, spec: BotSpec, index: BotIndex, owner: str) -> None:
        """Whether nobody can take a new name for that of somebody else's bot.

        Raises:
            BotError: somebody can.
        """
        own = {name for name, entry in self._entries.items() if entry.author == owner}
        other = looks_like(spec.name, sorted({*self._entries, *index.bots} - own))
        if other is None:
            return
        entry = self._entries.get(other)
        whose = "is there already"
        if entry is not None:
            whose = f"is {entry.author}'s"
        elif comes_with_arena(Path(index.bots[other].path)):
            whose = "comes with arena"
        raise BotError(
            f"the name {spec.name!r} can be taken for {other!r}, which {whose}; give your bot a "
            'name that looks like no other: name = "NAME" in its class'
        )

    def place(self, spec: BotSpec, placing: Placing) -> None:
        """Copy a bot into the folder where it is not there, and take it down in the list.

        Raises:
            UsageError: the folder cannot be written.
        """
        if not placing.entered or placing.entry is None:
            return
        entry = placing.entry
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if placing.copied:
                shutil.copyfile(spec.path, placing.path)
            if placing.replaces is not None:
                entry = self._put_aside(placing.replaces, placing, entry)
            self._entries[spec.name] = entry
            _write(self.folder / LIST, list(self._entries.values()))
        except OSError as error:
            raise UsageError(
                f"{error.filename or self.folder}: cannot be written: {error.strerror or error}"
            ) from None

    def _put_aside(self, old: Version, placing: Placing, entry: Entry) -> Entry:
        """Move the version before to `earlier/`, under a name with its hash; the entry with it."""
        there = self.folder / old.file
        if not there.exists() or there.resolve() == placing.path.resolve():
            return entry
        kept = replace(old, file=f"{entry.name}-{old.source_hash[:8]}.py")
        (self.folder / EARLIER).mkdir(exist_ok=True)
        os.replace(there, self.folder / EARLIER / kept.file)
        return replace(
            entry, versions=tuple(kept if each == old else each for each in entry.versions)
        )

    def submitted(self, index: BotIndex) -> tuple[BotSpec, ...]:
        """The bots that were submitted, as they are found now."""
        return tuple(index.bots[name] for name in self._entries if name in index.bots)

    def never_submitted(self, bots: Sequence[BotSpec]) -> tuple[BotSpec, ...]:
        """The bots that lie in the folder, were not submitted and do not come with arena."""
        return tuple(
            spec
            for spec in bots
            if spec.name not in self._entries
            and Path(spec.path).resolve().parent == self.folder.resolve()
            and not comes_with_arena(Path(spec.path))
        )


def comes_with_arena(path: Path) -> bool:
    """Whether a bot file is one that comes with arena, or an unchanged copy of one."""
    if is_shipped(path):
        return not _is_new_to_git(path)
    shipped = shipped_folder("bots")
    original = shipped / path.name if shipped else None
    return (
        original is not None and original.is_file() and original.read_bytes() == path.read_bytes()
    )


def _is_new_to_git(path: Path) -> bool:
    """Whether git surely does not know a file.

    In a checkout of arena, `bots/` holds the bots that come with it and those of its user.
    """
    words = ["git", "ls-files", "--error-unmatch", "--", path.name]
    try:
        done = subprocess.run(words, cwd=path.parent, capture_output=True, check=False)
    except OSError:  # there is no git
        return False
    return done.returncode == 1  # 128 where this is no checkout


def user() -> str:
    """Who runs this program."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a user without a name, as in some containers
        return "unknown"


def _read(path: Path) -> list[Entry]:
    if not path.exists():
        return []
    try:
        rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
        return [
            Entry(
                name=str(row["name"]),
                author=str(row["author"]),
                versions=tuple(Version(**version) for version in row["versions"]),
            )
            for row in rows
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"{path}: is no list of a league ({error}); mend it or take it away"
        ) from None


def _write(path: Path, entries: list[Entry]) -> None:
    text = json.dumps([asdict(entry) for entry in entries], indent=2, ensure_ascii=False)
    new = path.with_suffix(".new")
    new.write_text(text + "\n", encoding="utf-8")
    os.replace(new, path)

"""The bots of a league: who may put which file into its folder, and under which name.

The folder holds the newest version of every bot that was submitted; earlier ones go to `earlier/`,
and their results stay in the result file. `league.json` says whose bot is whose.
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from arena.bots.discovery_source import source_of
from arena.bots.loader import BotIndex
from arena.bots.places import is_shipped
from arena.bots.spec import BotSpec
from arena.errors import BotError, UsageError

LIST: Final = "league.json"
EARLIER: Final = "earlier"


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One version of a bot that was submitted.

    Attributes:
        file: name of its file, in the folder of the league or in `earlier/`.
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
        entry: the bot as the list has it afterwards; None where it lies in the folder by itself.
    """

    path: Path
    copied: bool
    replaces: Version | None
    entry: Entry | None


class LeagueFolder:
    """The folder of a league's bots.

    Raises:
        UsageError: its list cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._entries = {entry.name: entry for entry in _read(folder / LIST)}

    def placing(self, spec: BotSpec, author: str, index: BotIndex, when: str) -> Placing:
        """Where a submitted bot goes.

        Args:
            spec: the bot as it was submitted.
            author: who submits it.
            index: the bots that the league has now.
            when: the time, ISO 8601 with time zone.

        Raises:
            BotError: the name belongs to somebody else, or the bot is more than one file.
        """
        path = Path(spec.path)
        if len(source_of(path).files) > 1:
            helpers = ", ".join(file.name for file in source_of(path).files[1:])
            raise BotError(
                f"{path}: imports {helpers} from beside it; a bot of a league is a single file, "
                "so write what it needs into it"
            )
        entry = self._entries.get(spec.name)
        if entry is not None and entry.author != author:
            raise BotError(
                f"the bot {spec.name!r} of this league is {entry.author}'s; give yours another "
                f"name: name = {spec.name + '-2'!r} in its class, or use --author if it is you"
            )
        if entry is not None and entry.versions[-1].source_hash == spec.source_hash:
            known = self.folder / entry.versions[-1].file
            return Placing(path=known, copied=False, replaces=None, entry=entry)
        known_spec = index.bots.get(spec.name)
        if entry is None and known_spec is not None:
            if Path(known_spec.path).resolve() == path.resolve():
                return Placing(path=path, copied=False, replaces=None, entry=None)
            whose = "comes with arena" if is_shipped(Path(known_spec.path)) else "is there already"
            raise BotError(
                f"the bot {spec.name!r} {whose} ({known_spec.path}); give yours another name: "
                f"name = {spec.name + '-2'!r} in its class"
            )
        name = f"{spec.name}-{spec.source_hash[:8]}.py"
        version = Version(file=name, source_hash=spec.source_hash, submitted=when)
        before = entry.versions if entry else ()
        return Placing(
            path=self.folder / name,
            copied=True,
            replaces=before[-1] if before else None,
            entry=Entry(name=spec.name, author=author, versions=(*before, version)),
        )

    def place(self, spec: BotSpec, placing: Placing) -> None:
        """Copy a bot into the folder and take it down in the list.

        Raises:
            UsageError: the folder cannot be written.
        """
        if not placing.copied or placing.entry is None:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(spec.path, placing.path)
            if placing.replaces is not None:
                old = self.folder / placing.replaces.file
                (self.folder / EARLIER).mkdir(exist_ok=True)
                if old.exists():
                    os.replace(old, self.folder / EARLIER / old.name)
            self._entries[spec.name] = placing.entry
            _write(self.folder / LIST, list(self._entries.values()))
        except OSError as error:
            raise UsageError(
                f"{error.filename or self.folder}: cannot be written: {error.strerror or error}"
            ) from None


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

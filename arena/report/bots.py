"""The bots of a report: one page of facts for each, under names that are unique."""

from __future__ import annotations

import ast
import inspect
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from arena.bots.spec import BotSpec
from arena.report.model import BotPage
from arena.store import StoredBot, StoredMatch


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """All bots of a report.

    Attributes:
        pages: in the order of their first match.
        index: place in `pages` by key.
    """

    pages: tuple[BotPage, ...]
    index: Mapping[str, int]

    @property
    def names(self) -> tuple[str, ...]:
        """Unique names, in the order of `pages`."""
        return tuple(page.name for page in self.pages)


def roster_of(
    matches: Sequence[StoredMatch],
    bots: Mapping[str, StoredBot],
    newest: Collection[str] = (),
) -> Roster:
    """The bots of these matches.

    Bots are told apart by key, that is by source and parameters. Different bots of one name (two
    versions of a file) are shown with the beginning of their key; those that the newest run no
    longer asks for, but another one of their name, are marked as earlier versions.

    Args:
        matches: all that were played.
        bots: by key.
        newest: ids of the matches of the newest run.
    """
    names: dict[str, list[str]] = {}
    for each in matches:
        for key, name in zip(each.match.bot_keys, each.match.bots, strict=True):
            known = names.setdefault(key, [])
            if name not in known:
                known.append(name)
    often = Counter(known[0] for known in names.values())
    now = {key for each in matches if each.match.id in newest for key in each.match.bot_keys}
    names_now = {names[key][0] for key in now}
    pages = [
        replace(
            _page(name if often[name] == 1 else f"{name} [{key[:6]}]", key, bots.get(key)),
            also=tuple(others),
            earlier=key not in now and name in names_now,
        )
        for key, (name, *others) in names.items()
    ]
    return Roster(pages=tuple(pages), index={page.key: i for i, page in enumerate(pages)})


def _page(name: str, key: str, stored: StoredBot | None) -> BotPage:
    if stored is None:
        return BotPage(
            name=name,
            also=(),
            key=key,
            file="",
            class_name="",
            summary="",
            text="",
            parameters=(),
            source_hash="",
            behaviour="",
            withdrawn="",
        )
    spec = stored.spec
    text = docstring_of(stored.source, spec.class_name)
    summary, _, rest = text.partition("\n")
    return BotPage(
        name=name,
        also=(),
        key=key,
        file=PurePath(spec.path).name,
        class_name=spec.class_name,
        summary=summary.strip() or spec.summary,
        text=rest.strip(),
        parameters=tuple((key, str(value)) for key, value in spec.parameters),
        source_hash=spec.source_hash,
        behaviour=_behaviour(spec),
        withdrawn="",
    )


def _behaviour(spec: BotSpec) -> str:
    return "keeps notes during a game, so it is asked at every decision" if spec.remembers else ""


def docstring_of(source: str, class_name: str) -> str:
    """The docstring of a class, without running the source; empty where there is none."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""  # the text may be anything, a stranger wrote it
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == class_name:
            return inspect.cleandoc(ast.get_docstring(node, clean=False) or "")
    return ""

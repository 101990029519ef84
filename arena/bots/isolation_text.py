"""Text that comes from a bot's process, made fit to be shown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from arena.bots.discovery_source import BotSource

_FRAME: Final = re.compile(r'^  File "(.{1,4000})", line (\d{1,9}) in (.{1,200})$', re.MULTILINE)
_CONTROL: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""What a terminal obeys, and what changes the order or the lines in which text is shown."""
_RUNS: Final = 12
"""Lines of a traceback that are shown."""


def clean(text: object, most: int) -> str:
    """The end of a text, without anything that a terminal would obey."""
    shown = text if isinstance(text, str) else repr(text)
    return _CONTROL.sub("\ufffd", shown)[-most:]


def clean_line(text: str, most: int) -> str:
    """The same for what has to stay one line, such as the name of a file."""
    return clean(re.sub(r"[\t\n]", "\ufffd", text), most)


def author_trace(written: str, path: Path, source: BotSource) -> str:
    """What `faulthandler` wrote, as a traceback of the author's own lines, outermost first."""
    own = {str(file): file for file in source.files}
    own |= {str(file.resolve()): file for file in source.files}
    lines: list[str] = []
    for place, number, name in reversed(_FRAME.findall(written)):
        file = own.get(place)
        if file is None:
            continue
        lines.append(f'  File "{file}", line {number}, in {clean(name, 80)}')
        text = source.content if file == path else _content(file)
        rows = text.decode(errors="replace").splitlines()
        if 0 < int(number) <= len(rows):
            lines.append(f"    {clean(rows[int(number) - 1].strip(), 200)}")
    if not lines:
        return ""
    if len(lines) > 2 * _RUNS:  # a recursion: the ends say all
        lines = [*lines[:_RUNS], "  ...", *lines[-_RUNS:]]
    return "\n".join(["Traceback (most recent call last):", *lines])


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""

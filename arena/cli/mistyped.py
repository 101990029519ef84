"""What click says about a mistyped command line, as the one message that all mistakes get."""

from __future__ import annotations

import re
from typing import Final

import click

WORDS: Final = (
    (re.compile(r" is not a valid integer( range)?"), " is not a whole number"),
    (re.compile(r" is not a valid float( range)?"), " is not a number"),
    (re.compile(r" is not in the range x>=(\S+?)\.?$"), r" is not \1 or more"),
    (re.compile(r" is not in the range (\S+)<=x<=(\S+?)\.?$"), r" is not between \1 and \2"),
    (re.compile(r"^Invalid value for "), ""),
    (re.compile(r"'(--?[a-z][a-z0-9-]*)'"), r"\1"),
    (re.compile(r" requires an argument"), " needs a value"),
    (re.compile(r"\. Did you mean (.*?)\??$"), r"; did you mean \1?"),
)
"""Words of click, and those of this program."""


def message_of(error: click.ClickException) -> str:
    """Return one line: the command, what is wrong with it, and where to read on."""
    text = error.format_message()
    for found, wanted in WORDS:
        text = found.sub(wanted, text)
    text = " ".join(text.removesuffix(".").split())
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return f"arena: {text[:1].lower()}{text[1:]}"
    path = context.command_path
    return f"{path}: {text[:1].lower()}{text[1:]}; `{path} --help` explains it"

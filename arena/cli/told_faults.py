"""What a command says about the faults of bots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from textwrap import indent
from typing import Any

from arena.cli.output import count, note
from arena.records import Fault, Match, MatchStats


def tell_faults(faults: Sequence[Fault], match: Match, stats: MatchStats) -> None:
    """One fault of each kind and bot, in full, on standard error."""
    forfeits = int(stats.forfeits.sum())
    if not forfeits:
        return
    note(f"\n{count(forfeits)} games were forfeited by a fault of a bot; for example:")
    shown = {(fault.bot, fault.kind): fault for fault in reversed(faults)}
    for fault in reversed(shown.values()):
        note("\n" + fault_text(fault))
        if fault.block >= 0:
            note(f"  the game up to there: {match.replay_command(fault.block, fault.rotation)}")


def fault_text(fault: Fault) -> str:
    """A fault with all that is known about it."""
    lines = [f"{fault.bot}: {fault.kind}: {fault.message}"]
    for label, text in (
        ("", fault.traceback),
        ("it was asked:", fault.position),
        ("it printed last:", fault.output),
    ):
        if text.strip():
            lines += [f"  {label}"] if label else []
            lines.append(indent(text.strip("\n"), "    " if label else "  "))
    return "\n".join(lines)


def fault_document(fault: Fault, match: Match) -> dict[str, Any]:
    """A fault in the JSON document of a command."""
    replay = match.replay_command(fault.block, fault.rotation) if fault.block >= 0 else None
    return {**asdict(fault), "kind": fault.kind.value, "replay": replay}

"""What a command says about the faults of bots."""

from __future__ import annotations

from collections.abc import Sequence

from arena.cli.output import count, note
from arena.records import Fault, MatchStats


def tell_faults(faults: Sequence[Fault], stats: MatchStats) -> None:
    """One fault of each kind and bot, in full, on standard error."""
    forfeits = int(stats.forfeits.sum())
    if not forfeits:
        return
    note(f"\n{count(forfeits)} games were forfeited by a fault of a bot; for example:")
    shown = {(fault.bot, fault.kind): fault for fault in reversed(faults)}
    for fault in reversed(shown.values()):
        note(f"\n{fault.bot}: {fault.kind}: {fault.message}")
        parts = (("", fault.traceback), ("printed: ", fault.output), ("at ", fault.position))
        for label, text in parts:
            if text:
                note(f"  {label}" + text.rstrip().replace("\n", "\n  "))

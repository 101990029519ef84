"""Many games at once, compiled; asks a bot only what it has never asked it before."""

from arena.kernel.driver import FaultAt, Kernel
from arena.kernel.memory import Memory

__all__ = ["FaultAt", "Kernel", "Memory"]

"""System calls that the kernel refuses a bot's process where a filter is to be had."""

from __future__ import annotations

import subprocess
import sys

import pytest

from arena.bots import host_filter

PROGRAM = """
import ctypes, os, socket, sys, tempfile
from arena.bots.host_filter import refuse_calls
assert refuse_calls()
libc = ctypes.CDLL(None, use_errno=True)
assert libc.ptrace(0, 0, 0, 0) == -1 and ctypes.get_errno() == 1
assert libc.socket(2, 1, 0) == -1 and ctypes.get_errno() == 1
assert libc.unshare(0x10000000) == -1 and ctypes.get_errno() == 1
assert libc.shmget(0, 4096, 0o1600) == -1 and ctypes.get_errno() == 1
try:
    socket.socket()
except PermissionError:
    pass
else:
    sys.exit("a socket")
import numpy
with tempfile.TemporaryFile() as file:
    file.write(bytes(numpy.arange(3)))
print("fine")
"""


def test_what_no_bot_needs_is_refused_and_the_rest_goes_on() -> None:
    seccompy = pytest.importorskip("seccompy")
    if not seccompy.supported():
        pytest.skip("this kernel allows no filters")
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False
    )
    assert ran.stdout == "fine\n", ran.stderr


def test_without_the_library_nothing_is_filtered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "seccompy", None)
    assert not host_filter.refuse_calls()

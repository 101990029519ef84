"""However a simulating process or the sandbox around a bot ends, the bot's process ends, too."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.bots.isolation import Level
from arena.bots.isolation_bwrap import find_sandbox
from arena.bots.isolation_host import Host
from arena.bots.loader import find_bots, resolve
from tests.bots.bad_bots import isolation

ROOT = Path(__file__).parents[2]

LEVELS = [
    Level.LIMITS,
    pytest.param(
        Level.STRICT,
        marks=pytest.mark.skipif(bool(find_sandbox().missing), reason=find_sandbox().missing),
    ),
]

KILLED = """
import os, signal, sys
from tests.bots.test_isolation_ends import a_host, Level
host = a_host(Level(sys.argv[1]))
os.kill(host.pid, signal.SIGSTOP)  # so that it cannot see that nobody is there any more
print(host.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def a_host(level: Level) -> Host:
    """The process of a bot that is ready to be asked."""
    index = find_bots([ROOT / "bots"], entry_points=False)
    host = Host(resolve("hold", index), isolation(level))
    host.ready()
    return host


def is_gone(pid: int) -> bool:
    """Whether a process has ended within a while; that nobody takes note of it does not matter."""
    for _ in range(100):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX":
                return True
        except OSError:
            return True
        time.sleep(0.1)
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_ends_with_the_process_that_asks_it(level: Level) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED, level.value],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert is_gone(int(done.stdout))


@pytest.mark.parametrize("level", LEVELS[1:])
def test_a_bot_ends_though_its_sandbox_was_ended_alone(level: Level) -> None:
    host = a_host(level)
    pid = host.pid
    assert host._process is not None
    sandbox = host._process._host.process
    os.kill(pid, signal.SIGSTOP)
    sandbox.kill()
    sandbox.wait()
    host.stop()
    assert is_gone(pid)

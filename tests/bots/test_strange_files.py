"""Files that are no bots, or pretend to be others: each is one problem, and hides no other bot."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.bots.isolation import Isolation, Level
from arena.bots.loader import find_bots
from tests.bots.bad_bots import isolation

GOOD = (
    "from arena import Bot\n\n\nclass Good(Bot):\n    def decide(self, turn):\n        return 1\n"
)


def _write(text: str | bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(text if isinstance(text, bytes) else text.encode())


STRANGE: list[tuple[str, Callable[[Path], object], str]] = [
    ("nul.py", _write(GOOD.replace("\n", "\0\n", 1)), "null bytes"),
    ("binary.py", _write(bytes(range(256)) * 40), "is not Python"),
    ("huge.py", _write("#" * (5 << 20)), "is larger than 4 MiB"),
    ("fifo.py", os.mkfifo, "is no ordinary file"),
    ("folder.py", os.mkdir, "Is a directory"),
    ("loop.py", lambda path: path.symlink_to(path.name), "Too many levels of symbolic links"),
    ("dangling.py", lambda path: path.symlink_to("nowhere.py"), "No such file"),
    ("passwd.py", lambda path: path.symlink_to("/etc/passwd"), "outside its folder"),
    ("zero.py", lambda path: path.symlink_to("/dev/zero"), "outside its folder"),
    ("new\nline.py", _write(GOOD), "cannot be printed"),
    ("esc\x1b[31m.py", _write(GOOD), "cannot be printed"),
    ("bidi\u202e.py", _write(GOOD), "cannot be printed"),
    (os.fsdecode(b"latin\xe9.py"), _write(GOOD), "cannot be printed"),
    ("named.py", _write(GOOD + "    name = '<script>'\n"), "is no name for a bot"),
    ("coded.py", _write(GOOD + "    name = 'a\\x1b[2J'\n"), "is no name for a bot"),
    ("long.py", _write(GOOD + "    name = 'x' * 5000\n"), "is no name for a bot"),
]


@pytest.mark.parametrize("apart", [None, isolation(Level.LIMITS)], ids=["here", "apart"])
@pytest.mark.parametrize(("name", "make", "said"), STRANGE, ids=[each[2] for each in STRANGE])
def test_a_strange_file_is_one_problem(
    tmp_path: Path,
    name: str,
    make: Callable[[Path], object],
    said: str,
    apart: Isolation | None,
) -> None:
    make(tmp_path / name)
    (tmp_path / "other.py").write_text(GOOD.replace("Good", "Other"))
    found = find_bots([tmp_path], entry_points=False, isolation=apart)
    assert list(found.bots) == ["other"]
    [problem] = found.problems
    assert said in str(problem)
    assert str(problem).isprintable()


@pytest.mark.parametrize("apart", [None, isolation(Level.LIMITS)], ids=["here", "apart"])
def test_a_link_beside_a_bot_lets_it_see_nothing_else(
    tmp_path: Path, apart: Isolation | None
) -> None:
    secret = tmp_path / "secret.py"
    secret.write_text("KEY = 'hush'\n")
    bots = tmp_path / "bots"
    bots.mkdir()
    (bots / "leak.py").write_text("import helper\n" + GOOD)
    (bots / "helper.py").symlink_to(secret)
    found = find_bots([bots], entry_points=False, isolation=apart)
    assert not found.bots
    assert "helper.py is a link to a file outside its folder" in str(found.problems[0])


def test_a_link_within_the_folder_is_the_file_itself(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "again.py").symlink_to("good.py")
    found = find_bots([tmp_path], entry_points=False)
    assert list(found.bots) == ["good"]
    assert not found.problems


def test_two_files_of_one_name_are_told(tmp_path: Path) -> None:
    for name in ("one.py", "two.py"):
        (tmp_path / name).write_text(GOOD + f"# {name}\n")
    found = find_bots([tmp_path], entry_points=False)
    assert found.bots["good"].path.endswith("one.py")
    assert "defines the bot 'good', which" in str(found.problems[0])

"""Finding bots in files, folders and packages, and what keeps them from being found."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from arena.bots.discovery import describe_file
from arena.bots.loader import BotIndex, find_bots

GOOD = """
from arena import Bot

class {name}(Bot):
    '''Banks at once.

    More words.
    '''

    def __init__(self, points: int = 300, share: float = 0.5, bold: bool = False, tag: str = "x"):
        self.points = points

    def decide(self, turn):
        return turn.holds[0].bank()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "good.py", GOOD.format(name="GoodOne"))
    return tmp_path


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def found(*sources: Path) -> BotIndex:
    return find_bots(sources, entry_points=False)


def the_problem(index: BotIndex) -> str:
    assert len(index.problems) == 1, index.problems
    return str(index.problems[0])


def test_a_bot_is_described_with_parameters_and_summary(folder: Path) -> None:
    index = found(folder)
    assert not index.problems
    spec = index.bots["good-one"]
    assert spec.class_name == "GoodOne"
    assert spec.summary == "Banks at once."
    assert spec.parameters == (("points", 300), ("share", 0.5), ("bold", False), ("tag", "x"))
    assert not spec.remembers
    assert len(spec.source_hash) == 16


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def broken(:", ["is not Python", "line 1", "def broken(:"]),
        ("x = 1\ny = x / 0\n", ["cannot be imported", "ZeroDivisionError", "line 2: y = x / 0"]),
        ("import sys\nsys.exit(3)\n", ["cannot be imported", "SystemExit: 3"]),
        ("import no_such_module_here\n", ["ModuleNotFoundError", "no_such_module_here"]),
        ("raise BaseException('odd')\n", ["BaseException: odd"]),
        ("x = '\0'", ["is not Python", "null byte"]),
        ("x = 1\n", ["has no bot"]),
        ("class Lone:\n    def decide(self, turn): ...\n", ["Lone does not derive from Bot"]),
        (
            "from arena import Bot\nclass Lazy(Bot):\n    pass\n",
            ["class Lazy has no method decide", "def decide(self, turn)"],
        ),
        (
            "from arena import Bot\nclass Typo(Bot):\n    def decid(self, turn): ...\n",
            ["class Typo has no method decide", "it has decid, did you mean decide?"],
        ),
        (
            "from arena import Bot\nclass Few(Bot):\n    def decide(self): ...\n",
            ["class Few: decide(self) cannot be asked"],
        ),
        (
            "from arena import Bot\nclass Odd(Bot):\n    decide = 3\n",
            ["class Odd: decide is not a method"],
        ),
        (
            "from arena import Bot\nclass Bad(Bot):\n    name = 'a:b'\n"
            "    def decide(self, turn): ...\n",
            ["'a:b' is no name for a bot"],
        ),
        (
            "from arena import Bot\nclass Need(Bot):\n    def __init__(self, points): ...\n"
            "    def decide(self, turn): ...\n",
            ["class Need: parameter points has no default"],
        ),
        (
            "from arena import Bot\nclass Need(Bot):\n    def __init__(self, p=[1]): ...\n"
            "    def decide(self, turn): ...\n",
            ["class Need: parameter p has the default [1]"],
        ),
    ],
)
def test_a_bad_file_is_one_message_and_hides_no_other_bot(
    folder: Path, text: str, words: list[str]
) -> None:
    bad = write(folder / "bad.py", text)
    index = found(folder)
    problem = the_problem(index)
    assert problem.startswith(f"{bad}: ")
    assert "\n" not in problem
    for word in words:
        assert word in problem
    assert list(index.bots) == ["good-one"]


def test_the_traceback_holds_only_the_authors_lines(folder: Path) -> None:
    write(folder / "bad.py", "def f():\n    return [][1]\n\nprint('before')\nf()\n")
    problem = found(folder).problems[0]
    assert problem.traceback.count("File ") == 2
    assert "return [][1]" in problem.traceback
    assert "importlib" not in problem.traceback
    assert problem.output == "before\n"


def test_a_bad_class_hides_no_other_class_of_its_file(tmp_path: Path) -> None:
    text = GOOD.format(name="Fine") + "\nclass Lazy(Bot):\n    pass\n"
    index = found(write(tmp_path / "two.py", text))
    assert list(index.bots) == ["fine"]
    assert "class Lazy has no method decide" in the_problem(index)


def test_intermediate_bases_are_neither_bots_nor_mistakes(tmp_path: Path) -> None:
    text = """
from abc import ABC, abstractmethod
from arena import Bot

class Base(Bot):
    @abstractmethod
    def wish(self, turn): ...
    def decide(self, turn):
        return self.wish(turn)

class Middle(Base):
    pass

class Meant(Bot, ABC):
    pass

class Leaf(Middle):
    def wish(self, turn):
        return turn.holds[0].bank()
"""
    index = found(write(tmp_path / "bases.py", text))
    assert list(index.bots) == ["leaf"]
    assert not index.problems


def test_an_abstract_base_alone_is_a_mistake(tmp_path: Path) -> None:
    text = "from abc import ABC\nfrom arena import Bot\nclass Meant(Bot, ABC):\n    pass\n"
    assert "has no bot" in the_problem(found(write(tmp_path / "only.py", text)))


def test_a_class_imported_from_another_file_is_no_bot_of_this_one(folder: Path) -> None:
    write(folder / "child.py", "from good import GoodOne\nclass Child(GoodOne):\n    pass\n")
    index = found(folder)
    assert not index.problems
    assert set(index.bots) == {"good-one", "child"}
    assert index.bots["good-one"].path.endswith("good.py")
    assert "good" not in sys.modules


def test_two_names_of_one_class_are_one_bot(tmp_path: Path) -> None:
    index = found(write(tmp_path / "alias.py", GOOD.format(name="First") + "\nSecond = First\n"))
    assert list(index.bots) == ["first"]
    assert not index.problems


def test_classes_made_in_a_function_are_found_under_the_modules_names(tmp_path: Path) -> None:
    text = """
from arena import Bot

def make(label):
    class Inner(Bot):
        name = label
        def decide(self, turn):
            return turn.holds[0].bank()
    return Inner

One, Two = make("one"), make("two")
"""
    index = found(write(tmp_path / "made.py", text))
    assert {name: spec.class_name for name, spec in index.bots.items()} == {
        "one": "One",
        "two": "Two",
    }


def test_two_classes_of_one_name_in_a_file(tmp_path: Path) -> None:
    text = GOOD.format(name="AbC") + GOOD.format(name="Ab_C")
    index = found(write(tmp_path / "same.py", text))
    assert index.bots["ab-c"].class_name == "AbC"
    assert "classes AbC and Ab_C both have the name 'ab-c'" in the_problem(index)


def test_two_files_of_one_name(folder: Path) -> None:
    other = write(folder / "other.py", GOOD.format(name="GoodOne"))
    index = found(folder)
    assert index.bots["good-one"].path == str(folder / "good.py")
    problem = the_problem(index)
    assert problem.startswith(str(other))
    assert str(folder / "good.py") in problem
    assert f"{other}:GoodOne" in problem


def test_the_same_file_twice_is_no_clash(folder: Path) -> None:
    index = found(folder, folder / "good.py", folder / ".." / folder.name)
    assert list(index.bots) == ["good-one"]
    assert not index.problems


def test_files_of_equal_stem_do_not_clash(tmp_path: Path) -> None:
    for place, name in (("a", "InA"), ("b", "InB")):
        write(tmp_path / place / "same.py", "from helper import X\n" + GOOD.format(name=name))
        write(tmp_path / place / "helper.py", f"X = {place!r}\n")
    index = found(tmp_path / "a", tmp_path / "b")
    assert set(index.bots) == {"in-a", "in-b"}
    assert not index.problems


def test_a_helper_beside_the_bot_is_no_problem_and_part_of_its_source(tmp_path: Path) -> None:
    write(tmp_path / "bot.py", "from helper import X\n" + GOOD.format(name="User"))
    helper = write(tmp_path / "helper.py", "X = 1\n")
    before = found(tmp_path)
    assert not before.problems
    helper.write_text("X = 2\n", encoding="utf-8")
    after = found(tmp_path)
    assert before.bots["user"].source_hash != after.bots["user"].source_hash


def test_a_bot_called_like_a_library_module_does_not_replace_it(tmp_path: Path) -> None:
    write(tmp_path / "random.py", GOOD.format(name="Chance"))
    write(tmp_path / "user.py", "import random\nrandom.Random(1)\n" + GOOD.format(name="User"))
    index = found(tmp_path)
    assert set(index.bots) == {"chance", "user"}
    assert not index.problems


def test_modules_of_a_package_may_import_each_other(tmp_path: Path) -> None:
    write(tmp_path / "pack" / "__init__.py", "")
    write(tmp_path / "pack" / "helper.py", "X = 1\n")
    write(tmp_path / "pack" / "bot.py", "from .helper import X\n" + GOOD.format(name="Packed"))
    index = found(tmp_path / "pack")
    assert list(index.bots) == ["packed"]
    assert not index.problems


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nowhere", "there is no such file"),
        ("notes.txt", "is no Python file"),
        ("empty", "no bot file (*.py) lies in this folder"),
    ],
)
def test_a_bad_source_is_one_message(folder: Path, name: str, words: str) -> None:
    write(folder / "notes.txt", "")
    (folder / "empty").mkdir()
    index = found(folder / name, folder / "good.py")
    assert words in the_problem(index)
    assert str(folder / name) in the_problem(index)
    assert list(index.bots) == ["good-one"]


def test_files_with_an_underscore_in_front_are_left_out(folder: Path) -> None:
    write(folder / "_draft.py", "raise ValueError")
    assert not found(folder).problems


def test_a_file_that_cannot_be_read(folder: Path) -> None:
    (folder / "dir.py").mkdir()
    assert "dir.py: cannot be read: Is a directory" in the_problem(found(folder))


def test_without_sources_the_folder_here_comes_before_the_shipped_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "hold" in find_bots().bots
    write(tmp_path / "bots" / "mine.py", GOOD.format(name="Mine"))
    write(tmp_path / "bots" / "hold.py", GOOD.format(name="Hold"))
    index = find_bots()
    assert not index.problems
    assert index.bots["hold"].path == "bots/hold.py"
    assert index.bots["mine"].path == "bots/mine.py"


def test_installed_packages_offer_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "farm" / "__init__.py", "raise RuntimeError('never imported for finding')")
    write(tmp_path / "orchard" / "__init__.py", "")
    two = GOOD.format(name="Apple") + GOOD.format(name="Pear")
    write(tmp_path / "orchard" / "trees.py", "from . import more\n" + two)
    write(tmp_path / "orchard" / "more.py", GOOD.format(name="Plum"))
    monkeypatch.syspath_prepend(str(tmp_path))
    values = {"a": "orchard.trees:Apple", "b": "orchard.more", "c": "orchard.none", "d": "nowhere"}
    entries = EntryPoints(
        EntryPoint(name=name, value=value, group="arena.bots") for name, value in values.items()
    )
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: entries)
    index = find_bots([write(tmp_path / "good.py", GOOD.format(name="GoodOne"))])
    assert set(index.bots) == {"good-one", "apple", "plum"}
    assert [str(problem) for problem in index.problems] == [
        "entry point arena.bots:c: there is no module orchard.none of Python source",
        "entry point arena.bots:d: there is no module nowhere of Python source",
    ]


def test_a_flood_of_output_is_cut(tmp_path: Path) -> None:
    path = write(tmp_path / "loud.py", "print('x' * 99_999)\nprint('end')\n")
    output = describe_file(path).output
    assert len(output) == 4000
    assert output.endswith("x\nend\n")


def test_objects_that_raise_when_touched_are_one_problem(tmp_path: Path) -> None:
    text = """
from arena import Bot
class Meta(type(Bot)):
    def __getattribute__(cls, name):
        raise RuntimeError("do not touch")
class Touchy(Bot, metaclass=Meta):
    def decide(self, turn): ...
"""
    assert "do not touch" in the_problem(found(write(tmp_path / "touchy.py", text)))

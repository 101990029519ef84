"""Habits in a bot's source that make it slow, or its answers unrepeatable; nothing is run."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Final

_NUMBERS: Final = frozenset(
    ["points", "score", "rolls", "limited_rolls", "round", "to_beat", "busts", "opponents"]
)
_NEEDS_VALUE: Final = frozenset(["int", "float", "str", "repr", "format", "hash", "bin", "hex"])
_FORBIDDEN: Final = {
    "asyncio": "processes, threads and the network are not there",
    "ctypes": "it gets around Python's own checks and crashes easily",
    "multiprocessing": "a bot may not start processes",
    "os": "files, processes and the environment are not there",
    "pathlib": "files are not there; keep what the bot needs in its own file",
    "requests": "the network is not there",
    "shutil": "files are not there",
    "socket": "the network is not there",
    "subprocess": "a bot may not start programs",
    "tempfile": "files are not there",
    "threading": "a bot may not start threads",
    "urllib": "the network is not there",
}
_CLOCKS: Final = frozenset(["time", "datetime"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Habit:
    """Something in the source, or in how the bot plays, to think about.

    Attributes:
        line: where, from 1; 0 for no line of the source.
        source: that line.
        advice: what is the matter, and what to write instead.
        unrepeatable: whether it can make answers unrepeatable.
    """

    line: int
    source: str
    advice: str
    unrepeatable: bool = False

    def __str__(self) -> str:
        return f"line {self.line}: {self.advice}\n    {self.source}" if self.line else self.advice


def find_habits(content: bytes, *, remembers: bool) -> tuple[Habit, ...]:
    """Habits of a source that can be parsed, in the order of its lines.

    Args:
        content: of the file.
        remembers: whether its bot is declared to keep notes.

    Raises:
        SyntaxError: it is not Python.
    """
    tree = ast.parse(content)
    finder = _Finder(content.decode(errors="replace").splitlines(), remembers=remembers)
    finder.visit(tree)
    once = {(habit.line, habit.advice): habit for habit in finder.found}
    return tuple(once[key] for key in sorted(once))


class _Finder(ast.NodeVisitor):
    def __init__(self, lines: list[str], *, remembers: bool) -> None:
        self.found: list[Habit] = []
        self._lines = lines
        self._remembers = remembers
        self._functions: list[str] = []

    def note(self, node: ast.expr | ast.stmt | ast.ExceptHandler, advice: str) -> None:
        row = node.lineno
        source = self._lines[row - 1].strip() if row <= len(self._lines) else ""
        doubtful = any(word in advice for word in _UNREPEATABLE)
        self.found.append(Habit(line=row, source=source, advice=advice, unrepeatable=doubtful))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._functions.append(node.name)
        self.generic_visit(node)
        self._functions.pop()

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._module(node, alias.name)
        self.generic_visit(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if not node.level and node.module:
            self._module(node, node.module)
            if node.module == "random":
                self.note(node, _RANDOM)
        self.generic_visit(node)

    def _module(self, node: ast.stmt, name: str) -> None:
        top = name.partition(".")[0]
        if top in _FORBIDDEN:
            self.note(node, f"{top}: {_FORBIDDEN[top]}")
        if self._playing:
            self.note(node, "imports at every decision cost time; move it to the top of the file")

    @property
    def _playing(self) -> bool:
        """Whether this is code that runs while the bot plays."""
        return bool(self._functions) and self._functions[0] != "__init__"

    def visit_Call(self, node: ast.Call) -> None:
        name = _dotted(node.func)
        top = name.partition(".")[0]
        if top == "random" and "." in name:
            self.note(node, _RANDOM)
        elif top in _CLOCKS and "." in name:
            self.note(node, "a clock makes the answer unrepeatable; decide from `turn` alone")
        elif name == "open":
            self.note(node, "files are not there; keep what the bot needs in its own file")
        elif name == "id":
            self.note(node, "id() differs from run to run; decide from `turn` alone")
        elif name == "input":
            self.note(node, "nobody is there to answer; decide from `turn` alone")
        elif name == "print" and self._playing:
            self.note(node, "printing costs time, and too much of it is a fault; take it out")
        elif name in _NEEDS_VALUE and any(_is_number(each) for each in node.args):
            self.note(node, f"{name}() of a number of `turn` {_EXACT}")
        self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        for value in node.values:
            if isinstance(value, ast.FormattedValue) and _is_number(value.value):
                self.note(value, f"a text with a number of `turn` in it {_EXACT}")
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if _is_number(node.slice):
            self.note(node, f"looking something up by a number of `turn` {_EXACT}")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if isinstance(node.op, (ast.Div, ast.Mod, ast.Pow)) and (
            _is_number(node.left) or _is_number(node.right)
        ):
            self.note(node, f"/, % and ** with a number of `turn` {_EXACT}")
        self.generic_visit(node)

    def visit_Global(self, node: ast.Global) -> None:
        self.note(
            node,
            "a global variable that changes makes answers unrepeatable; keep notes in `self` and "
            "declare the bot with remembers=True",
        )

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.type is None or _dotted(node.type) in ("Exception", "BaseException"):
            self.note(node, "catching everything hides mistakes of the bot; name the exception")
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._assigned(target)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._assigned(node.target)
        self.generic_visit(node)

    def _assigned(self, target: ast.expr) -> None:
        name = _dotted(target)
        if name.startswith("self.") and self._playing and not self._remembers:
            self.note(
                target,
                f"{name} is kept from one decision to the next; a bot that keeps notes is declared "
                "with `class X(Bot, remembers=True)`",
            )
        if name.startswith("turn."):
            self.note(target, "a Turn cannot be changed; use a variable of your own")


_UNREPEATABLE: Final = ("unrepeatable", "differ", "from one decision to the next")
"""Words of advice on what makes answers unrepeatable."""

_RANDOM: Final = "the module random is seeded differently in every run; use turn.rng"
_EXACT: Final = (
    "needs its exact value, so that the answer is remembered for that value alone, which is slow; "
    "compare (<, >=) where you can"
)


def _dotted(node: ast.expr) -> str:
    """`a.b.c` of a name with attributes; empty for anything else."""
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(names)])


def _is_number(node: ast.expr) -> bool:
    """Whether this is a number of the turn, as far as can be seen."""
    if isinstance(node, ast.Subscript):
        node = node.value
    head, _, field = _dotted(node).partition(".")
    return head == "turn" and field in _NUMBERS

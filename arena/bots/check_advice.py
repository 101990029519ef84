"""What a beginner can do about a finding, as special as the mistake allows, and in which line."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Final

from arena.game.turn import Turn

EXPORTED: Final = frozenset(
    [
        "BatchBot",
        "Bot",
        "Decision",
        "Hold",
        "Positions",
        "Ruleset",
        "Turn",
        "solved",
        "solved_turn",
        "ways",
    ]
)
"""What a bot's author imports from `arena`, which this room itself may not import."""

_HOLD_NAMES: Final = ("dice", "points", "dice_left", "hot", "bank()", "roll()")
_ANSWERS: Final = {
    "NoneType": "a way through decide() ends without `return`; end every one with a decision",
    "bool": "answer with `return hold.bank()` or `return hold.roll()`, not with True or False",
    "Hold": "say what to do with the hold: `return hold.bank()` or `return hold.roll()`",
    "method": "write the brackets: `return hold.bank()`, `return hold.roll()`",
    "function": "write the brackets: `return turn.reroll()`",
}


def special_advice(message: str, traceback: str) -> str:
    """What to do about a fault or a failed import; empty where there is nothing special to say.

    Args:
        message: with the name of the exception in front, or what was answered.
        traceback: of the author's own lines; may be empty.
    """
    attribute = re.search(r"AttributeError: '(Turn|Hold)' object has no attribute '(\w+)'", message)
    if attribute:
        return _attribute_advice(attribute[1], attribute[2])
    name = re.search(r"NameError: name '(\w+)' is not defined", message)
    if name and name[1] in EXPORTED:
        return f"write `from arena import {name[1]}` at the top of the file"
    if name:
        return f"give {name[1]} a value before it is used, or import it; look for a typing mistake"
    if "IndexError" in message and "holds[" in traceback:
        return (
            "there may be a single hold: turn.holds[0] is always there, for the others look at "
            "len(turn.holds) first"
        )
    if "TypeError" in message and "decide()" in message and "argument" in message:
        return "write `def decide(self, turn):`, with self and turn"
    answered = re.search(r"decide\(\) answered .* \((\w+)\);", message)
    return _ANSWERS.get(answered[1], "") if answered else ""


def _attribute_advice(kind: str, name: str) -> str:
    public = [each for each in dir(Turn) if not each.startswith("_")]
    known = public if kind == "Turn" else list(_HOLD_NAMES)
    plain = [each.removesuffix("()") for each in known]
    parts = [each for each in plain if each in name.split("_")]
    near = get_close_matches(name, plain, n=1, cutoff=0.5) or parts
    hint = f"did you mean {kind.lower()}.{near[0]}? " if near else ""
    return f"{hint}a {kind.lower()} has {', '.join(known)}"


def return_lines(content: bytes, class_name: str, *, nothing: bool) -> str:
    """The lines in which a class answers, one line of text each.

    Args:
        content: source of the file; one that can be parsed.
        class_name: of the bot.
        nothing: whether it answered None, so that only ways without a value are meant.
    """
    decide = _method(ast.parse(content), class_name, "decide")
    if decide is None:
        return ""
    rows = content.decode(errors="replace").splitlines()
    found = []
    for node in _own(decide.body):
        empty = isinstance(node, ast.Return) and (
            node.value is None or (isinstance(node.value, ast.Constant) and not node.value.value)
        )
        if isinstance(node, ast.Return) and (empty or not nothing):
            found.append(_line(rows, node.lineno))
        if nothing and _drops_decision(node):
            found.append(f"{_line(rows, node.lineno)}    <- no `return` in front of it")
    if nothing and _goes_past(decide.body):
        end = decide.end_lineno or decide.lineno
        found.append(f"line {end}, after which decide() ends without `return`")
    return "\n".join(dict.fromkeys(found))


def problem_line(content: bytes, problem: str) -> str:
    """The line that a problem with a class or a parameter is about; empty if it is not known."""
    named = re.match(r"class(?:es)? (\w+)", problem)
    if not named:
        return ""
    tree = ast.parse(content)
    wanted = "__init__" if "parameter" in problem else "decide"
    node: ast.stmt | None = _method(tree, named[1], wanted) or _class(tree, named[1])
    if ": seats = " in problem:
        node = _class(tree, named[1])  # which sets it, or derives from one that does
    rows = content.decode(errors="replace").splitlines()
    return _line(rows, node.lineno) if node is not None else ""


def _line(rows: Sequence[str], number: int) -> str:
    source = rows[number - 1].strip() if 0 < number <= len(rows) else ""
    return f"line {number}: {source}"


def _class(tree: ast.Module, name: str) -> ast.ClassDef | None:
    found = [n for n in ast.walk(tree) if isinstance(n, ast.ClassDef) and n.name == name]
    return found[0] if found else None


def _method(tree: ast.Module, class_name: str, name: str) -> ast.FunctionDef | None:
    """A method of a class, of its own or of a class of the file that it derives from."""
    cls = _class(tree, class_name)
    if cls is None:
        return None
    own = [n for n in cls.body if isinstance(n, ast.FunctionDef) and n.name == name]
    if own:
        return own[0]
    bases = [base.id for base in cls.bases if isinstance(base, ast.Name) and base.id != class_name]
    inherited = (_method(tree, base, name) for base in bases)
    return next((method for method in inherited if method is not None), None)


def _own(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements, also inner ones, but not those of functions and classes within."""
    for node in body:
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for part in ("body", "orelse", "finalbody"):
            yield from _own(getattr(node, part, []))
        for handler in getattr(node, "handlers", []):
            yield from _own(handler.body)


def _drops_decision(node: ast.stmt) -> bool:
    """Whether a decision is made and not used, as in a line `hold.bank()`."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
        and node.value.func.attr in ("bank", "roll", "reroll")
        and not node.value.args
    )


def _goes_past(body: Sequence[ast.stmt]) -> bool:
    """Whether these statements may come to their end without `return` or `raise`."""
    last = body[-1]
    if isinstance(last, ast.Return | ast.Raise):
        return False
    if isinstance(last, ast.If):
        return not last.orelse or _goes_past(last.body) or _goes_past(last.orelse)
    if isinstance(last, ast.With):
        return _goes_past(last.body)
    if isinstance(last, ast.Match):
        return True
    if isinstance(last, ast.While):
        ends = not (isinstance(last.test, ast.Constant) and last.test.value)
        return ends or any(isinstance(node, ast.Break) for node in ast.walk(last))
    return True

"""Dice strings: how a ruleset writes a combination, and which dice it stands for.

A digit is a face, a letter is any face; different letters are different faces, and none of them is
a face that the same string names by its digit. Order does not matter: `"ccbbaa"` is `"aabbcc"`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations

FACES = (1, 2, 3, 4, 5, 6)
FaceCounts = tuple[int, int, int, int, int, int]
"""How many dice show 1, 2, 3, 4, 5 and 6."""


def pattern_mistake(pattern: str) -> str | None:
    """What is wrong with a dice string, as a phrase; None if nothing is."""
    if not pattern:
        return "is empty: write faces 1 to 6 or letters, for example 111 or aabbcc"
    for sign in pattern:
        if sign not in "123456" and not ("a" <= sign <= "z"):
            return f"the sign {sign!r} is neither a face 1 to 6 nor a letter a to z"
    if len(set(pattern)) > len(FACES):
        return f"cannot match: {len(set(pattern))} different faces are asked for, a die has 6"
    return None


def canonical(pattern: str) -> str:
    """The one spelling of a dice string: digits in order, then letter groups, largest first."""
    digits = sorted(sign for sign in pattern if sign.isdigit())
    groups = sorted(Counter(sign for sign in pattern if sign.isalpha()).values(), reverse=True)
    letters = ("abcdefghijklmnopqrstuvwxyz"[i] * size for i, size in enumerate(groups))
    return "".join(digits) + "".join(letters)


def matches(pattern: str) -> Iterator[FaceCounts]:
    """All sets of dice that a valid dice string stands for, each once."""
    counts = Counter(pattern)
    fixed = {int(sign): count for sign, count in counts.items() if sign.isdigit()}
    groups = [count for sign, count in counts.items() if sign.isalpha()]
    free = [face for face in FACES if face not in fixed]
    seen: set[FaceCounts] = set()
    for faces in permutations(free, len(groups)):
        chosen = fixed | dict(zip(faces, groups, strict=True))
        dice = face_counts(chosen)
        if dice not in seen:
            seen.add(dice)
            yield dice


def face_counts(counts: dict[int, int]) -> FaceCounts:
    """The counts of the six faces, from a table face -> count."""
    one, two, three, four, five, six = (counts.get(face, 0) for face in FACES)
    return one, two, three, four, five, six

"""Names of bots that a reader takes for each other."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

_CYRILLIC: Final = "АВЕЅІЈКМНОРСТУХЬаеѕіјорсухһԁԛԝѵ"
_LATIN_FOR_IT: Final = "ABESIJKMHOPCTYXbaesijopcyxhdqwv"
_GREEK: Final = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορτυχγϳ"
_LATIN_FOR_THAT: Final = "ABEZHIKMNOPTYXaikvoptuxyj"
_OTHERS: Final = {"ı": "i", "ȷ": "j", "ɑ": "a", "ɡ": "g", "ℓ": "l"}

_LETTERS: Final = str.maketrans(
    _CYRILLIC + _GREEK, _LATIN_FOR_IT + _LATIN_FOR_THAT
) | str.maketrans(_OTHERS)
_STROKES: Final = str.maketrans({"i": "l", "1": "l", "0": "o"})
"""After capitals are gone: I, l and 1, and O and 0, are one shape in many fonts."""


def appearance(name: str) -> str:
    """What is left of a name for a hasty reader; equal for names that look alike.

    Compatible forms, capitals, letters of other scripts with the shape of a Latin one, I-l-1, O-0,
    and dashes and underscores are not told apart, and what cannot be seen does not count.
    """
    seen = unicodedata.normalize("NFKC", name).translate(_LETTERS).casefold().translate(_STROKES)
    visible = "".join(char for char in seen if unicodedata.category(char) not in ("Cf", "Cc"))
    return re.sub(r"[-_\u2010-\u2015]+", "-", visible)


def looks_like(name: str, others: Iterable[str]) -> str | None:
    """The first of the other names that this one may be taken for; None where there is none."""
    shape = appearance(name)
    return next((each for each in others if each != name and appearance(each) == shape), None)


def pairs_alike(names: Iterable[str]) -> list[tuple[str, str]]:
    """Different names that look alike, each with the first one that it may be taken for."""
    first: dict[str, str] = {}
    seen = dict.fromkeys(names)
    pairs = [(first.setdefault(appearance(name), name), name) for name in seen]
    return [(one, other) for one, other in pairs if one != other]

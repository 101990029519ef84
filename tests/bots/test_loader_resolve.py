"""Which bot is meant by a text, its parameters, and starting it."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bots.loader import BotIndex, find_bots, instantiate, resolve
from arena.errors import BotError

TEXT = """
from arena import Bot

class Cautious(Bot):
    def __init__(self, points: int = 300, share: float = 0.5, bold: bool = False, tag: str = "x"):
        if points < 0:
            raise ValueError("points are 0 or more")
        if tag == "boom":
            raise KeyError(tag)
        if tag == "exit":
            raise SystemExit(2)
        self.values = (points, share, bold, tag)
        print("made")

    def decide(self, turn):
        return turn.holds[0].bank()
"""


@pytest.fixture
def index(tmp_path: Path) -> BotIndex:
    (tmp_path / "one.py").write_text(TEXT, encoding="utf-8")
    second = TEXT.replace("Cautious", "Second") + TEXT.replace("Cautious", "ThirdOne")
    (tmp_path / "two.py").write_text(second, encoding="utf-8")
    return find_bots([tmp_path], entry_points=False)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ("", (300, 0.5, False, "x")),
        (":points=500", (500, 0.5, False, "x")),
        (": points = -0 , bold = True", (0, 0.5, True, "x")),
        (":share=1,tag=a=b", (300, 1.0, False, "a=b")),
        (":points=1_000,share=2e-1,tag=5", (1000, 0.2, False, "5")),
        (':tag="a,b",bold=false', (300, 0.5, False, "a,b")),
    ],
)
def test_values_take_the_type_of_the_default(
    index: BotIndex, tmp_path: Path, values: str, expected: tuple[object, ...]
) -> None:
    for bot in ("cautious", f"{tmp_path}/one.py", f"{tmp_path}/one.py:Cautious"):
        spec = resolve(bot + values, index)
        assert spec.name == (bot + values).strip()
        assert tuple(value for _, value in spec.parameters) == expected
        assert [type(value) for _, value in spec.parameters] == [int, float, bool, str]
        made = instantiate(spec)
        assert made.values == expected  # type: ignore[attr-defined]  # the bot's own attribute


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cautios", ["there is no bot 'cautios'", "did you mean cautious?", "second, third-one"]),
        ("ThirdOne", ["did you mean third-one?"]),
        ("Third_One", ["did you mean third-one?"]),
        ("zzz", ["there is no bot 'zzz'; known: cautious"]),
        ("", ["there is no bot ''"]),
        ("configs/t.toml", ["any other by its file, which ends in .py"]),
        ("cautious:", ["parameters are missing after the colon"]),
        ("cautious:points", ["'points' is no parameter: write name=value"]),
        ("cautious:=3", ["'=3' is no parameter"]),
        ("cautious:points=1,points=2", ["parameter points is given twice"]),
        ("cautious:points=x", ["one.py", "points=x: a whole number is allowed"]),
        ("cautious:points=1.5", ["points=1.5: a whole number is allowed"]),
        ("cautious:points=true", ["a whole number is allowed"]),
        ("cautious:points=", ["points=: a whole number is allowed"]),
        ("cautious:share=nan", ["share=nan: a number is allowed"]),
        ("cautious:bold=1", ["bold=1: true or false is allowed"]),
        (
            "cautious:point=1,bold=7",
            [
                "there is no parameter point; did you mean points?",
                "points=300, share=0.5, bold=false, tag=x",
                "bold=7: true or false",
            ],
        ),
        ("{tmp}/none.py", ["none.py: cannot be read: No such file"]),
        ("{tmp}/two.py", ["more than one bot", "two.py:Second or ", "two.py:ThirdOne"]),
        ("{tmp}/two.py:points=3", ["more than one bot"]),
        ("{tmp}/two.py:Fourth", ["has no bot 'Fourth'", "two.py:Second"]),
    ],
)
def test_a_mistake_is_one_clear_message(
    index: BotIndex, tmp_path: Path, text: str, words: list[str]
) -> None:
    with pytest.raises(BotError) as caught:
        resolve(text.replace("{tmp}", str(tmp_path)), index)
    for word in words:
        assert word in str(caught.value)


def test_one_of_several_bots_of_a_file_by_class_or_name(index: BotIndex, tmp_path: Path) -> None:
    for name in ("ThirdOne", "third-one"):
        spec = resolve(f"{tmp_path}/two.py:{name}:points=7", index)
        assert spec.class_name == "ThirdOne"
        assert spec.parameters[0] == ("points", 7)


def test_a_bot_that_is_not_found_tells_of_broken_files(tmp_path: Path) -> None:
    (tmp_path / "wanted.py").write_text("import nothing_like_this", encoding="utf-8")
    with pytest.raises(BotError, match=r"(?s)no bot 'wanted'.*wanted\.py: cannot be imported"):
        resolve("wanted", find_bots([tmp_path], entry_points=False))


def test_a_broken_file_named_by_its_path(tmp_path: Path, index: BotIndex) -> None:
    (tmp_path / "bad.py").write_text("\nx = 1 / 0\n", encoding="utf-8")
    with pytest.raises(BotError, match=r"(?s)bad\.py: cannot be imported.*line 2.*Traceback"):
        resolve(f"{tmp_path}/bad.py", index)


def test_an_init_that_raises_names_file_and_parameters(index: BotIndex) -> None:
    with pytest.raises(BotError, match=r"one\.py: Cautious\(points=-1, .*\) cannot be made") as it:
        instantiate(resolve("cautious:points=-1", index))
    assert "ValueError: points are 0 or more" in str(it.value)
    assert "Traceback" not in str(it.value)
    with pytest.raises(BotError, match=r"(?s)KeyError: 'boom'.*Traceback.*raise KeyError"):
        instantiate(resolve("cautious:tag=boom", index))
    with pytest.raises(BotError, match="SystemExit: 2"):
        instantiate(resolve("cautious:tag=exit", index))


def test_a_file_that_has_changed_is_not_started(index: BotIndex, tmp_path: Path) -> None:
    spec = resolve("cautious", index)
    (tmp_path / "one.py").write_text(TEXT + "\n", encoding="utf-8")
    with pytest.raises(BotError, match="has changed since it was found"):
        instantiate(spec)
    (tmp_path / "one.py").unlink()
    with pytest.raises(BotError, match=r"one\.py: the file of cautious cannot be read"):
        instantiate(spec)


def test_a_file_is_imported_once_per_process(index: BotIndex) -> None:
    spec = resolve("cautious", index)
    assert type(instantiate(spec)) is type(instantiate(spec))


def test_what_a_bot_prints_when_made_does_not_go_to_standard_output(
    index: BotIndex, capsys: pytest.CaptureFixture[str]
) -> None:
    instantiate(resolve("cautious", index))
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == "made\n"


def test_keys_are_equal_exactly_for_equal_source_and_parameters(
    index: BotIndex, tmp_path: Path
) -> None:
    by_name = resolve("cautious:points=300", index)
    assert by_name.key == resolve("cautious", index).key
    assert by_name.key == resolve(f"{tmp_path}/one.py", index).key
    assert by_name.key != resolve("cautious:points=301", index).key

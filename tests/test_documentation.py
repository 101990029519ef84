"""README and its companions say what is true."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from arena.bots.loader import find_bots, instantiate, resolve
from arena.cli.main import COMMANDS
from arena.game import AddressedDice, match_key, play_game
from tests.rules.loading import tables

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "ARCHITECTURE.md"]


def there(name: str) -> bool:
    return importlib.util.find_spec(COMMANDS[name][0]) is not None


@pytest.mark.parametrize(
    "line",
    [
        "python3 -m venv .venv && .venv/bin/pip install -e . && "
        ".venv/bin/arena run configs/quick.toml",
        "python3 -m venv .venv && .venv/bin/pip install -e '.[test]' && .venv/bin/pytest",
    ],
)
def test_the_two_commands_stand_in_readme_and_are_what_ci_runs(line: str) -> None:
    assert f"```sh\n{line}\n```" in README
    assert f'readme "{line}"' in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_readme_names_the_commands_that_are_there() -> None:
    named = set(re.findall(r"\barena ([a-z-]+)", README))
    table = README.partition("## Commands")[2].partition("\n## ")[0]
    listed = set(re.findall(r"^\| `arena ([a-z-]+)", table, re.MULTILINE))
    assert listed <= {name for name in COMMANDS if there(name)}
    assert {name for name in named if name in COMMANDS} == listed


def test_the_first_bot_plays(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (tmp_path / "cautious.py").write_text(code)
    bot = instantiate(resolve("cautious", find_bots([tmp_path])))
    for rules in ("tienduizend", "zehntausend-1", "zehntausend-2"):
        dice = AddressedDice(match_key(1, rules), 0)
        assert play_game(tables(rules), [bot, bot], dice).forfeit is None


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        if not target.startswith("https://"):
            assert (ROOT / target).exists(), target

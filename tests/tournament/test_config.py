"""Tournament files: every mistake is named, all at once."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from arena.bots.isolation_limits import RANGES
from arena.errors import ConfigError
from arena.tournament import EngineName, TournamentConfig, explained_keys, read_config
from tests.tournament.playing import ROOT


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _read(tmp_path: Path, text: str) -> TournamentConfig:
    path = tmp_path / "cup.toml"
    path.write_text(text)
    return read_config(path)


def _mistakes(tmp_path: Path, text: str) -> list[tuple[str, str]]:
    """Key and what is allowed, of every mistake."""
    with pytest.raises(ConfigError) as caught:
        _read(tmp_path, text)
    return [(mistake.key, mistake.allowed) for mistake in caught.value.mistakes]


GOOD = 'bots = ["hold", "greedy", "hold:points=500"]\nrulesets = ["tienduizend"]\n'


def test_only_bots_and_rulesets_are_needed(tmp_path: Path) -> None:
    config = _read(tmp_path, GOOD)
    assert config.title == "cup"
    assert [spec.name for spec in config.bots] == ["hold", "greedy", "hold:points=500"]
    assert [ruleset.name for ruleset in config.rulesets] == ["tienduizend"]
    assert (config.players, config.format, config.blocks) == (2, "round-robin", 500)
    assert (config.seed, config.workers, config.engine) == (1, 0, None)


def test_every_key_is_read(tmp_path: Path) -> None:
    config = _read(
        tmp_path,
        GOOD + 'title = "Cup"\nplayers = 3\nformat = "gauntlet"\nheroes = ["greedy"]\nblocks = 7\n'
        'seed = -5\nworkers = 2\nchunk_blocks = 3\nengine = "referee"\nbot_sources = []\n',
    )
    assert config.title == "Cup"
    assert (config.players, config.format, config.blocks) == (3, "gauntlet", 7)
    assert [spec.name for spec in config.heroes] == ["greedy"]
    assert (config.seed, config.workers, config.chunk_blocks) == (-5, 2, 3)
    assert config.engine is EngineName.REFEREE
    settings = dict(config.settings)
    assert settings["bots"] == "hold, greedy, hold:points=500"
    assert settings["seed"] == "-5"
    assert settings["heroes"] == "greedy"


def test_every_key_is_explained() -> None:
    tournament, _, limits = explained_keys().partition("\n\nKeys of [limits]:\n\n")
    shown = [each.name for each in fields(TournamentConfig)]
    assert _explained(tournament) == shown[: shown.index("path")]
    assert _explained(limits) == list(RANGES)


def _explained(text: str) -> list[str]:
    return [line.partition(":")[0] for line in text.splitlines() if not line.startswith(" ")]


def test_all_bots_are_those_that_are_found(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    for name in ("One", "Two"):
        (tmp_path / "mine" / f"{name.lower()}.py").write_text(
            f"from arena import Bot\nclass {name}(Bot):\n    'A bot.'\n"
            "    def decide(self, turn):\n        return turn.holds[0].bank()\n"
        )
    (tmp_path / "mine" / "broken.py").write_text("class\n")
    config = _read(tmp_path, 'bots = "all"\nbot_sources = ["mine"]\nrulesets = ["tienduizend"]\n')
    assert [spec.name for spec in config.bots] == ["one", "two"]
    assert ["broken.py" in problem for problem in config.problems] == [True]


def test_all_mistakes_are_reported_together(tmp_path: Path) -> None:
    found = _mistakes(
        tmp_path,
        'bots = ["hodl", "greedy", "hold:point=3", 5]\n'
        'rulesets = ["tienduizen", "zehntausend-1:hot_dice=maybe,dice=9"]\n'
        'blocs = 3\nplayers = 9\nformat = "dutch"\nblocks = 0\nseed = "one"\nworkers = -1\n',
    )
    keys = [key for key, _ in found]
    assert sorted(keys) == sorted(
        [
            *("blocs", "bots", "bots", "bots", "rulesets", "rulesets", "rulesets"),
            *("players", "format", "blocks", "seed", "workers"),
        ]
    )
    told = "\n".join(allowed for _, allowed in found)
    assert "did you mean blocks?" in told
    assert "did you mean hold?" in told
    assert "did you mean tienduizend?" in told
    assert "zehntausend-1.toml so changed: dice = 9: a whole number from 1 to 6" in told
    assert "round-robin, gauntlet" in told


@pytest.mark.parametrize(
    ("text", "key", "part"),
    [
        ('rulesets = ["tienduizend"]', "bots", "a list of texts"),
        ('bots = "hold"\nrulesets = ["tienduizend"]', "bots", '"all"'),
        ('bots = ["hold"]\nrulesets = ["tienduizend"]', "bots", "at least 2 different bots"),
        (GOOD + "players = 4", "bots", "at least 4 different bots"),
        ('bots = ["hold", "greedy"]', "rulesets", "a list of texts"),
        ('bots = ["hold", "greedy"]\nrulesets = []', "rulesets", "a list of texts"),
        (
            'bots = ["hold", "hold:points=300"]\nrulesets = ["tienduizend"]',
            "bots",
            "is the same bot as 'hold'",
        ),
        (
            'bots = ["hold", "greedy"]\nrulesets = ["tienduizend", "tienduizend:target=10000"]',
            "rulesets",
            "plays as 'tienduizend'",
        ),
        (GOOD + 'heroes = ["hold"]', "heroes", 'needs format = "gauntlet"'),
        (GOOD + 'format = "gauntlet"\nheroes = ["random"]', "heroes", "one of the bots"),
        (
            GOOD + 'format = "gauntlet"\nheroes = ["hold", "greedy", "hold:points=500"]',
            "heroes",
            "leave some bots",
        ),
        (GOOD + 'engine = "warp"', "engine", "referee"),
        (GOOD + "[stopping]\nsprt = 1", "stopping.sprt", "a table such as"),
        (
            GOOD + "[stopping]\nsprt = {elo0 = 9}",
            "stopping.sprt.elo0",
            "elo0 must be below elo1, not 9 and 5",
        ),
        (GOOD + "[stopping]\nsprt = {elo1 = 9000}", "stopping.sprt.elo0", "between -3000 and 3000"),
        (GOOD + "[stopping]\nsprt = {alpha = 2}", "stopping.sprt.alpha", "a number from 1e-09"),
        (GOOD + "[stopping]", "stopping", "exactly one of half_width, ranks and sprt"),
        (GOOD + "[stopping]\nranks = 0.9\nhalf_width = 5", "stopping", "exactly one of"),
        (GOOD + "[stopping]\nhalf_width = 0", "stopping.half_width", "a number from 0.01"),
        (GOOD + "[stopping]\nhalf_width = 5\ntie = 1", "stopping.tie", "belongs to ranks"),
        (GOOD + "[stopping]\nrank = 0.9", "stopping.rank", "did you mean ranks?"),
        (GOOD + "stopping = 5", "stopping", "a table with half_width"),
        (
            GOOD + 'format = "swiss"\n[stopping]\nranks = 0.9',
            "stopping",
            'needs format = "round-robin" or format = "gauntlet"',
        ),
        (
            GOOD + "players = 3\n[stopping]\nsprt = {elo1 = 9}",
            "players",
            "sprt is for games of two",
        ),
        (GOOD + "rounds = 3", "rounds", 'needs format = "swiss" or format = "ladder"'),
        (GOOD + "groups = 2", "groups", 'needs format = "groups"'),
        (GOOD + 'format = "groups"', "bots", "at least 4 different bots"),
        (GOOD + 'format = "swiss"\nrounds = 9', "rounds", "from 1 to 3"),
        (GOOD + 'format = "knockout"\nplayers = 3', "players", "is for games of two"),
        (GOOD + 'bot_sources = ["nowhere"]', "bots", "no such file"),
    ],
)
def test_one_mistake(tmp_path: Path, text: str, key: str, part: str) -> None:
    found = _mistakes(tmp_path, text)
    assert any(where == key and part in allowed for where, allowed in found), found


def test_an_empty_bots_folder(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    found = _mistakes(tmp_path, 'bots = "all"\nbot_sources = ["empty"]\nrulesets = ["tienduizend"]')
    assert found[0][0] == "bots"
    assert "no bot file" in found[0][1]


@pytest.mark.parametrize("text", ["bots = [", "\x00", "bots = 1\nbots = 2"])
def test_what_is_not_toml(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError, match="is not TOML"):
        _read(tmp_path, text)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_config(tmp_path / "none.toml")


@pytest.mark.parametrize("name", ["quick", "league"])
def test_the_shipped_files_can_be_played(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    config = read_config(Path("configs") / f"{name}.toml")
    assert len(config.bots) >= 8
    assert [each.name for each in config.rulesets] == [
        "tienduizend",
        "zehntausend-1",
        "zehntausend-2",
    ]
    assert config.problems == ()

"""`arena init`: a working folder with bots, rulesets and tournament files to start from."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import click

from arena.cli.output import note
from arena.errors import UsageError
from arena.rules.places import shipped_folder

README = """\
# A folder for tournaments of 10,000

- `bots/`: one file for each bot. `arena new-bot NAME` writes a new one to start from, and
  `arena bots` lists what is found. A file here replaces the one of the same bot that comes with
  arena.
- `configs/`: tournament files. `arena run configs/quick.toml` plays one and writes its report.
- `configs/rules/`: rulesets. `arena rules` lists them. Copy one to change it.
- `reports/`: results and reports of the runs, one folder for each tournament file.

Run `arena` in this folder, so that it finds them.
"""


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
def command(folder: Path) -> None:
    """Lay out a working folder: bots/, configs/, configs/rules/, reports/ and a README.

    Files that are there already stay as they are.
    """
    written = kept = 0
    try:
        for source, target in _files(folder):
            if target.exists():
                kept += 1
                if source is not None and target.read_bytes() != source.read_bytes():
                    note(f"kept as it is: {target}")
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            if source is None:
                target.write_text(README, encoding="utf-8")
            else:
                shutil.copyfile(source, target)
            written += 1
        (folder / "reports").mkdir(exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"{error.filename or folder}: cannot be written: {error.strerror or error}; "
            "give a folder that you may write to"
        ) from None
    click.echo(
        f"{folder}: {written} files written" + (f", {kept} were there already" if kept else "")
    )
    if written:
        click.echo(f"Next: cd {folder} && arena run configs/quick.toml")


def _files(folder: Path) -> Iterator[tuple[Path | None, Path]]:
    """Every file with where it goes; None is the README that is written here."""
    yield None, folder / "README.md"
    for name, pattern in (("bots", "*.py"), ("configs", "*.toml"), ("configs/rules", "*.toml")):
        top, _, inner = name.partition("/")
        shipped = shipped_folder(top)
        if shipped is None:
            raise UsageError(f"this installation of arena came without its {top}/; install it anew")
        for file in sorted((shipped / inner).glob(pattern)):
            yield file, folder / name / file.name
